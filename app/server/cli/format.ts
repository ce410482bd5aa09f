import { type Command, InvalidArgumentError, Option } from "commander";

/** The parsed options of a command with `addFormat`. */
export interface Format {
  format: "csv" | "json";
}

/** Returns a parser that throws InvalidArgumentError unless a flag's value is a whole number in the range. */
export const wholeNumber = (min: number, max: number) => (text: string) => {
  const number = Number(text);
  if (/^\d{1,9}$/.test(text) && number >= min && number <= max) return number;
  throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
};

export const addFormat = (command: Command): Command =>
  command.addOption(
    new Option("--format <format>", "csv for spreadsheets, json for the exact values")
      .choices(["csv", "json"])
      .makeOptionMandatory(),
  );
