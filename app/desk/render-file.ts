import { spawn } from "node:child_process";
import path from "node:path";
import type { RenderedFile, RenderedPage } from "../domain/page-image.ts";
import { extensionOf } from "../forms/files.ts";
import { decodeFrames } from "./frames.ts";
import { notRendered, tooMuchMemory } from "./render-failure.ts";
import { encodeJob, type ScriptJob } from "./script-job.ts";

/**
 * In kilobytes, of what a process may write to, whether it does or not: Node and the libraries reserve 740 MB, and PDFium
 * grows by up to 370.
 */
const memoryLimit = 1_200_000;
const cpuSeconds = 20;
const maxMinutes = 5;
const maxOutputBytes = 128 * 1_048_576;

const limits = `ulimit -c 0; ulimit -d ${memoryLimit}; ulimit -S -t ${cpuSeconds}; exec "$@"`;

/**
 * Renders a file in a child process with limits on memory and time: a hostile file ends its child and nothing else.
 * @param program runs this program
 */
export async function renderFile(
  { bytes, name }: { bytes: Buffer; name: string },
  program: string[] = thisProgram(),
): Promise<RenderedFile> {
  const original = (reason: string): RenderedFile => ({ kind: "original", reason });
  const extension = extensionOf(name);
  if (extension === undefined || extension === ".doc") {
    return original(notRendered("is a file that only Word shows"));
  }
  const pages: RenderedPage[] = [];
  const timeout = AbortSignal.timeout(maxMinutes * 60_000);
  for (let pageCount = 1; pages.length < pageCount; ) {
    // A child that has used much of its time ends between two pages, and another one goes on.
    const firstPage = pages.length + 1;
    const command = [...program, "render-file", extension, String(firstPage)];
    const { output, failure } = await runChild(command, bytes, timeout);
    const frames = decodeFrames(output);
    for (const frame of frames) {
      if ("failed" in frame) return original(frame.failed);
      if ("paragraphs" in frame) return { kind: "paragraphs", paragraphs: frame.paragraphs };
      if ("pageCount" in frame) pageCount = frame.pageCount;
      else pages.push({ ...frame.page, webp: frame.webp });
    }
    if (failure || pages.length < firstPage) {
      const page = frames.length > 0 ? pages.length + 1 : undefined;
      return original(notRendered(failure ?? "could not be rendered", page));
    }
  }
  return { kind: "pages", pages };
}

/**
 * Writes a script as a PDF in a child process with the same limits.
 * @param files those of the job's parts, in their order
 * @returns undefined if a file makes that impossible
 */
export async function writeScriptFile(
  job: ScriptJob,
  files: Buffer[],
  program: string[] = thisProgram(),
): Promise<Buffer | undefined> {
  const timeout = AbortSignal.timeout(maxMinutes * 60_000);
  const command = [...program, "write-script"];
  const { output, failure } = await runChild(command, encodeJob(job, files), timeout);
  return failure === undefined && output.length > 0 ? output : undefined;
}

/** The command line of this program: the executable, or the Node that runs the built server. */
function thisProgram(): string[] {
  const { dir, ext } = path.parse(import.meta.filename);
  if (ext === ".cjs") return [process.execPath];
  const folder = ext === ".ts" ? path.join(dir, "../../build/server") : dir;
  return [process.execPath, path.join(folder, "server.js")];
}

/** Runs a child until it ends, and says why it failed, if it did. */
async function runChild(
  command: string[],
  stdin: Buffer,
  timeout: AbortSignal,
): Promise<{ output: Buffer; failure?: string }> {
  const child = spawn("sh", ["-c", limits, "sh", ...command], {
    // Without the settings of the program.
    env: {},
    stdio: ["pipe", "pipe", "ignore"],
    signal: timeout,
    killSignal: "SIGKILL",
  });
  // It may end before it has read everything.
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  const output: Buffer[] = [];
  let outputBytes = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    outputBytes += chunk.length;
    if (outputBytes > maxOutputBytes) child.kill("SIGKILL");
    else output.push(chunk);
  });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(
    (resolve, reject) => {
      child.once("error", (error) => timeout.aborted || reject(error));
      child.once("close", (...end) => resolve(end));
    },
  );
  const all = Buffer.concat(output);
  if (code === 0) return { output: all };
  if (timeout.aborted) return { output: all, failure: `took more than ${maxMinutes} minutes` };
  if (signal === "SIGXCPU") {
    return { output: all, failure: `took more than ${cpuSeconds} s of computing` };
  }
  return { output: all, failure: signal ? tooMuchMemory : "could not be rendered" };
}
