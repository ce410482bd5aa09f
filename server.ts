import { run } from "#server/cli/run.ts";

run(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
