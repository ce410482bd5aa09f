/** Runs commands from source in the process of the tests. */
import type * as runModule from "../../app/server/cli/run.ts";
import type { Output } from "./output-of.ts";
import { runExecutable, setRun } from "./server.ts";
import { loadSource } from "./source.ts";

let last: Promise<unknown> = Promise.resolve();

/**
 * Has this test file run commands from source, in its own process and one after the other. Each takes a tenth of the
 * processor time that one of the executable takes, and the first a second. Servers are of the executable, as are
 * commands with options of Node, those on PostgreSQL and those that read standard input, which here would never end.
 */
export function runCommandsHere(): void {
  if (process.env.TEST_ENGINE === "postgres") return;
  setRun((folder, args, env = {}) => {
    const isServer = [undefined, "serve", "--data-dir", "--host", "--port"].includes(args[0]);
    if (isServer || args.includes("-") || env.NODE_OPTIONS) return runExecutable(folder, args, env);
    const output = last.then(() => runHere(folder, args, env));
    last = output.catch(() => {});
    return output;
  });
}

async function runHere(folder: string, args: string[], env: Record<string, string>) {
  const { run } = await loadSource<typeof runModule>("/app/server/cli/run.ts");
  const [out, err] = [process.stdout, process.stderr].map(captureText);
  const before = { folder: process.cwd(), env: { ...process.env } };
  setEnvironment({ PATH: "/nowhere", ...env });
  process.chdir(folder);
  try {
    return { code: await run(args), out: out!.text, err: err!.text } satisfies Output;
  } finally {
    process.chdir(before.folder);
    setEnvironment(before.env);
    out!.end();
    err!.end();
  }
}

/** Sets each variable of the process, because the time zone does not follow another object in place of `process.env`. */
function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
}

/** Captures the texts that are written to a stream. The runner of tests reports in bytes, which are passed on. */
function captureText(stream: NodeJS.WriteStream) {
  const { write } = stream;
  const captured = { text: "", end: () => void Object.assign(stream, { write }) };
  const capture = (chunk: string | Uint8Array, done?: () => void) => {
    if (typeof chunk !== "string") return write.call(stream, chunk, undefined, done);
    captured.text += chunk;
    done?.();
    return true;
  };
  Object.assign(stream, { write: capture });
  // Each command listens to the stream.
  stream.setMaxListeners(0);
  return captured;
}
