import { type Command, Option } from "commander";

/** Adds the required flag --format. */
export const addFormat = (command: Command): Command =>
  command.addOption(
    new Option("--format <format>", "csv for spreadsheets, json for the exact values")
      .choices(["csv", "json"])
      .makeOptionMandatory(),
  );
