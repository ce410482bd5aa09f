import assert from "node:assert/strict";
import { test } from "node:test";
import {
  contactTyped,
  demoTyped,
  postForm,
  postJson,
  postMultipart,
  rubricForm,
  rubricTyped,
} from "./support/forms.ts";
import { startMailServer } from "./support/mail-server.ts";
import { sendRaw } from "./support/raw-http.ts";
import { newFolder, runCommand, startServer, until } from "./support/server.ts";

const referencePattern = /^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){2}$/;

interface Received {
  message: string;
  id: number;
  reference: string;
}

const contactMissing = {
  required: {
    name: "Name is required",
    email: "Please enter a valid email address",
    phone: "Contact number is required",
    message: "Message is required",
  },
  missing: "Missing fields - Please fill in all required fields",
};

/** The forms without files, with valid texts and the error message of each required field. */
const forms: {
  name: string;
  path: string;
  endpoint: string;
  idPrefix: string;
  typed: Record<string, string>;
  required: Record<string, string>;
  /** Heading of the error summary if a required text is missing. */
  missing?: string;
}[] = [
  {
    name: "contact",
    path: "/contact",
    endpoint: "/api/contact",
    idPrefix: "contact-",
    typed: contactTyped,
    ...contactMissing,
  },
  {
    name: "contact on home",
    path: "/?index",
    endpoint: "/api/contact",
    idPrefix: "contact-",
    typed: { intent: "contact", ...contactTyped },
    ...contactMissing,
  },
  {
    name: "demo request",
    path: "/demo",
    endpoint: "/api/demo-request",
    idPrefix: "",
    typed: demoTyped,
    required: {
      fullName: "Full name is required",
      email: "Please enter a valid email address",
      phone: "Contact number is required",
      message: "Message is required",
    },
  },
  {
    name: "subscription",
    path: "/blog",
    endpoint: "/api/subscription",
    idPrefix: "",
    typed: { email: "thandi@school.example" },
    required: { email: "Please enter a valid email address" },
  },
];

const escaped = (text: string) => text.replaceAll("'", "&#x27;");

test("each form, each rule: 422, the error in the summary and at the field, the title, and everything typed", async (t) => {
  const server = await startServer(t);
  for (const { name, path, idPrefix, typed, required, missing } of forms) {
    for (const [field, words] of Object.entries(required)) {
      for (const wrong of field === "email"
        ? ["", "   ", "thandi@", "a b@c.example"]
        : ["", "  "]) {
        const response = await postForm(server.url, path, { ...typed, [field]: wrong });
        const html = await response.text();
        const label = `${name} ${field} "${wrong}"`;
        assert.equal(response.status, 422, label);
        assert.equal(response.headers.get("Cache-Control"), "no-store", label);
        assert.match(html, /<title>Error: /, label);
        const heading = wrong.trim() === "" ? (missing ?? words) : words;
        assert.ok(html.includes(`<h2>${escaped(heading)}</h2>`), `${label}: ${heading}`);
        assert.ok(html.includes(`<a href="#${idPrefix}${field}">${escaped(words)}</a>`), label);
        assert.ok(
          html.includes(`id="${idPrefix}${field}-error"><p>${escaped(words)}</p>`),
          `${label}: inline`,
        );
        for (const [other, text] of Object.entries(typed)) {
          if (other !== field) assert.ok(html.includes(text), `${label}: ${other} is still there`);
        }
      }
    }
  }
  assert.equal((await server.query("SELECT * FROM inbox")).length, 0);
  assert.equal((await server.query("SELECT * FROM subscriptions")).length, 0);
});

