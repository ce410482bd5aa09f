import { statfs } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import type { Store } from "#db/store.ts";
import { noStoreHeaders } from "./headers.ts";

/** What those who watch the program may ask. */
export interface Health {
  /** Each check and what it found; "ok" is the only good word. */
  check(): Promise<Record<string, string>>;
  /** Told when the program begins to stop: it is ready for nobody new. */
  drain(): void;
}

/** Letters that wait for longer than this are a fault to look into. */
export const maxPendingEmailMs = 6 * 60 * 60 * 1000;

export function openHealth(
  store: Store,
  { dataDir, diskFloorMb, hasMail }: { dataDir: string; diskFloorMb: number; hasMail: boolean },
  now: () => Date,
): Health {
  let draining = false;
  return {
    drain() {
      draining = true;
    },
    async check() {
      return {
        serving: draining ? "stopping" : "ok",
        database: await found(async () => {
          await store.tryWriting();
          return "ok";
        }),
        disk: await found(async () =>
          (await hasRoom(dataDir, diskFloorMb)) ? "ok" : `less than ${diskFloorMb} MB are free`,
        ),
        emails: await found(async () => (hasMail ? await checkEmails(store, now) : "ok")),
      };
    },
  };
}

/** `/healthz` touches nothing; `/readyz` looks at all that a form needs. */
export async function sendHealth(
  url: "/healthz" | "/readyz",
  health: Health,
  headers: [string, string][],
  response: ServerResponse,
): Promise<void> {
  const checks = url === "/readyz" ? await health.check() : {};
  const isGood = Object.values(checks).every((word) => word === "ok");
  const body = url === "/healthz" ? "ok\n" : `${JSON.stringify(checks)}\n`;
  response
    .writeHead(isGood ? 200 : 503, [
      ...headers.flat(),
      "Content-Type",
      url === "/healthz" ? "text/plain; charset=utf-8" : "application/json; charset=utf-8",
      ...noStoreHeaders,
      "Content-Length",
      String(Buffer.byteLength(body)),
    ])
    .end(body);
}

/**
 * A check that fails itself has found something: the folder may be gone, the database locked. Everybody may
 * ask, so the system's sentence, which names the folder, is left out for its code.
 */
const found = (check: () => Promise<string>) =>
  check().catch(({ code, message }: NodeJS.ErrnoException) => code ?? message);

/** Whether the disk has more room than must stay free. Throws where the folder is gone. */
export async function hasRoom(folder: string, floorMb: number): Promise<boolean> {
  if (floorMb === 0) return true;
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize > floorMb * 1_048_576;
}

async function checkEmails(store: Store, now: () => Date): Promise<string> {
  const oldest = await store.oldestPendingEmail();
  const age = oldest ? now().getTime() - Date.parse(oldest) : 0;
  return age > maxPendingEmailMs
    ? `the oldest has waited ${Math.round(age / 3_600_000)} hours`
    : "ok";
}
