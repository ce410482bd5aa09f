import { readFileSync } from "node:fs";
import { request } from "node:http";
import { contactTyped } from "./forms.ts";
import { uploadForm } from "./upload.ts";

interface Experience {
  /** Number of pages by status; 0 if the connection failed. */
  statuses: Record<string, number>;
  /** The 95th percentile of the times of the cached page. */
  cachedMs: number;
  /** The 95th percentile of the times of the uncached page. */
  uncachedMs: number;
  /** The time of the slowest page. */
  slowestMs: number;
  /** Statuses of uploads; 0 if the connection failed. */
  uploads: number[];
  /** Statuses of messages; 0 if the connection failed. */
  messages: number[];
  /** How long the server waited for a processor, as a part of the time for which it ran. */
  processorWait: number;
  /** Highest resident memory of the server meanwhile, in MB. */
  residentMb: number;
  /** The same without the pages of files, which the kernel drops when memory runs out. */
  anonymousMb: number;
}

interface Visit {
  url: string;
  /** Source address on the loopback network. */
  address: string;
  seconds: number;
  /** The server's process. */
  pid: number;
}

/** Visits pages, uploads files and sends messages like other visitors, while another client floods the server. */
export async function visit({ url, address, seconds, pid }: Visit): Promise<Experience> {
  const times: Record<string, number[]> = { "/about": [], "/blog?q=memo": [] };
  const statuses: Record<string, number> = {};
  const uploads: number[] = [];
  const messages: number[] = [];
  const before = processorTimesOf(pid);
  let residentMb = 0;
  let anonymousMb = 0;
  const end = performance.now() + seconds * 1000;
  const loop = async (pauseMs: number, step: () => Promise<void>) => {
    while (performance.now() < end) {
      await step();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const page = (path: string) => async () => {
    const begun = performance.now();
    const status = await statusOf(url + path, address);
    times[path]!.push(performance.now() - begun);
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  await Promise.all([
    ...Object.keys(times).map((path) => loop(50, page(path))),
    loop(1000, async () => {
      uploads.push(await uploadFrom(url, address));
    }),
    loop(500, async () => {
      messages.push(await sendMessage(url, address));
    }),
    loop(100, async () => {
      residentMb = Math.max(residentMb, memoryOf(pid));
      anonymousMb = Math.max(anonymousMb, memoryOf(pid, "RssAnon"));
    }),
  ]);
  const after = processorTimesOf(pid);
  return {
    processorWait: (after.waitedMs - before.waitedMs) / (after.ranMs - before.ranMs),
    statuses,
    uploads,
    messages,
    residentMb,
    anonymousMb,
    slowestMs: Math.round(Math.max(...Object.values(times).flat())),
    cachedMs: percentile95(times["/about"]!),
    uncachedMs: percentile95(times["/blog?q=memo"]!),
  };
}

/** Resident memory in MB, or the part of it that is no file; 0 if the process has ended. */
export function memoryOf(pid: number, field: "VmRSS" | "RssAnon" = "VmRSS"): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Math.round(
      Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0) / 1024,
    );
  } catch {
    return 0;
  }
}

/** How long the main thread of a process has run so far, and how long it has waited for a processor, in ms. */
function processorTimesOf(pid: number): { ranMs: number; waitedMs: number } {
  try {
    const times = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
    return { ranMs: Number(times[0]) / 1e6, waitedMs: Number(times[1]) / 1e6 };
  } catch {
    return { ranMs: 0, waitedMs: 0 };
  }
}

const percentile95 = (times: number[]) =>
  Math.round(times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0);

async function uploadFrom(url: string, localAddress: string): Promise<number> {
  const body = new Response(uploadForm());
  return statusOf(`${url}/api/demo-request-with-files`, localAddress, {
    type: body.headers.get("Content-Type")!,
    bytes: Buffer.from(await body.arrayBuffer()),
  });
}

const sendMessage = (url: string, localAddress: string): Promise<number> =>
  statusOf(`${url}/api/contact`, localAddress, {
    type: "application/json",
    bytes: Buffer.from(JSON.stringify(contactTyped)),
  });

function statusOf(
  url: string,
  localAddress: string,
  post?: { type: string; bytes: Buffer },
): Promise<number> {
  return new Promise((resolve) => {
    const headers = post && { "Content-Type": post.type, "Content-Length": post.bytes.length };
    const sent = request(
      url,
      { localAddress, agent: false, method: post ? "POST" : "GET", ...(headers && { headers }) },
      (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode!));
        response.once("error", () => resolve(0));
      },
    );
    sent.once("error", () => resolve(0));
    // The server keeps the slot of an upload that makes no progress for less than that.
    sent.setTimeout(50_000, () => sent.destroy());
    sent.end(post?.bytes);
  });
}
