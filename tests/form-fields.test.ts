/** A field of a form is stored, reported, exported and shown to the person without further code. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { requestForms } from "../app/forms/all-forms.ts";
import type { contact } from "../app/forms/contact.ts";
import { columnOf, type Form, hasFiles } from "../app/forms/form.ts";
import { sampleUpload } from "../app/forms/samples.ts";
import type { TextField } from "../app/forms/text-fields.ts";
import { once } from "../app/server/system/once.ts";
import type { ColumnsFor, ColumnsOf } from "../db/operations/submit-request.ts";
import { contactRequests, inbox } from "../db/schema.ts";
import { wholeFile } from "./support/at-end.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { parseCsv } from "./support/csv.ts";
import { referenceIn } from "./support/forms.ts";
import { succeeded } from "./support/output-of.ts";
import { runCommand, startServer } from "./support/server.ts";

runCommandsHere();

interface WithFurtherField extends Omit<typeof contact, "fields"> {
  fields: (typeof contact)["fields"] & { furtherField: TextField };
}

// Checked by tsc, not by a run: a field without a column does not compile.
contactRequests satisfies ColumnsFor<"contact">;
// @ts-expect-error The table has no column for the further field.
contactRequests satisfies ColumnsOf<WithFurtherField>;
// @ts-expect-error The view has no column for the further field.
inbox satisfies ColumnsOf<WithFurtherField>;

const address = "fields@school.example";

/** A text that names its form and field. */
const markOf = ({ name }: Form, field: string, { type }: TextField) =>
  type === "email" ? address : `The ${field} of ${name}`;

/** A server with a request of each form; where the marks of its fields are, by reference. */
const marked = once(async () => {
  const server = await startServer(wholeFile);
  const requests: { form: Form; reference: string; marks: Record<string, string> }[] = [];
  for (const form of requestForms) {
    const body = sampleUpload(form, new Date());
    const fields = Object.entries(form.fields).map(
      ([field, about]) => [field, markOf(form, field, about)] as const,
    );
    for (const [field, mark] of fields) body.set(field, mark);
    const response = await fetch(server.url + form.endpoint, { method: "POST", body });
    const reference = await referenceIn(response);
    requests.push({ form, reference, marks: Object.fromEntries(fields) });
  }
  const run = async (...args: string[]) => (await succeeded(runCommand(server.folder, args))).out;
  return { server, requests, run };
});

interface WithReference {
  reference: string;
}

/** Asserts that each field of each request is in a column of its row. */
async function assertInRows(rows: (WithReference & Record<string, unknown>)[]): Promise<void> {
  for (const { form, reference, marks } of (await marked()).requests) {
    const row = rows.find((one) => one.reference === reference)!;
    for (const [field, mark] of Object.entries(marks))
      assert.equal(row[columnOf(form, field)], mark, `${form.name}: ${field}`);
  }
}

test("each field of each form is exported as JSON, with the files", async () => {
  const { requests, run } = await marked();
  const rows = JSON.parse(await run("requests", "export", "--format", "json"));
  await assertInRows(rows);
  for (const { form, reference } of requests) {
    const { files } = rows.find((one: WithReference) => one.reference === reference);
    assert.equal(files.length > 0, hasFiles(form), form.name);
  }
});

test("each field of each form is exported as CSV", async () => {
  const { run } = await marked();
  const rows = parseCsv(await run("requests", "export", "--format", "csv"));
  await assertInRows(rows as (WithReference & Record<string, string>)[]);
});

/** The rows about the person, of the data that the person gets. */
const personRows = once(async () => {
  const { server, run } = await marked();
  await run("subject", "export", address, "--out", "person");
  const file = path.join(server.folder, "person/subject.json");
  const person = JSON.parse(readFileSync(file, "utf8"));
  return [...person.contact_requests, ...person.rubric_requests] as WithReference[];
});

const places: [where: string, textOf: (reference: string) => Promise<string>][] = [
  [
    "shown by its reference",
    async (reference) => (await marked()).run("requests", "show", reference),
  ],
  [
    "emailed to the team",
    async (reference) => {
      const { query } = (await marked()).server;
      return (
        await query<{ body: string }>(`SELECT body FROM outbox WHERE reference = '${reference}'`)
      )[0]!.body;
    },
  ],
  [
    "exported to the person",
    async (reference) =>
      JSON.stringify((await personRows()).find((row) => row.reference === reference)),
  ],
];
for (const [where, textOf] of places) {
  test(`each field of each form is ${where}`, async () => {
    for (const { form, reference, marks } of (await marked()).requests) {
      const text = await textOf(reference);
      for (const [field, mark] of Object.entries(marks))
        assert.ok(text.includes(mark), `${form.name}: ${field}`);
    }
  });
}
