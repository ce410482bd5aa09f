import { test } from "node:test";
import { killRuns } from "./support/kill-runs.ts";

test("after 2 kills during uploads, nothing acknowledged is lost and nothing is half stored", (t) =>
  killRuns(t, 2));
