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
import type { ColumnsFor, ColumnsOf } from "../db/operations/submit-request.ts";
import { contactRequests, inbox } from "../db/schema.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { parseCsv } from "./support/csv.ts";
import { referenceIn } from "./support/forms.ts";
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

test("each field of each form is stored, emailed to the team, shown and exported", async (t) => {
  const server = await startServer(t);
  const marks = new Map<string, [form: Form, field: string, mark: string][]>();
  for (const form of requestForms) {
    const body = sampleUpload(form, new Date());
    const marked = Object.entries(form.fields).map(
      ([field, about]) => [form, field, markOf(form, field, about)] as [Form, string, string],
    );
    for (const [, field, mark] of marked) body.set(field, mark);
    const response = await fetch(server.url + form.endpoint, { method: "POST", body });
    marks.set(await referenceIn(response), marked);
  }
  const run = async (...args: string[]) => {
    const { code, out, err } = await runCommand(server.folder, args);
    assert.equal(code, 0, err);
    return out;
  };
  const json = JSON.parse(await run("requests", "export", "--format", "json"));
  const csv = parseCsv(await run("requests", "export", "--format", "csv"));
  await run("subject", "export", address, "--out", "person");
  const folder = path.join(server.folder, "person");
  const person = JSON.parse(readFileSync(path.join(folder, "subject.json"), "utf8"));
  const rows = [...person.contact_requests, ...person.rubric_requests];
  const emails = await server.query<{ reference: string; body: string }>(
    "SELECT reference, body FROM outbox",
  );
  for (const [reference, marked] of marks) {
    const isThis = (one: { reference?: string }) => one.reference === reference;
    const shown = await run("requests", "show", reference);
    for (const [form, field, mark] of marked) {
      const column = columnOf(form, field);
      assert.ok(Object.values(rows.find(isThis)).includes(mark), `${field}: row`);
      assert.ok(emails.find(isThis)!.body.includes(mark), `${field}: email`);
      assert.equal(json.find(isThis)[column], mark);
      assert.equal(csv.find(isThis)![column], mark);
      assert.ok(shown.includes(mark), `${field}: show`);
    }
    const [form] = marked[0]!;
    assert.equal(json.find(isThis).files.length > 0, hasFiles(form));
  }
});
