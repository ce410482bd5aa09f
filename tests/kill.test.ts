import { test } from "node:test";
import { killRuns } from "./support/kill-runs.ts";

test("after 4 kills during uploads, nothing acknowledged is lost and nothing is half stored", (t) =>
  killRuns(t, 4));
