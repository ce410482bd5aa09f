import assert from "node:assert/strict";
import { test } from "node:test";
import { columns } from "./support/columns.ts";
import { draftToken } from "./support/drafts.ts";
import { formsIn, wordsOf } from "./support/html-forms.ts";
import { emptyServer, query, runCommand, sharedServer, startServer } from "./support/server.ts";
import { contact, threeFiles, uploadByApi, uploadByPage, uploadForm } from "./support/upload.ts";

const version = "2026-11-23";

const confirmed = (typed: Record<string, string> = contact, noticeVersion = version) =>
  uploadForm(threeFiles(), { ...typed, mayShare: noticeVersion });

test("the confirmation that the work may be shared is stored and shown with the version of its notice", async () => {
  const { url, folder, databaseFile } = await emptyServer();
  for (const form of [confirmed(), uploadForm(), confirmed(contact, "on")]) {
    assert.equal((await uploadByApi(url, form)).status, 201);
  }
  const rows = query(
    databaseFile,
    "SELECT reference, received_at, confirmed_at, notice_version FROM inbox ORDER BY received_at",
  );
  assert.deepEqual(
    columns(rows, "confirmed_at", "notice_version"),
    [
      [rows[0]!.received_at, version],
      [null, null],
      [null, null],
    ],
    "an unknown version counts as none",
  );
  const [first, second] = await Promise.all(
    rows.map(({ reference }) => runCommand(folder, ["requests", "show", String(reference)])),
  );
  assert.match(first!.out, /^Confirmed: +[-\d]+ [:\d]+ [+-][:\d]+, notice of 2026-11-23$/m);
  assert.match(second!.out, /^Confirmed: +no$/m);
});

const boxIn = (html: string) => /<input id="mayShare"[^>]*>/.exec(html)![0];

test("the checkbox of a new form is to be ticked by the visitor", async () => {
  const { url } = await sharedServer();
  const html = await (await fetch(url)).text();
  assert.match(boxIn(html), new RegExp(`value="${version}"`));
  assert.match(boxIn(html), /required=""/);
  assert.doesNotMatch(boxIn(html), /checked/);
  assert.match(html, /I may share this work: my school or institution allows it\./);
});

test("the checkbox that a visitor has ticked stays ticked when the form comes back", async () => {
  const { url, databaseFile } = await emptyServer();
  const rejected = await uploadByPage(url, confirmed({ ...contact, email: "wrong" }));
  assert.equal(rejected.status, 422);
  const html = await rejected.text();
  assert.match(boxIn(html), /checked=""/);
  const again = uploadForm([], { ...contact, mayShare: version, draft: draftToken(html) });
  assert.equal((await uploadByPage(url, again)).status, 303);
  const stored = query(databaseFile, "SELECT notice_version FROM inbox");
  assert.deepEqual(stored, [{ notice_version: version }]);
});

test("a form without the tick comes back with its files and texts", async () => {
  const { url, databaseFile } = await emptyServer();
  const [shown] = formsIn(await (await fetch(url)).text()).filter(({ html }) =>
    html.includes("mayShare"),
  );
  const { requestType: _, ...hidden } = shown!.fields;
  const rejected = await uploadByPage(url, uploadForm(threeFiles(), { ...hidden, ...contact }));
  assert.equal(rejected.status, 422);
  const html = await rejected.text();
  assert.match(html, /<a [^>]*href="#mayShare">Please confirm that you may share this work<\/a>/);
  assert.match(html, /<input id="mayShare"[^>]*aria-invalid="true"/);
  for (const text of Object.values(contact)) assert.ok(html.includes(text), text);
  const token = draftToken(html);
  const typed = { ...hidden, ...contact, mayShare: version, draft: token };
  assert.equal((await uploadByPage(url, uploadForm([], typed))).status, 303);
  const rows = query(databaseFile, "SELECT notice_version, files FROM inbox");
  assert.deepEqual(rows, [{ notice_version: version, files: 3 }]);
});

test("the version of a page that was open before the wording changed is stored as it was shown", async () => {
  const { url, databaseFile } = await emptyServer();
  assert.equal((await uploadByApi(url, confirmed(contact, "2026-11-21"))).status, 201);
  assert.deepEqual(query(databaseFile, "SELECT notice_version FROM inbox"), [
    { notice_version: "2026-11-21" },
  ]);
});

test("a receipt links to the terms and the privacy policy", async () => {
  const { url } = await sharedServer();
  const sent = await uploadByPage(url, uploadForm());
  const receipt = await (await fetch(new URL(sent.headers.get("Location")!, url))).text();
  const panel = /<div class="thank-you[ "].*?<p class="no-print">/s.exec(receipt)![0];
  assert.match(panel, /href="\/terms-conditions"/);
  assert.match(panel, /href="\/privacy-policy"/);
});

test("a receipt promises the link to the marks for no more days than the request is kept", async (t) => {
  const { url } = await startServer(t, { env: { RUBRICON_RETENTION_DAYS: "7" } });
  const sent = await uploadByPage(url, uploadForm());
  const receipt = await (await fetch(new URL(sent.headers.get("Location")!, url))).text();
  assert.match(receipt, />at most 7 days from our email with it, until midnight</);
});

const typedNotice =
  "Rubricon keeps what you type here to answer you, and deletes it after 90 days. It may be received by our team";
const filesNotice = (purpose: string) =>
  `Rubricon keeps these files and your details to ${purpose} and to answer you, and deletes both after 90 days. They may be `;

test("each form has a notice: who stores what, why, how long and who receives it, with links to the policies", async () => {
  const { url } = await sharedServer();
  for (const [page, ...notices] of [
    ["/", filesNotice("mark the files"), typedNotice],
    ["/contact", typedNotice],
    ["/demo", typedNotice],
    ["/latest-feature", filesNotice("work on your rubric")],
    ["/blog", "Rubricon keeps your address until you ask us to delete it."],
  ] as const) {
    const forms = formsIn(await (await fetch(url + page)).text());
    assert.equal(forms.length, notices.length, page);
    for (const [index, { html }] of forms.entries()) {
      const words = wordsOf(html);
      assert.ok(words.includes(notices[index]!), `${page}: ${words}`);
      assert.match(html, /href="\/privacy-policy"/, page);
      assert.match(html, /you accept our(<!-- -->|\s)*<a href="\/terms-conditions"/, page);
    }
  }
});