test("typed text comes back escaped, whatever it contains", async (t) => {
  const server = await startServer(t);
  const hostile = `"'></textarea></script><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}`;
  const assertEscaped = (html: string, name: string) => {
    assert.ok(html.includes("&lt;script&gt;alert(1)&lt;/script&gt;"), `${name}: it is shown`);
    assert.doesNotMatch(html, /<script>alert|<img src=x|<\/textarea><\/script>|"'>/, name);
  };
  for (const { name, path, typed } of forms) {
    const wrong = Object.keys(typed).map((field) => [
      field,
      field === "intent" ? typed.intent! : hostile,
    ]);
    const response = await postForm(server.url, path, Object.fromEntries(wrong));
    assert.equal(response.status, 422, name);
    assertEscaped(await response.text(), name);
  }
  const found = await fetch(`${server.url}/blog?q=${encodeURIComponent(hostile)}`);
  assertEscaped(await found.text(), "search");
  const upload = rubricForm(
    {},
    Object.fromEntries(Object.keys(rubricTyped).map((f) => [f, hostile])),
  );
  upload.append("gradingRubric", new File(["x"], "<script>alert(1)<\\script>.odt"));
  const page = await postMultipart(server.url, "/latest-feature", upload);
  assert.equal(page.status, 422);
  assertEscaped(await page.text(), "upload");
});

test("unknown fields are not stored, and of two values for one field the last counts", async (t) => {
  const server = await startServer(t);
  const own = { id: "4711", reference: "AAAA-AAAA-AAAA", form: "demo-upload", spam: "no" };
  const more = { ...own, fingerprint: "x", is_test: "1", isTest: "1", created_at: "2020-01-01" };
  assert.equal(
    (await postJson(server.url, "/api/contact", { ...contactTyped, ...more })).status,
    201,
  );
  const typed = new URLSearchParams({ ...contactTyped, ...more });
  typed.append("name", "Second Example");
  const page = await fetch(`${server.url}/contact?name=Third&email=x`, {
    method: "POST",
    body: typed,
    redirect: "manual",
  });
  assert.equal(page.status, 303);
  const body = JSON.stringify(contactTyped).replace("{", '{"name":"First","name":"Fourth",');
  const twice = await fetch(`${server.url}/api/contact`, {
    method: "POST",
    body: body.replace(/,"name":"Thandi Example"/, ""),
    headers: { "Content-Type": "application/json" },
  });
  assert.equal(twice.status, 201);
  const rows = await server.query("SELECT * FROM contact_requests ORDER BY id");
  assert.deepEqual(
    rows.map(({ id, name, email, form, spam, is_test }) => [id, name, email, form, spam, is_test]),
    ["Thandi Example", "Second Example", "Fourth"].map((name, index) => [
      index + 1,
      name,
      contactTyped.email,
      "contact",
      null,
      0,
    ]),
  );
  for (const { reference, fingerprint, created_at } of rows) {
    assert.match(reference as string, referencePattern);
    assert.notEqual(reference, own.reference);
    assert.notEqual(fingerprint, more.fingerprint);
    assert.ok((created_at as string) > "2026");
  }
});

test("each form's page leads to a receipt that stands alone and that a reload shows again, and a wrong reference does not", async (t) => {
  const server = await startServer(t);
  for (const { name, path, typed } of forms) {
    const response = await postForm(server.url, path, typed);
    assert.equal(response.status, 303, name);
    const address = new URL(response.headers.get("Location")!, server.url);
    for (const _ of [1, 2]) {
      const page = await fetch(address);
      assert.equal(page.status, 200);
      assert.equal(page.headers.get("Cache-Control"), "no-store");
      const html = await page.text();
      assert.match(html, /<title>Received: /);
      assert.ok(html.includes(address.searchParams.get("received")!), name);
      assert.ok(!html.includes(typed.email!), "no typed text on a receipt");
      const main = /<main.*<\/main>/s.exec(html)![0];
      assert.equal(main.match(/<section/g)!.length, 1, `${name}: nothing but the receipt`);
      assert.doesNotMatch(main, /<form/, name);
      assert.match(main, /href="mailto:hello@rubricon\.example"/, name);
    }
    address.searchParams.set("received", "AAAA-AAAA-AAAA");
    assert.equal((await fetch(address)).status, 404);
  }
});

test("the API endpoints respond with 201, message, id and reference, and store the request", async (t) => {
  const server = await startServer(t);
  const post = async (path: string, body: unknown) => {
    const response = await postJson(server.url, path, body);
    assert.equal(response.status, 201, await response.clone().text());
    const { message, id, reference } = (await response.json()) as Received;
    assert.match(reference, referencePattern);
    assert.equal(typeof message, "string");
    return { id, reference };
  };
  const plain = await post("/api/contact", contactTyped);
  const home = await post("/api/contact", { ...contactTyped, requestType: "demo" });
  const general = await post("/api/contact", { ...contactTyped, requestType: "general" });
  const demo = await post("/api/demo-request", { ...demoTyped, institution: null });
  const { fullName, ...others } = demoTyped;
  const row = (form: string, request_type: string, more = {}) => ({
    ...contactTyped,
    form,
    request_type,
    ...more,
  });
  assert.deepEqual(
    await server.query(
      "SELECT name, email, phone, institution, message, form, request_type FROM contact_requests ORDER BY id",
    ),
    [
      row("contact", "contact"),
      row("contact", "demo"),
      row("contact", "general"),
      { ...others, name: fullName, institution: null, form: "demo-request", request_type: "demo" },
    ],
  );
  assert.deepEqual(await server.query("SELECT id, reference FROM contact_requests ORDER BY id"), [
    plain,
    home,
    general,
    demo,
  ]);
  const unknown = await postJson(server.url, "/api/contact", {
    ...contactTyped,
    requestType: "assessment",
  });
  assert.equal(unknown.status, 422);
  const { fields } = (await unknown.json()) as { fields: Record<string, string[]> };
  assert.deepEqual(Object.keys(fields), ["requestType"]);
});

test("an API body that is no JSON object of strings, or far too large, is rejected with an error", async (t) => {
  const server = await startServer(t);
  const post = (body: BodyInit, type?: string) =>
    fetch(`${server.url}/api/contact`, {
      method: "POST",
      body,
      ...(type && { headers: { "Content-Type": type } }),
    });
  const json = "application/json";
  const cases: [status: number, sent: Promise<Response>][] = [
    [415, post("<name>Thandi</name>", "application/xml")],
    [415, post(JSON.stringify(contactTyped), "text/plain")],
    [415, post(JSON.stringify(contactTyped), "application/json; charset=utf-16")],
    [400, post("{", json)],
    [400, post("", json)],
    [400, post("[]", json)],
    [400, post("null", json)],
    [400, post('"text"', json)],
    [400, post(JSON.stringify({ ...contactTyped, name: 7 }), json)],
    [400, post(JSON.stringify({ ...contactTyped, name: { $ne: "" } }), json)],
    [400, post(new Uint8Array([0x7b, 0xff, 0x7d]), json)],
    [413, post(JSON.stringify({ ...contactTyped, message: "x".repeat(1_100_000) }), json)],
    [413, post(new URLSearchParams(Array.from({ length: 41 }, (_, i) => [`f${i}`, "x"])))],
    [422, post('{"__proto__": {"name": "a"}}'.replace('{"name": "a"}', '"a"'), json)],
    [422, post(JSON.stringify({ ...contactTyped, message: "x".repeat(5001) }), json)],
  ];
  for (const [index, [status, sent]] of cases.entries()) {
    const response = await sent;
    assert.equal(response.status, status, `case ${index}: ${await response.clone().text()}`);
    const { error, code, fields } = (await response.json()) as Record<string, unknown>;
    assert.equal(typeof error, "string");
    assert.equal(typeof code, "string");
    assert.equal(typeof fields, "object");
  }
  for (const path of ["/api/contact", "/api/demo-request", "/api/subscription"]) {
    const response = await fetch(server.url + path);
    assert.equal(response.status, 405);
    assert.equal(response.headers.get("Allow"), "POST");
  }
  assert.equal((await server.query("SELECT * FROM inbox")).length, 0);
});

test("a page's form is accepted as multipart too, but not with files", async (t) => {
  const server = await startServer(t);
  const form = new FormData();
  for (const [name, text] of Object.entries(contactTyped)) form.append(name, text);
  assert.equal((await postMultipart(server.url, "/contact", form)).status, 303);
  form.append("attachment", new File(["x"], "x.txt"));
  assert.equal((await postMultipart(server.url, "/contact", form)).status, 400);
  const rejected = await fetch(`${server.url}/api/contact`, { method: "POST", body: form });
  assert.equal(((await rejected.json()) as { code: string }).code, "unknown_field");
  assert.equal((await server.query("SELECT * FROM inbox")).length, 1);
});

test("the same post within ten minutes is the same request, by page, by API, and two at once", async (t) => {
  const server = await startServer(t);
  const [first, second] = await Promise.all(
    [1, 2].map(async () => (await postJson(server.url, "/api/contact", contactTyped)).json()),
  );
  assert.deepEqual(first, second);
  const page = await postForm(server.url, "/contact", { ...contactTyped, intent: "contact" });
  assert.ok(page.headers.get("Location")!.includes((first as Received).reference));
  assert.equal((await server.query("SELECT * FROM outbox")).length, 1);
  const other = await postJson(server.url, "/api/contact", { ...contactTyped, phone: "1" });
  assert.notEqual(((await other.json()) as Received).reference, (first as Received).reference);

  const rubric = () => postMultipart(server.url, "/api/rubric-regeneration", rubricForm());
  const responses = await Promise.all([rubric(), rubric()]);
  const [one, two] = await Promise.all(responses.map((response) => response.json()));
  assert.deepEqual(one, two);
  assert.equal((await server.query("SELECT * FROM rubric_requests")).length, 1);
  assert.equal((await server.query("SELECT * FROM uploaded_files")).length, 2);
});

test("a rubric request is stored in its own table with its files, the memo only if it was sent", async (t) => {
  const mail = await startMailServer(t);
  const folder = newFolder(t);
  const env = { RUBRICON_MAIL_URL: mail.url, RUBRICON_MAIL_TO: "team@team.example" };
  const server = await startServer(t, { folder, env });
  const files = { assessmentQuestions: "1. Define.", gradingRubric: "2 marks" };
  const without = await postMultipart(server.url, "/latest-feature", rubricForm(files));
  assert.equal(without.status, 303);
  const withMemo = rubricForm(
    { ...files, markingMemo: "the memo" },
    { ...rubricTyped, phone: "2" },
  );
  const response = await postMultipart(server.url, "/api/rubric-regeneration", withMemo);
  assert.equal(response.status, 201);
  const { reference } = (await response.json()) as Received;
  const stored = await server.query(
    'SELECT full_name AS "fullName", email, phone, institution, expected_improvements AS "expectedImprovements", assessment_questions AS q, grading_rubric AS r, marking_memo AS m FROM rubric_requests ORDER BY id',
  );
  assert.deepEqual(stored, [
    { ...rubricTyped, q: 1, r: 2, m: null },
    { ...rubricTyped, phone: "2", q: 3, r: 4, m: 5 },
  ]);
  const email = await until(() => mail.emails.find((one) => one.text?.includes(reference)));
  assert.equal(email.subject, `Rubricon rubric request ${reference}`);
  assert.ok(email.text!.includes("markingMemo.txt"));
  const list = await runCommand(folder, ["requests", "list"]);
  assert.match(
    list.out,
    new RegExp(`^${reference}  \\S+ \\S+ \\S+  rubric-request  3      Thandi`, "m"),
  );
  const written = await runCommand(folder, ["requests", "files", reference, "--out", "files"]);
  assert.equal(written.out.trim().split("\n").length, 3);
});

test("a rubric request with missing or invalid files is rejected, and its valid files become a draft", async (t) => {
  const server = await startServer(t);
  const missing = await postMultipart(
    server.url,
    "/latest-feature",
    rubricForm({ assessmentQuestions: "1. Define." }),
  );
  assert.equal(missing.status, 422);
  const html = await missing.text();
  assert.match(
    html,
    /<h2>Please upload both Assessment Questions and Grading Rubric files to continue<\/h2>/,
  );
  assert.match(html, /<a href="#gradingRubric">Please choose the grading rubric file<\/a>/);
  assert.match(html, /assessmentQuestions\.txt/);
  const token = /name="draft" value="([\w-]+)"/.exec(html)![1]!;
  const rest = rubricForm({ gradingRubric: "2 marks" }, { ...rubricTyped, draft: token });
  assert.equal((await postMultipart(server.url, "/latest-feature", rest)).status, 303);
  assert.equal((await server.query("SELECT * FROM uploaded_files")).length, 2);

  const wrong = rubricForm();
  wrong.append("markingMemo", new File(["x"], "memo.odt"));
  const rejected = await postMultipart(server.url, "/api/rubric-regeneration", wrong);
  assert.equal(rejected.status, 422);
  const { fields } = (await rejected.json()) as { fields: Record<string, string[]> };
  assert.match(
    fields.markingMemo![0]!,
    /Invalid file type: Please upload PDF, DOC, DOCX, or TXT files only\./,
  );
  const words = {
    fullName: "Full name is required",
    email: "Please enter a valid email address",
    phone: "Contact number is required",
    expectedImprovements: "Please describe what improvements you're looking for",
  };
  for (const [field, reason] of Object.entries(words)) {
    const form = rubricForm(undefined, { ...rubricTyped, [field]: "" });
    const response = await postMultipart(server.url, "/latest-feature", form);
    assert.equal(response.status, 422);
    const page = await response.text();
    assert.ok(page.includes(`<h2>${escaped(reason)}</h2>`), field);
    assert.ok(page.includes(`<a href="#${field}">${escaped(reason)}</a>`), field);
  }
});

test("an address subscribes once, with the time of consent, and the operator can remove it", async (t) => {
  const folder = newFolder(t);
  const server = await startServer(t, { folder });
  const subscribe = async (email: string) =>
    (await postJson(server.url, "/api/subscription", { email })).json();
  await subscribe("Thandi@School.example");
  await subscribe("thandi@school.example");
  const rows = await server.query("SELECT email, created_at FROM subscriptions");
  assert.equal(rows.length, 1);
  assert.equal(rows[0]!.email, "thandi@school.example");
  assert.ok(Date.parse(rows[0]!.created_at as string) > Date.now() - 60_000);
  assert.match(
    (await runCommand(folder, ["subscriptions", "list"])).out,
    /^thandi@school\.example/m,
  );
  const removed = await runCommand(folder, [
    "subscriptions",
    "remove",
    "THANDI@school.example",
    "--yes",
  ]);
  assert.equal(removed.code, 0);
  assert.equal((await server.query("SELECT * FROM subscriptions")).length, 0);
  const again = await runCommand(folder, [
    "subscriptions",
    "remove",
    "thandi@school.example",
    "--yes",
  ]);
  assert.equal(again.code, 1);
});

test("a subscription gets the same response and receipt whether the address is known or new", async (t) => {
  const server = await startServer(t);
  const subscribe = async (email: string) => {
    const response = await postJson(server.url, "/api/subscription", { email });
    assert.equal(response.status, 201);
    return (await response.json()) as { message: string; id: number; reference: string };
  };
  const addresses = [
    "a@school.example",
    "b@school.example",
    "A@school.example",
    "c@school.example",
  ];
  const outcomes = [];
  for (const address of addresses) outcomes.push(await subscribe(address));
  const [first] = outcomes;
  assert.deepEqual(
    outcomes.map(({ id, message }) => [id - first!.id, message]),
    addresses.map((_, index) => [index, first!.message]),
    "ids count the posts",
  );
  assert.equal(new Set(outcomes.map(({ reference }) => reference)).size, 4);

  const receipts = [];
  for (const address of ["b@school.example", "d@school.example"]) {
    const response = await postForm(server.url, "/blog", { email: address });
    assert.equal(response.status, 303);
    const location = response.headers.get("Location")!;
    const page = await (await fetch(new URL(location, server.url))).text();
    const reference = new URL(location, server.url).searchParams.get("received")!;
    const times = [...page.matchAll(/<time dateTime="([^"]+T[^"]+)"/gi)].map(([, time]) => time!);
    assert.equal(times.length, 1);
    assert.ok(Date.now() - Date.parse(times[0]!) < 60_000, "the time of this post");
    const unique = new RegExp(`${reference}|<time[^>]*>[^<]*</time>`, "gi");
    receipts.push(page.replace(unique, "").replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, ""));
  }
  assert.equal(receipts[0], receipts[1]);
  for (const { reference } of outcomes) {
    const page = await (await fetch(`${server.url}/blog?received=${reference}`)).text();
    assert.ok(page.includes(reference), "every receipt stays");
  }
  assert.equal((await server.query("SELECT 1 FROM subscriptions")).length, 4);
});

