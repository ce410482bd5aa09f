/**
 * npm run bench -- start [RUNS]: measures the time from starting the executable to its first response to GET /, its CPU
 * time until then, and its memory at rest: with a new and with an existing data folder, with the environment of the
 * unit and without. How much of the executable counts as resident depends on how the system has read the file.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { freePort } from "../../tests/support/free-port.ts";
import { cpuMsOf, memoryOf } from "./process-usage.ts";
import { unitEnvironment } from "./unit.ts";

const runs = Number(process.argv[3] ?? 9);
const program = path.join(import.meta.dirname, "../../dist/rubricon");
const restMs = 3000;

const columns = ["first response ms", "CPU ms", "resident MB", "anonymous MB", "peak MB"] as const;
type Measured = Record<(typeof columns)[number], number>;

console.log(`median of ${runs} runs: ${columns.join(", ")}`);
for (const [name, env] of [
  ["unit's environment", unitEnvironment()],
  ["no environment", {}],
] as const) {
  const measured: { created: Measured[]; existing: Measured[] } = { created: [], existing: [] };
  for (let run = 0; run < runs; run += 1) {
    const folder = mkdtempSync(path.join(tmpdir(), "site-"));
    measured.created.push(await measure(folder, env));
    measured.existing.push(await measure(folder, env));
    rmSync(folder, { recursive: true });
  }
  report(`${name}, new data folder`, measured.created);
  report(`${name}, existing data folder`, measured.existing);
}

async function measure(folder: string, env: Record<string, string>): Promise<Measured> {
  const port = await freePort();
  const begin = performance.now();
  const server = spawn(program, ["--port", String(port), "--data-dir", folder], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    await once(server.stdout, "data");
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { Connection: "close" } });
    await response.arrayBuffer();
    const firstMs = performance.now() - begin;
    const cpuMs = cpuMsOf(server);
    await setTimeout(restMs);
    return {
      "first response ms": firstMs,
      "CPU ms": cpuMs,
      "resident MB": memoryOf(server, "VmRSS"),
      "anonymous MB": memoryOf(server, "RssAnon"),
      "peak MB": memoryOf(server, "VmHWM"),
    };
  } finally {
    server.kill();
    await once(server, "exit");
  }
}

function report(name: string, measured: Measured[]): void {
  const medians = columns.map((column) => {
    const values = measured.map((one) => one[column]).sort((a, b) => a - b);
    return values[values.length >> 1]!.toFixed(0).padStart(6);
  });
  console.log(name.padEnd(42) + medians.join(""));
}
