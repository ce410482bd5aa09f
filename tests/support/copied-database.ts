import assert from "node:assert/strict";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import Sqlite from "better-sqlite3";
import { latestSchemaVersion, makeOldDatabase } from "./database.ts";
import { succeeded } from "./output-of.ts";
import { newDatabase, queryPostgres } from "./postgres.ts";
import { newFolder, runCommand, startServer } from "./server.ts";

/**
 * Copies a file with requests into a PostgreSQL database, and back. Asserts that nothing
 * has changed, and that no server uses an incomplete copy.
 */
export async function copyThereAndBack(t: TestContext, requests: number): Promise<void> {
  const folder = newFolder(t);
  const file = path.join(folder, "data/rubricon.db");
  fillFile(file, requests);
  const url = await newDatabase(t);
  const copy: Copy = (...args) =>
    runCommand(folder, ["database", "copy", ...args], { RUBRICON_DATABASE_URL: url });
  await copyThere(copy, url, requests);
  await assertIncompleteIsUnused(t, copy, url);
  await copyBack(folder, file, url);
}

type Copy = (...args: string[]) => ReturnType<typeof runCommand>;

async function copyThere(copy: Copy, url: string, requests: number): Promise<void> {
  const tried = await succeeded(copy("--dry-run", "--json"));
  assert.deepEqual(
    await queryPostgres(url, "SELECT 1 FROM pg_tables WHERE tablename = 'outbox'"),
    [],
  );
  const copied = await succeeded(copy("--yes", "--json"));
  const report = JSON.parse(copied.out);
  assert.equal(report.rows.contact_requests, requests);
  assert.deepEqual(report.rows, JSON.parse(tried.out).rows);
}

async function assertIncompleteIsUnused(t: TestContext, copy: Copy, url: string): Promise<void> {
  // The copy gets the mark of a run that has ended in the middle.
  const holder = (value: string) =>
    queryPostgres(url, `UPDATE schema_version SET holder = ${value}`);
  await holder("'copy'");
  const env = { RUBRICON_DATABASE_URL: url };
  await assert.rejects(startServer(t, { env }), /incomplete copy/);
  const again = await copy("--yes");
  assert.equal(again.code, 78, "the database is not empty any more");
  assert.match(again.err, /already has data/);
  await holder("NULL");
}

async function copyBack(folder: string, file: string, url: string): Promise<void> {
  const env = { RUBRICON_DATABASE_URL: url };
  const back = path.join(folder, "back.db");
  await succeeded(runCommand(folder, ["backup", back, "--json"], env));
  assert.deepEqual(contentOf(back), contentOf(file));
  const restored = await runCommand(folder, ["restore", back, "--yes"], env);
  assert.equal(restored.code, 78);
  assert.match(restored.err, /database copy --from/);
  // How to go back to SQLite: restore the backup where there is no PostgreSQL.
  rmSync(file);
  await succeeded(runCommand(folder, ["restore", back, "--yes"]));
  // The restore adds its own row to the audit.
  const audited = { audit: [], sqlite_sequence: [] };
  assert.deepEqual({ ...contentOf(file), ...audited }, { ...contentOf(back), ...audited });
}

/** Sizes of files: around the size of a row of bytes, and the largest. */
const sizes = [0, 1, 262_143, 262_144, 262_145, 2_097_152];

/** Fills a file with requests, and with every type of value that a column may have. */
function fillFile(file: string, requests: number): void {
  const db = makeOldDatabase(file, latestSchemaVersion);
  const insert = inserterInto(db);
  const addFile = fileAdder(insert);
  db.exec("BEGIN");
  for (let id = 1; id <= requests; id += 1) {
    const size = requests > 100 && id > 100 ? 3000 : sizes[id % sizes.length]!;
    addDemoUpload(id, size, insert, addFile);
  }
  for (let id = 1; id <= Math.ceil(requests / 10); id += 1) {
    const texts = { full_name: "X", email: "x@y.example", phone: "1", expected_improvements: "Z" };
    insert("rubric_requests", { id, ...texts, created_at: time(id), reference: `RR-${id}` });
    db.prepare("UPDATE rubric_requests SET grading_rubric = ?, marking_memo = ? WHERE id = ?").run(
      addFile({ rubric_request_id: id }, 10),
      addFile({ rubric_request_id: id }, 20),
      id,
    );
  }
  insert("clock", { id: 1, last_cleanup_at: time(1) });
  insert("upload_drafts", { id: 7, token_hash: "h", form: "demo-upload", expires_at: time(2) });
  addFile({ draft_id: 7, position: 1 }, 5);
  insert("subscriptions", { id: 900, email: "s@t.example", created_at: time(3), reference: "S-1" });
  db.exec("DELETE FROM subscriptions");
  db.exec("COMMIT");
  db.close();
}

type Row = Record<string, unknown>;
type Insert = (table: string, row: Row) => void;
/** @param owner the column that says what the file belongs to */
type AddFile = (owner: Row, size: number) => number;

