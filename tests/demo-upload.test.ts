import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { once } from "../app/server/system/once.ts";
import { emptyServer, type Server, sharedServer } from "./support/server.ts";
import { assertFilesStored } from "./support/stored-files.ts";
import {
  contact,
  largeFiles,
  maxFileBytes,
  pdf,
  threeFiles,
  txt,
  type UploadedFile,
  uploadByApi,
  uploadByPage,
  uploaded,
  uploadForm,
} from "./support/upload.ts";

/** Asserts that a server has stored nothing of an upload. */
const assertNothingStored = async (server: Server) => {
  for (const table of ["contact_requests", "uploaded_files", "uploaded_file_bytes", "outbox"]) {
    assert.equal((await server.query(`SELECT 1 FROM ${table}`)).length, 0, table);
  }
};

test("an upload is thanked for with its reference, and stores the request and an email about it", async () => {
  const server = await emptyServer();
  const response = await uploadByApi(server.url, uploadForm());
  assert.equal(response.status, 201);
  const { message, id, reference } = (await response.json()) as Record<string, string>;
  assert.match(message!, /within 24 hours/);
  const [request] = await server.query("SELECT * FROM contact_requests");
  const { created_at: _, fingerprint: __, ...stored } = request!;
  assert.deepEqual(stored, {
    id,
    ...contact,
    request_type: "demo",
    form: "demo-upload",
    reference,
    spam: null,
    is_test: 0,
    confirmed_at: null,
    notice_version: null,
  });
  const emails = await server.query("SELECT contact_request_id, reference FROM outbox");
  assert.deepEqual(emails, [{ contact_request_id: id, reference }]);
});

test("an upload stores an assessment, which names the files", async () => {
  const server = await emptyServer();
  await uploaded(server);
  const [request] = await server.query("SELECT id FROM contact_requests");
  const [upload] = await server.query("SELECT * FROM assessment_submissions");
  const files = await server.query("SELECT id, name FROM uploaded_files");
  const idOf = Object.fromEntries(files.map(({ id, name }) => [name, id]));
  const { id: _, created_at: __, ...stored } = upload!;
  assert.deepEqual(stored, {
    contact_id: request!.id,
    status: "submitted",
    questions_file_name: "questions.pdf",
    questions_file_data: idOf["questions.pdf"],
    rubric_file_name: "rubric.txt",
    rubric_file_data: idOf["rubric.txt"],
    submission_file_count: 1,
    submission_file_names: '["learner-01.pdf"]',
    submission_files_data: `[${idOf["learner-01.pdf"]}]`,
  });
  const assessments = await server.query(
    "SELECT status, assessment_submission_id AS upload FROM assessments",
  );
  assert.deepEqual(assessments, [{ status: "submitted", upload: upload!.id }]);
});

/** A server with an upload of 52 files of exactly 2 MiB. */
const largestUpload = once(async () => {
  const server = await emptyServer();
  const files: UploadedFile[] = [
    { field: "questionsFile", name: "questions.pdf", bytes: pdf(maxFileBytes) },
    { field: "rubricFile", name: "rubric.pdf", bytes: pdf(maxFileBytes) },
    ...largeFiles(50),
  ];
  await uploaded(server, files);
  return { server, files };
});

test("52 files of exactly 2 MiB arrive byte for byte in one request", async () => {
  const { server, files } = await largestUpload();
  await assertFilesStored(server, files);
});

test("an upload does not let the WAL grow to its size", async (t) => {
  const { databaseUrl, databaseFile } = (await largestUpload()).server;
  if (databaseUrl) return t.skip("PostgreSQL has no such file");
  const stored = statSync(databaseFile).size;
  assert.ok(stored > 50 * maxFileBytes, `${stored} bytes are stored`);
  const wal = statSync(`${databaseFile}-wal`).size;
  assert.ok(wal < 64 * 1024 * 1024, `${wal} bytes are in the WAL`);
});

const wrongType = "Invalid file type: Please upload PDF, DOC, DOCX, or TXT files only.";
const tooLarge = "File size too large: learner-01.pdf";

