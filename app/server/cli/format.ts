import { type Command, Option } from "commander";

/** The parsed options of a command with `addFormat`. */
export interface Format {
  format: "csv" | "json";
}

/** Adds the required flag --format. */
export const addFormat = (command: Command): Command =>
  command.addOption(
    new Option("--format <format>", "csv for spreadsheets, json for the exact values")
      .choices(["csv", "json"])
      .makeOptionMandatory(),
  );
