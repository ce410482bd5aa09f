import assert from "node:assert/strict";
import { column } from "./columns.ts";
import { contactTyped, postJson, postMultipart, rubricForm, rubricTyped } from "./forms.ts";
import { runCommand, type Server } from "./server.ts";
import { contact, threeFiles, txt, uploaded } from "./upload.ts";

export const address = "Zanele.Mark@School.example";
/** Texts that must be gone after the erasure: parts of the address, name, phone number, message and files. */
export const secrets = [
  "zanele.mark@school",
  "Zanele Markx",
  "+27 31 555 4711",
  "Grade 11 zebra",
  "zigzag",
];

const files = () => [
  ...threeFiles(),
  {
    field: "submissionFiles" as const,
    name: "zigzag.txt",
    bytes: txt("A zigzag answer. ".repeat(90)),
  },
  {
    field: "submissionFiles" as const,
    name: "zigzag-long.txt",
    bytes: txt("A long zigzag answer. ".repeat(9000)),
  },
];

/** Stores requests of two people on a server; the first has sent every form but the demo request. */
export async function storeTwoPeople(server: Server) {
  const { url } = server;
  const zanele = { email: address, name: "Zanele Markx", phone: "+27 31 555 4711" };
  const sentFiles = files();
  const typed = { ...contact, ...zanele, message: "Grade 11 zebra studies" };
  const reference = await uploaded({ url }, sentFiles, typed);
  const { name: _, ...rubricZanele } = { ...rubricTyped, ...zanele, fullName: zanele.name };
  assert.equal(
    (await postMultipart(url, "/latest-feature", rubricForm(undefined, rubricZanele))).status,
    303,
  );
  const lower = { ...contactTyped, ...zanele, email: address.toLowerCase() };
  assert.equal((await postJson(url, "/api/contact", lower)).status, 201);
  assert.equal((await postJson(url, "/api/subscription", { email: address })).status, 201);
  assert.equal((await postJson(url, "/api/contact", contactTyped)).status, 201);
  const run = (...args: string[]) => runCommand(server.folder, ["subject", ...args]);
  return { run, sentFiles, reference };
}

/** Asserts that what is stored, in lower case, says nothing of the first person, and that the other one's request stays. */
export async function assertErased(server: Pick<Server, "query">, stored: string) {
  for (const secret of secrets) assert.ok(!stored.includes(secret.toLowerCase()), secret);
  assert.deepEqual(
    column(await server.query("SELECT email FROM inbox"), "email"),
    [contactTyped.email],
    "other people's requests stay",
  );
}
