/** The class that every visitor may open. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const folder = path.join(import.meta.dirname, "../../content/sample");

/** Its results file. */
export const sample = JSON.parse(readFileSync(path.join(folder, "results.json"), "utf8"));

/** The names of its submissions. */
export const sampleNames = readdirSync(path.join(folder, "submissions"));
