import { test } from "node:test";
import { copyThereAndBack } from "../support/copied-database.ts";

test("a file with 2,000 requests is copied to PostgreSQL in two runs and back", async (t) => {
  await copyThereAndBack(t, 2000);
});
