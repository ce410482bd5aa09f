import { type Command, Option } from "commander";

/** What an export is printed as. */
export const addFormat = (command: Command): Command =>
  command.addOption(
    new Option("--format <format>", "csv for spreadsheets, json for the exact values")
      .choices(["csv", "json"])
      .makeOptionMandatory(),
  );