test("a post that fills in the honeypot, or comes faster than people type, gets a normal response and goes into quarantine", async (t) => {
  const mail = await startMailServer(t);
  const folder = newFolder(t);
  const env = {
    RUBRICON_MAIL_URL: mail.url,
    RUBRICON_MAIL_TO: "team@team.example",
    RUBRICON_SPAM_SECONDS: "3",
  };
  const server = await startServer(t, { folder, env });
  const post = async (more: Record<string, string>) => {
    const response = await postForm(server.url, "/contact", { ...contactTyped, ...more });
    assert.equal(response.status, 303);
    return new URL(response.headers.get("Location")!, server.url).searchParams.get("received")!;
  };
  const trapped = await post({ homepage: "http://spam.example" });
  const quick = await post({ phone: "2", elapsed: "1200" });
  const slow = await post({ phone: "3", elapsed: "3000" });
  const direct = await post({ phone: "4" });
  const rubric = rubricForm();
  rubric.append("homepage", "x");
  assert.equal((await postMultipart(server.url, "/latest-feature", rubric)).status, 303);

  await until(() => mail.emails.length === 2);
  const texts = mail.emails.map(({ text }) => text!).join();
  assert.ok(texts.includes(slow) && texts.includes(direct));
  const spam = await server.query<{ reference: string; spam: string }>(
    "SELECT reference, spam FROM inbox WHERE spam IS NOT NULL",
  );
  assert.equal(spam.length, 3);
  assert.match(spam.find(({ reference }) => reference === quick)!.spam, /1200 ms/);
  const list = (await runCommand(folder, ["requests", "list"])).out;
  assert.ok(!list.includes(trapped) && list.includes(slow));
  assert.ok((await runCommand(folder, ["requests", "list", "--spam"])).out.includes(trapped));

  assert.equal((await runCommand(folder, ["requests", "not-spam", trapped])).code, 0);
  assert.equal((await runCommand(folder, ["requests", "not-spam", trapped])).code, 1);
  // The outbox worker looks for released emails every minute; a new email wakes it.
  await post({ phone: "5" });
  await until(() => mail.emails.length === 4);
  assert.ok(mail.emails.some(({ text }) => text!.includes(trapped)));
});

