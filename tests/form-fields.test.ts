/** A field of a form is stored, reported, exported and shown to the person without further code. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { requestForms } from "../app/forms/all-forms.ts";
import type { contact } from "../app/forms/contact.ts";
import { columnOf, type Form } from "../app/forms/form.ts";
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
const labelOf = ({ name }: Form, field: string, { type }: TextField) =>
  type === "email" ? address : `The ${field} of ${name}`;

/** A server with a request of each form, whose fields have labels. */
const labelled = once(async () => {
  const server = await startServer(wholeFile);
  const requests: { form: Form; reference: string; labels: [field: string, label: string][] }[] =
    [];
  for (const form of requestForms) {
    const body = sampleUpload(form, new Date());
    const labels = Object.entries(form.fields).map(([field, about]): [string, string] => [
      field,
      labelOf(form, field, about),
    ]);
    for (const [field, label] of labels) body.set(field, label);
    const response = await fetch(server.url + form.endpoint, { method: "POST", body });
    requests.push({ form, reference: await referenceIn(response), labels });
  }
  const run = async (...args: string[]) => (await succeeded(runCommand(server.folder, args))).out;
  return { server, requests, run };
});

for (const format of ["json", "csv"]) {
  test(`each field of each form is exported as ${format} in its column`, async () => {
    const { requests, run } = await labelled();
    const text = await run("requests", "export", "--format", format);
    const rows = format === "json" ? JSON.parse(text) : parseCsv(text);
    for (const { form, reference, labels } of requests) {
      const row = rows.find((one: { reference: string }) => one.reference === reference);
      assert.ok(row, form.name);
      for (const [field, label] of labels) assert.equal(row[columnOf(form, field)], label, field);
    }
  });
}

type Labelled = Awaited<ReturnType<typeof labelled>>;

/** Where labels must be, and the text about a request there. */
const places: [where: string, textIn: (from: Labelled, reference: string) => Promise<string>][] = [
  ["shown", ({ run }, reference) => run("requests", "show", reference)],
  [
    "emailed to the team",
    async ({ server }, reference) => {
      const emails = `SELECT body FROM outbox WHERE reference = '${reference}'`;
      return JSON.stringify(await server.query(emails));
    },
  ],
  [
    "exported to the person",
    async ({ server, run }, reference) => {
      await run("subject", "export", address, "--out", reference);
      const file = path.join(server.folder, reference, "subject.json");
      const tables = JSON.parse(readFileSync(file, "utf8"));
      const requests: { reference: string }[] = tables.contact_requests.concat(
        tables.rubric_requests,
      );
      return JSON.stringify(requests.filter((one) => one.reference === reference));
    },
  ],
];
for (const [where, textIn] of places) {
  test(`each field of each form is ${where}`, async () => {
    const from = await labelled();
    for (const { form, reference, labels } of from.requests) {
      const text = await textIn(from, reference);
      for (const [field, label] of labels)
        assert.ok(text.includes(label), `${form.name}: ${field}`);
    }
  });
}
