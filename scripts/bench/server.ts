/** What the benchmarks share: servers in a folder of the run, and what is sent to them. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { readyUrl } from "../start-executable.ts";
import { benchEnvironment } from "./unit.ts";

export const root = path.join(import.meta.dirname, "../..");
export const program = path.join(root, "dist/rubricon");
export const folder = mkdtempSync(path.join(root, "build/bench-"));

const started: ChildProcess[] = [];

/** Starts a server in the folder of the run. Returns it with its URL once it serves. */
export async function startServer(
  [command, ...args]: [command: string, ...args: string[]] = [program],
  env: Record<string, string> = benchEnvironment(),
): Promise<{ process: ChildProcess; url: string }> {
  const child = spawn(command, args, { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"] });
  started.push(child);
  return { process: child, url: await readyUrl(child) };
}

/** Ends the servers, and deletes the folder of the run. */
export function endRun(): void {
  for (const server of started) server.kill("SIGKILL");
  rmSync(folder, { recursive: true });
}

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[numbers.length >> 1]!;

/** The fields of a person who sends something. */
export const sender = {
  name: "Thandi Example",
  email: "thandi@school.example",
  phone: "+27 31 555 0100",
};

/** Posts a contact message. Returns the response. @param message no two alike, because equal ones are duplicates */
export const postMessage = (url: string, message: string): Promise<Response> =>
  fetch(`${url}/api/contact`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...sender, message }),
  });
