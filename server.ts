import { run } from "#server/cli.ts";

run(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