test("one email a day reports how many requests went into quarantine", async (t) => {
  const mail = await startMailServer(t);
  const folder = newFolder(t);
  const env = { RUBRICON_MAIL_URL: mail.url, RUBRICON_MAIL_TO: "team@team.example" };
  const server = await startServer(t, { folder, env });
  for (const phone of ["1", "2"]) {
    await postForm(server.url, "/contact", { ...contactTyped, phone, homepage: "x" });
  }
  await server.stop();
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString();
  await server.change(`UPDATE contact_requests SET created_at = '${yesterday}'`);
  for (const _ of ["the first start of the day", "another"]) {
    const again = await startServer(t, { folder, env });
    await until(() => mail.emails.length === 1);
    await again.stop();
  }
  assert.equal(mail.emails.length, 1);
  assert.match(mail.emails[0]!.subject!, /: 2 requests in quarantine on /);
});

test("too many posts from one address: 429 with Retry-After before the body is read, and a page that says how to send it again", async (t) => {
  const limits = { RUBRICON_POSTS_PER_10_MINUTES: "3", RUBRICON_UPLOADS_PER_10_MINUTES: "2" };
  const server = await startServer(t, {
    env: { ...limits, RUBRICON_TRUSTED_PROXIES: "127.0.0.1, ::1" },
  });
  const from = (address: string, phone: string) =>
    postJson(
      server.url,
      "/api/contact",
      { ...contactTyped, phone },
      { "X-Forwarded-For": address },
    );
  for (const phone of ["1", "2", "3"]) assert.equal((await from("192.0.2.1", phone)).status, 201);
  const rejected = await from("192.0.2.1", "4");
  assert.equal(rejected.status, 429);
  const wait = Number(rejected.headers.get("Retry-After"));
  assert.ok(wait > 500 && wait <= 600, String(wait));
  assert.equal(((await rejected.json()) as { code: string }).code, "too_often");
  assert.equal((await from("192.0.2.2", "4")).status, 201);
  // An IPv6 client is counted by its /64, which one household shares.
  for (const end of ["1", "2", "3"]) {
    assert.equal((await from(`2001:db8:1:2::${end}`, `6${end}`)).status, 201);
  }
  assert.equal((await from("2001:db8:1:2:ffff::1", "64")).status, 429);
  assert.equal((await from("2001:db8:1:3::1", "65")).status, 201);

  for (const phone of ["7", "8", "9"]) {
    await postForm(server.url, "/contact", { ...contactTyped, phone });
  }
  const page = await postForm(server.url, "/contact", contactTyped);
  assert.equal(page.status, 429);
  assert.ok(page.headers.has("Retry-After"));
  assert.ok(Number(page.headers.get("Retry-After")) % 60 === 0, "in whole minutes");
  assert.equal(page.headers.get("Cache-Control"), "no-store");
  const html = await page.text();
  assert.match(html, /<h1>Please wait before you send this<\/h1>/);
  assert.match(html, /try again in 10 minutes/);
  assert.match(html, /reload it/);
  for (const text of Object.values(contactTyped)) assert.ok(!html.includes(text), text);
  // The body is never sent: the response does not wait for it.
  const unread = await sendRaw(
    server.url,
    "POST /contact HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n\r\n",
  );
  assert.equal(unread.status, 429);

  // Uploads have a limit of their own.
  for (const phone of ["1", "2"]) {
    const form = rubricForm(undefined, { ...rubricTyped, phone });
    assert.equal((await postMultipart(server.url, "/latest-feature", form)).status, 303);
  }
  const upload = await postMultipart(server.url, "/latest-feature", rubricForm());
  assert.equal(upload.status, 429);
  assert.match(await upload.text(), /What you typed and chose is not lost/);
});

