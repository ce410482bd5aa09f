import { test } from "node:test";
import { killRuns } from "../support/kill-runs.ts";

test("killed 50 times in mid-upload: nothing acknowledged is lost, nothing is half stored", (t) =>
  killRuns(t, 50));