/** What an invalid file is, how it differs from a valid one, and the error that names it. */
const rejections: [what: string, file: Partial<UploadedFile>, error: string][] = [
  ["a file one byte too large", { bytes: pdf(maxFileBytes + 1) }, tooLarge],
  ["a file far too large", { bytes: pdf(9 * maxFileBytes) }, tooLarge],
  ["a file of another type", { name: "essay.odt" }, `essay.odt: ${wrongType}`],
  ["a name that is only an ending", { name: ".pdf" }, `.pdf: ${wrongType}`],
  [
    "a class list of a spreadsheet",
    { name: "list.csv" },
    `list.csv: ${wrongType} A class list is taken as PDF or TXT.`,
  ],
  ["an empty file", { bytes: txt("") }, "learner-01.pdf: The file is empty"],
  [
    "a text with the extension .pdf",
    { bytes: txt("no PDF at all") },
    "learner-01.pdf: This is not a PDF file, although its name ends in .pdf",
  ],
  [
    "a PDF with the extension .txt",
    { name: "learner.txt" },
    "learner.txt: This is not a TXT file, although its name ends in .txt",
  ],
  ...[
    ["a control character", "essay\u001b[2J.pdf", "essay�[2J.pdf"],
    ["a character that Unicode reserves", "essay\uFFFE.pdf", "essay�.pdf"],
    ["what was no UTF-8 before", "Andr\uFFFD.pdf", "Andr�.pdf"],
  ].map(([what, name, shown]): (typeof rejections)[number] => [
    `a name with ${what}`,
    { name },
    `${shown}: The name contains characters that cannot be read`,
  ]),
];

/** The only error of an upload whose submission differs from a valid one. */
async function errorOf(what: string, file: Partial<UploadedFile>): Promise<string> {
  const [questions, rubric, submission] = threeFiles();
  const form = uploadForm([questions, rubric, { ...submission, ...file }]);
  const response = await uploadByApi((await sharedServer()).url, form);
  assert.equal(response.status, 422, what);
  const body = (await response.json()) as { code: string; fields: Record<string, string[]> };
  assert.equal(body.code, "invalid_files", what);
  assert.deepEqual(Object.keys(body.fields), ["submissionFiles"], what);
  return body.fields.submissionFiles!.join();
}

test("the error of an invalid file names the file", async () => {
  const server = await emptyServer();
  for (const [what, file, error] of rejections) assert.equal(await errorOf(what, file), error);
  await assertNothingStored(server);
});

test("every invalid file is named, also after a large one", async () => {
  const server = await emptyServer();
  const files: UploadedFile[] = [
    ...threeFiles(),
    { field: "submissionFiles", name: "scan.pdf", bytes: pdf(3 * maxFileBytes) },
    { field: "submissionFiles", name: "essay.odt", bytes: txt("x") },
    { field: "submissionFiles", name: "photo.pdf", bytes: pdf(maxFileBytes + 70_000) },
    { field: "submissionFiles", name: "last.txt", bytes: txt("fine") },
  ];
  const response = await uploadByApi(server.url, uploadForm(files));
  const { fields } = (await response.json()) as { fields: Record<string, string[]> };
  assert.deepEqual(fields.submissionFiles, [
    "File size too large: scan.pdf",
    "essay.odt: Invalid file type: Please upload PDF, DOC, DOCX, or TXT files only.",
    "File size too large: photo.pdf",
  ]);
  await assertNothingStored(server);
});

test("51 submissions are one too many", async () => {
  const server = await emptyServer();
  const files = threeFiles();
  for (let index = 0; index < 50; index += 1) {
    files.push({ field: "submissionFiles", name: `more-${index}.txt`, bytes: txt(`${index}`) });
  }
  const response = await uploadByApi(server.url, uploadForm(files));
  assert.equal(response.status, 422);
  const { fields } = (await response.json()) as { fields: Record<string, string[]> };
  assert.deepEqual(fields, { submissionFiles: ["Please choose at most 50 files"] });
  await assertNothingStored(server);
});

test("missing files and every missing field are named at once", async () => {
  const server = await emptyServer();
  const response = await uploadByApi(server.url, uploadForm([], {}));
  assert.equal(response.status, 422);
  assert.deepEqual(await response.json(), {
    error: "Missing files - Please upload all required files before processing",
    code: "missing_files",
    fields: {
      questionsFile: ["Please choose the questions file"],
      rubricFile: ["Please choose the rubric file"],
      submissionFiles: ["Please choose at least one submission"],
      name: ["Name is required"],
      email: ["Please enter a valid email address"],
      phone: ["Contact number is required"],
      message: ["Please provide more details about your interest in the product"],
    },
  });
  await assertNothingStored(server);
});

