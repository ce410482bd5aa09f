import { run } from "#server/cli/run.ts";
import { describeCause } from "#server/log.ts";
import { program } from "./app/brand.ts";

// Otherwise Node warns of deprecations in libraries on stderr, where each line is one of the log's.
process.noDeprecation = true;

// Otherwise Node opens its debugger to all accounts of the machine on this signal, which log rotation
// sends to other programs.
process.on("SIGUSR1", () => {});

// Otherwise Node prints the line of the source, which is the whole program.
process.on("uncaughtException", (error) => {
  process.stderr.write(`${program.command}: unexpected error: ${describeCause(error)}\n`);
  process.exit(1);
});

run(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