const inserterInto =
  (db: Sqlite.Database): Insert =>
  (table, row) => {
    const names = Object.keys(row);
    const values = names.map((name) => `@${name}`).join(", ");
    db.prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${values})`).run(row);
  };

function fileAdder(insert: Insert): AddFile {
  let id = 0;
  return (owner, size) => {
    const bytes = randomBytes(size);
    id += 1;
    insert("uploaded_files", {
      id,
      field: "rubricFile",
      name: "Ünï “x”.pdf",
      media_type: "application/pdf",
      size,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      created_at: time(0),
      ...owner,
    });
    insert("uploaded_file_bytes", { file_id: id, bytes });
    return id;
  };
}

function addDemoUpload(id: number, size: number, insert: Insert, addFile: AddFile): void {
  const reference = `R-${id}`;
  const created_at = time(id);
  insert("contact_requests", {
    id,
    name: `Näme ${id}`,
    email: `p${id}@school.example`,
    phone: id % 2 ? null : "+27",
    message: `a\nb\t'"\\ ${id}`,
    reference,
    is_test: id % 2,
    fingerprint: id % 3 ? `f${id}` : null,
    created_at,
  });
  const first = addFile({ contact_request_id: id }, size);
  insert("assessment_submissions", {
    id,
    contact_id: id,
    questions_file_name: "q",
    rubric_file_name: "r",
    submission_file_count: 1,
    submission_file_names: '[ "a",  "ü" ]',
    questions_file_data: first,
    submission_files_data: `[${first}]`,
    created_at,
  });
  insert("assessments", { id, title: "T", created_at, assessment_submission_id: id });
  addDecision(id, insert);
  addDesk(id, first, insert);
  insert("outbox", {
    message_id: randomUUID(),
    subject: "S",
    body: "B",
    reply_to: "a@b.example",
    reference,
    next_attempt_at: created_at,
    created_at,
    accepted_by: id % 5 ? null : '["a@b.example"]',
    status: "sent",
  });
}

/** A learner's mark, decided and signed under a link. */
function addDecision(id: number, insert: Insert): void {
  const created_at = time(id);
  insert("submissions", { id, assessment_id: id, student_name: "L", file_name: "l.txt" });
  const link = { assessment_id: id, token_hash: `t${id}`, created_at, expires_at: time(id + 1) };
  insert("result_links", { id, ...link, kind: id % 2 ? "read" : "decide" });
  insert("decisions", {
    id,
    submission_id: id,
    question_number: "1.1 a",
    from_marks: id % 3 ? id / 4 : null,
    to_marks: id % 2 ? 0.25 : 4,
    is_not_answered: id % 2,
    decided_by: "Näme",
    result_link_id: id % 2 ? null : id,
    how: "changed",
    created_at,
    points: id % 2 ? `[{"id":${2 * id},"worth":0.25,"isTicked":true}]` : null,
  });
  insert("signatures", { id, assessment_id: id, signed_by: "Näme", created_at });
}

/** A marking link with what was done under it, and a picture of a page. */
function addDesk(id: number, fileId: number, insert: Insert): void {
  const created_at = time(id);
  insert("questions", {
    id,
    assessment_id: id,
    number: "1.1",
    total: 0.25,
    text: "Ä",
    memo: "ä (0.25); b (½)",
    position: 1,
  });
  for (const [index, worth] of [0.25, 0.5].entries()) {
    insert("memo_points", {
      id: 2 * id - index,
      assessment_id: id,
      question_number: "1.1",
      position: 2 - index,
      text: index ? "ä" : "b",
      worth,
      withdrawn_at: id % 2 ? created_at : null,
    });
  }
  insert("submission_files", {
    id,
    submission_id: id,
    file_id: fileId,
    last_page: id % 2 ? 3 : null,
  });
  const link = { assessment_id: id, token_hash: `m${id}`, created_at, expires_at: time(id + 1) };
  insert("marking_links", {
    id,
    ...link,
    marker_name: "Näme",
    questions: '["1.1"]',
    shows_names: id % 2,
  });
  const answer = { marking_link_id: id, submission_id: id, question_number: "1.1" };
  insert("mark_drafts", { id, ...answer, marks: "2,", comment: "", updated_at: created_at });
  insert("open_answers", { id, ...answer, opened_at: created_at });
  insert("rendered_files", { id, file_id: fileId, kind: "pages", created_at });
  const size = { width: 1100, height: 1500 };
  insert("page_images", { id, file_id: fileId, page: 1, ...size, bytes: randomBytes(1000 + id) });
  const sha256 = String(id).padStart(64, "0");
  insert("scans", { id, assessment_id: id, name: "scan.pdf", sha256, created_at });
  insert("problem_pages", { id, scan_id: id, file_id: fileId, page: 1, reason: "is left over" });
}

const time = (index: number) => new Date(1_790_000_000_000 + index * 997).toISOString();

/** All rows of all tables but the leases, with the highest ids that were given, even to deleted rows. */
function contentOf(file: string): Record<string, unknown[]> {
  const db = new Sqlite(file, { readonly: true });
  try {
    const names = db
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'leases' ORDER BY 1",
      )
      .pluck()
      .all() as string[];
    return Object.fromEntries(
      names.map((name) => {
        const order = name === "sqlite_sequence" ? "name" : "rowid";
        return [name, db.prepare(`SELECT * FROM ${name} ORDER BY ${order}`).raw().all()];
      }),
    );
  } finally {
    db.close();
  }
}