test("X-Forwarded-For is trusted only from a listed proxy", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_POSTS_PER_10_MINUTES: "1" } });
  const from = (address: string) =>
    postJson(server.url, "/api/contact", contactTyped, { "X-Forwarded-For": address });
  assert.equal((await from("192.0.2.1")).status, 201);
  assert.equal((await from("192.0.2.2")).status, 429);
});

test("the test page posts each form without JavaScript, as a test, and puts the emails on hold", async (t) => {
  const mail = await startMailServer(t);
  const env = { RUBRICON_MAIL_URL: mail.url, RUBRICON_MAIL_TO: "team@team.example" };
  const server = await startServer(t, { env });
  const page = await fetch(`${server.url}/test-forms`);
  const html = await page.text();
  assert.equal(page.headers.get("X-Robots-Tag"), "noindex");
  assert.match(html, /E-mail notifications are sent on demo requests/);
  assert.ok(html.includes("team@team.example"));
  const run = async (form: string, more = {}) => {
    const response = await postForm(server.url, "/test-forms", { form, ...more });
    assert.equal(response.status, 200, form);
    const text = await response.text();
    assert.match(text, /<strong>SUCCESS<\/strong>/, form);
    assert.match(text, /<dt>Id<\/dt><dd>\d+<\/dd>/, form);
    assert.match(text, /<time dateTime="\d{4}-\d\d-\d\dT[\d:.]+Z">/, form);
  };
  for (const form of ["contact", "demo-request", "demo-upload", "rubric-request", "subscription"]) {
    await run(form);
  }
  const marks = await server.query("SELECT form, is_test FROM inbox ORDER BY form");
  assert.deepEqual(
    marks,
    ["contact", "demo-request", "demo-upload", "rubric-request"].map((form) => ({
      form,
      is_test: 1,
    })),
  );
  const [{ request_type }] = (await server.query(
    "SELECT request_type FROM contact_requests WHERE form = 'contact'",
  )) as [{ request_type: string }];
  assert.equal(request_type, "general");
  // Only the query marks a test: requestType "general" does not.
  await postJson(server.url, "/api/contact", { ...contactTyped, requestType: "general" });
  await until(() => mail.emails.length === 1);
  await run("contact", { mail: "yes" });
  await until(() => mail.emails.length === 2);
  assert.match(mail.emails[1]!.subject!, /^Test: /);
  assert.equal((await postForm(server.url, "/test-forms", { form: "nonsense" })).status, 404);
});

