import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { newFolder, query, type Server, startServer, until } from "./server.ts";
import {
  contact,
  pdf,
  sha256,
  type UploadedFile,
  uploadByPage,
  uploaded,
  uploadForm,
} from "./upload.ts";

/**
 * Kills the server at random moments during uploads, repeatedly on the same data. Asserts after each new start that
 * acknowledged requests are complete, no request is half stored, and a live upload draft still has its files.
 */
export async function killRuns(t: TestContext, rounds: number): Promise<void> {
  const folder = newFolder(t);
  /** The hashes of the files of each acknowledged request, by reference. */
  const acknowledged = new Map<string, string[]>();
  const first = await startServer(t, { folder });
  const rejected = await uploadByPage(
    first.url,
    uploadForm(exampleFiles(), { ...contact, email: "wrong" }),
  );
  assert.equal(rejected.status, 422);
  let server = first;
  for (let round = 0; round < rounds; round += 1) {
    const before = acknowledged.size;
    const uploads = [0, 1, 2].map(() => uploadUntilKilled(server, acknowledged));
    // Every second kill comes after an upload, however slow the machine is.
    if (round % 2 === 0) await until(() => acknowledged.size > before);
    const waitMs = Math.floor(Math.random() * 700);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    t.diagnostic(`kill ${round + 1} is ${waitMs} ms later`);
    await server.stop("SIGKILL");
    await Promise.all(uploads);
    server = await startServer(t, { folder });
    inspect(server, acknowledged);
  }
  t.diagnostic(`${acknowledged.size} requests acknowledged over ${rounds} kills`);
  assert.ok(acknowledged.size >= rounds / 2, "some uploads succeeded between the kills");
}

const exampleFiles = (): UploadedFile[] => [
  { field: "questionsFile", name: "questions.pdf", bytes: pdf(300_000) },
  { field: "rubricFile", name: "rubric.pdf", bytes: pdf(2_000) },
  { field: "submissionFiles", name: "a.pdf", bytes: pdf(100_000) },
  { field: "submissionFiles", name: "b.pdf", bytes: pdf(500_000) },
];

async function uploadUntilKilled(
  server: Server,
  acknowledged: Map<string, string[]>,
): Promise<void> {
  for (;;) {
    const sent = exampleFiles();
    try {
      const reference = await uploaded(server, sent);
      acknowledged.set(
        reference,
        sent.map(({ bytes }) => sha256(bytes)),
      );
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
  }
}

function inspect({ databaseFile }: Server, acknowledged: Map<string, string[]>): void {
  const stored = Map.groupBy(
    query<{ reference: string; sha256: string; bytes: Buffer }>(
      databaseFile,
      `SELECT reference, sha256, bytes FROM contact_requests
         JOIN uploaded_files ON contact_request_id = contact_requests.id
         JOIN uploaded_file_bytes ON file_id = uploaded_files.id
        ORDER BY uploaded_files.id`,
    ),
    ({ reference }) => reference,
  );
  for (const [reference, hashes] of acknowledged) {
    const rows = stored.get(reference) ?? [];
    assert.deepEqual(
      rows.map(({ bytes }) => sha256(bytes)),
      hashes,
      `the files of ${reference}, which was acknowledged`,
    );
  }
  const incomplete = query(
    databaseFile,
    `SELECT reference FROM contact_requests r WHERE
       (SELECT count(*) FROM uploaded_files WHERE contact_request_id = r.id) <> 4
       OR (SELECT count(*) FROM assessment_submissions WHERE contact_id = r.id) <> 1
       OR (SELECT count(*) FROM outbox o WHERE o.reference = r.reference) <> 1
       OR (SELECT count(*) FROM assessments a JOIN assessment_submissions s
             ON a.assessment_submission_id = s.id WHERE s.contact_id = r.id) <> 1`,
  );
  assert.deepEqual(incomplete, [], "no request is half stored");
  const staged = query<{ draft_id: number | null }>(
    databaseFile,
    "SELECT draft_id FROM uploaded_files WHERE contact_request_id IS NULL",
  );
  // Files of posts that a kill broke off are deleted after two hours, so only those of drafts are counted.
  const ofDraft = staged.filter(({ draft_id }) => draft_id !== null);
  assert.equal(ofDraft.length, 4, "the live draft has its files");
  assert.deepEqual(query(databaseFile, "PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
}
