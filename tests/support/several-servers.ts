import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { column } from "./columns.ts";
import { contactTyped, postJson } from "./forms.ts";
import { queryPostgres } from "./postgres.ts";
import {
  contact,
  sha256,
  threeFiles,
  type UploadedFile,
  uploadByApi,
  uploadForm,
} from "./upload.ts";

/** What a visitor was thanked for. */
interface Acknowledged {
  references: Set<string>;
  /** Hashes of the files, in any order. */
  files: string[];
}

interface Load {
  /** By the message of the post, which is unique. */
  acknowledged: Map<string, Acknowledged>;
  /** Sends no more posts, and waits for those in flight. */
  stop(): Promise<void>;
}

/**
 * Posts to all servers until it is stopped: each post to two of them at once, and again until it is
 * acknowledged or the load is stopped. Every fourth has files.
 */
export function startLoad(servers: () => { url: string }[]): Load {
  const acknowledged = new Map<string, Acknowledged>();
  let isStopped = false;
  const post = async (server: { url: string }, message: string, files: UploadedFile[]) => {
    const response = await (files.length > 0
      ? uploadByApi(server.url, uploadForm(files, { ...contact, message }))
      : postJson(server.url, "/api/contact", { ...contactTyped, message }));
    const body = await response.text();
    if (response.status === 201) return (JSON.parse(body) as { reference: string }).reference;
    // Staged files may be lost with a primary. The visitor is asked for them again, so the post is repeated.
    assert.ok(response.status === 503 || body.includes('"files_gone"'), body);
    return undefined;
  };
  const client = async (number: number) => {
    for (let count = number; !isStopped; count += 1) {
      const message = randomUUID();
      const files = count % 4 === 0 ? threeFiles() : [];
      const both = [0, 1].map(async (index) => {
        // A post is repeated until it is acknowledged, because it may have been stored.
        for (let attempt = 0; !isStopped || attempt === 0; attempt += 1) {
          const running = servers();
          const server = running[(number + index + attempt) % running.length]!;
          const reference = await post(server, message, files).catch((error) => {
            if (error instanceof assert.AssertionError) throw error;
          });
          if (reference) return reference;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        return undefined;
      });
      const references = (await Promise.all(both)).filter((one) => one !== undefined);
      if (references.length === 0) continue;
      const hashes = files.map(({ bytes }) => sha256(bytes));
      acknowledged.set(message, { references: new Set(references), files: hashes });
    }
  };
  const running = Promise.all([0, 1, 2, 3].map(client));
  running.catch(() => {});
  return {
    acknowledged,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** Asserts that everything acknowledged is stored once and whole, and nothing twice. */
export async function inspect(url: string, { acknowledged }: Load): Promise<void> {
  const stored = Map.groupBy(
    await queryPostgres<{ message: string; reference: string }>(
      url,
      "SELECT message, reference FROM contact_requests",
    ),
    ({ message }) => message,
  );
  const files = Map.groupBy(
    await queryPostgres<{ reference: string; bytes: Buffer }>(
      url,
      `SELECT reference, (SELECT string_agg(bytes, '' ORDER BY part)
         FROM uploaded_file_bytes WHERE file_id = uploaded_files.id) AS bytes
       FROM uploaded_files JOIN contact_requests ON contact_request_id = contact_requests.id
       ORDER BY uploaded_files.id`,
    ),
    ({ reference }) => reference,
  );
  for (const [message, { references, files: hashes }] of acknowledged) {
    assert.equal(references.size, 1, "both posts got the same reference");
    const rows = stored.get(message) ?? [];
    assert.deepEqual(column(rows, "reference"), [...references], "acknowledged, and stored once");
    const found = (files.get(rows[0]!.reference) ?? []).map(({ bytes }) => sha256(bytes));
    assert.deepEqual(found.sort(), hashes.sort(), "with its files");
  }
  assert.ok(
    [...stored.values()].every((rows) => rows.length === 1),
    "no request is stored twice",
  );
  const emails = await queryPostgres(
    url,
    `SELECT reference FROM contact_requests WHERE 1 <>
       (SELECT count(*) FROM outbox
         WHERE kind = 'request' AND outbox.reference = contact_requests.reference)`,
  );
  assert.deepEqual(emails, [], "each request has one email");
}
