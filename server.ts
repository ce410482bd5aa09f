import { run } from "#server/cli/run.ts";

// Otherwise Node opens its debugger to all accounts of the machine on this signal, which log rotation
// sends to other programs.
process.on("SIGUSR1", () => {});

run(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
