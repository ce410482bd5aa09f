import { test } from "node:test";
import { killRuns } from "../support/kill-runs.ts";

test("after 50 kills during uploads, each acknowledged request is stored whole", (t) =>
  killRuns(t, 50));