test("switched off, the test page is not there, and ?test is ignored", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_TEST_FORMS: "off" } });
  const page = await fetch(`${server.url}/test-forms`);
  assert.equal(page.status, 404);
  assert.match(await page.text(), /Did you forget to add the page to the router\?/);
  assert.equal((await postForm(server.url, "/test-forms", { form: "contact" })).status, 404);
  await postJson(server.url, "/api/contact?test", contactTyped);
  assert.deepEqual(await server.query("SELECT is_test FROM inbox"), [{ is_test: 0 }]);
});

test("old rubric requests and spam reports are deleted with the rest; subscriptions stay", async (t) => {
  const folder = newFolder(t);
  const server = await startServer(t, { folder });
  await postMultipart(server.url, "/latest-feature", rubricForm());
  await postJson(server.url, "/api/contact", contactTyped);
  await postJson(server.url, "/api/subscription", { email: "thandi@school.example" });
  await server.stop();
  const long = new Date(Date.now() - 91 * 24 * 60 * 60 * 1000).toISOString();
  for (const table of ["contact_requests", "rubric_requests", "subscriptions"]) {
    await server.change(`UPDATE ${table} SET created_at = '${long}'`);
  }
  const again = await startServer(t, { folder });
  for (const table of ["inbox", "outbox", "uploaded_files", "uploaded_file_bytes"]) {
    assert.equal((await again.query(`SELECT * FROM ${table}`)).length, 0, table);
  }
  assert.equal((await again.query("SELECT * FROM subscriptions")).length, 1);
});