test("a file is stored under its name without folders, with the media type of its extension", async () => {
  const server = await emptyServer();
  const files = threeFiles();
  files[0]!.name = "Term 1\\2 Questions.PDF";
  files[1]!.name = "C:\\fakepath\\rubric.txt";
  files[2]!.name = '../../etc/essay "one".pdf';
  const response = await uploadByApi(server.url, uploadForm(files));
  assert.equal(response.status, 201);
  assert.deepEqual(await server.query("SELECT name, media_type FROM uploaded_files ORDER BY id"), [
    { name: "Term 1_2 Questions.PDF", media_type: "application/pdf" },
    { name: "rubric.txt", media_type: "text/plain" },
    { name: 'essay "one".pdf', media_type: "application/pdf" },
  ]);
});

test("a form that is far too large in total is rejected with 413", async () => {
  const server = await emptyServer();
  const form = uploadForm();
  const filler = new Uint8Array(8 * maxFileBytes);
  for (let index = 0; index < 8; index += 1) {
    form.append("submissionFiles", new File([filler], `${index}.pdf`));
  }
  const response = await uploadByApi(server.url, form);
  assert.equal(response.status, 413);
  assert.equal(((await response.json()) as { code: string }).code, "too_large");
  await assertNothingStored(server);
});

/** The page that a plain form post leads to. */
const receiptPage = once(async () => {
  const { url } = await sharedServer();
  const response = await uploadByPage(url, uploadForm());
  assert.equal(response.status, 303);
  const location = response.headers.get("Location")!;
  assert.match(location, /^\/\?received=[2-9A-HJ-NP-Z-]{14}#demo$/);
  const page = await fetch(url + location);
  assert.equal(page.status, 200);
  return { headers: page.headers, html: await page.text() };
});

test("a plain form post leads to thanks that name the files, and nothing about the sender", async () => {
  const { html } = await receiptPage();
  for (const text of ["Thank you", "learner-01.pdf", "within 24 hours"])
    assert.ok(html.includes(text), text);
  for (const text of Object.values(contact)) assert.ok(!html.includes(text), text);
});

test("a receipt page is neither cached nor indexed", async () => {
  const { headers, html } = await receiptPage();
  assert.equal(headers.get("Cache-Control"), "no-store");
  assert.equal(headers.get("X-Robots-Tag"), "noindex");
  assert.match(html, /<meta name="robots" content="noindex"/);
});

test("a receipt shows the names of files for 24 hours, then how many files there were", async () => {
  const server = await emptyServer();
  const reference = await uploaded(server);
  const day = 24 * 60 * 60 * 1000;
  const receiptAfter = async (ms: number) => {
    const received = new Date(Date.now() - ms).toISOString();
    await server.change(`UPDATE contact_requests SET created_at = '${received}'`);
    return (await fetch(`${server.url}/?received=${reference}`)).text();
  };
  assert.match(await receiptAfter(day - 60_000), /learner-01\.pdf/);
  const later = await receiptAfter(day + 1000);
  assert.doesNotMatch(later, /learner-01\.pdf/);
  assert.match(later, /We received (<!-- -->)?3(<!-- -->)? files/);
});

test("a plain form post with errors returns the page with the errors first, and everything typed and chosen", async () => {
  const server = await emptyServer();
  const typed = { ...contact, email: "not an address", name: '<Thandi & "Co">' };
  const response = await uploadByPage(server.url, uploadForm([threeFiles()[0]!], typed));
  assert.equal(response.status, 422);
  assert.equal(response.headers.get("Cache-Control"), "no-store");
  const html = await response.text();
  assert.match(html, /<title>Error: /);
  const main = html.slice(html.indexOf("<main"));
  assert.match(main, /^<main[^>]*><div class="page"[^>]*><div class="problem-summary sheet"/);
  for (const text of [
    'href="#email">Please enter a valid email address<',
    'href="#rubricFile">Please choose the rubric file<',
    'id="email-error"><p>Please enter a valid email address<',
    'value="&lt;Thandi &amp; &quot;Co&quot;&gt;"',
    'value="not an address"',
    contact.phone,
    contact.institution,
    contact.message,
    "questions.pdf",
    "please choose only the others again",
  ]) {
    assert.ok(main.includes(text), text);
  }
  assert.equal((await server.query("SELECT 1 FROM contact_requests")).length, 0);
});
