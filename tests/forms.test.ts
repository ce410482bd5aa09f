import assert from "node:assert/strict";
import { test } from "node:test";
import { columns } from "./support/columns.ts";
import {
  contactTyped,
  demoTyped,
  postForm,
  postJson,
  postMultipart,
  referenceIn,
  rubricForm,
  rubricTyped,
} from "./support/forms.ts";
import { sendRequest } from "./support/send-request.ts";
import { emptyServer } from "./support/server.ts";

const referencePattern = /^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){2}$/;

const required = {
  email: "Please enter a valid email address",
  phone: "Contact number is required",
  message: "Message is required",
};

const contactForm = {
  idPrefix: "contact-",
  typed: contactTyped,
  required: { name: "Name is required", ...required },
  missing: "Missing fields - Please fill in all required fields",
};

/** The forms without files, with valid texts and the error message of each required field. */
const forms: {
  name: string;
  path: string;
  idPrefix: string;
  typed: Record<string, string>;
  required: Record<string, string>;
  /** Heading of the error summary if a required text is missing. */
  missing?: string;
}[] = [
  { ...contactForm, name: "contact", path: "/contact" },
  { ...contactForm, name: "contact on home", path: "/?index&form=contact" },
  {
    name: "demo request",
    path: "/demo",
    idPrefix: "",
    typed: demoTyped,
    required: { fullName: "Full name is required", ...required },
  },
  {
    name: "subscription",
    path: "/blog",
    idPrefix: "",
    typed: { email: "thandi@school.example" },
    required: { email: required.email },
  },
];

const escaped = (text: string) => text.replaceAll("'", "&#x27;");

/** Asserts that a form comes back with the error of its only invalid field, and its other texts. */
async function assertReturned(url: string, form: (typeof forms)[number], [field, wrong]: string[]) {
  const { name, path, idPrefix, typed, required, missing } = form;
  const response = await postForm(url, path, { ...typed, [field!]: wrong! });
  const label = `${name} ${field} "${wrong}"`;
  assert.equal(response.status, 422, label);
  const html = await response.text();
  const words = escaped(required[field!]!);
  const link = `<a class="standalone-link" href="#${idPrefix}${field}">${words}</a>`;
  const { [field!]: _, ...others } = typed;
  for (const text of [
    "<title>Error: ",
    `<h2 class="term">${wrong!.trim() === "" ? (missing ?? link) : link}</h2>`,
    link,
    `id="${idPrefix}${field}-error"><p>${words}</p>`,
    ...Object.values(others),
  ])
    assert.ok(html.includes(text), `${label}: ${text}`);
  assert.equal(html.split(link).length, 2, `${label}: once in the summary`);
}

test("a form with an invalid field comes back with the error in the summary and at the field", async () => {
  const server = await emptyServer();
  for (const form of forms) {
    for (const field of Object.keys(form.required)) {
      for (const blank of ["", "  "]) await assertReturned(server.url, form, [field, blank]);
    }
    for (const wrong of ["thandi@", "a b@c.example"])
      await assertReturned(server.url, form, ["email", wrong]);
  }
  assert.equal((await server.query("SELECT * FROM inbox")).length, 0);
  assert.equal((await server.query("SELECT * FROM subscriptions")).length, 0);
});

test("typed text comes back escaped, whatever it contains", async () => {
  const server = await emptyServer();
  const hostile = `"'></textarea></script><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}`;
  const assertEscaped = (html: string, name: string) => {
    assert.ok(html.includes("&lt;script&gt;alert(1)&lt;/script&gt;"), `${name}: the text is shown`);
    assert.doesNotMatch(html, /<script>alert|<img src=x|<\/textarea><\/script>|"'>/, name);
  };
  for (const { name, path, typed } of forms) {
    const wrong = Object.keys(typed).map((field) => [field, hostile]);
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
  assert.equal(page.status, 422, "upload");
  const html = await page.text();
  assertEscaped(html, "upload");
  assert.ok(
    html.includes("&lt;script&gt;alert(1)&lt;_script&gt;.odt"),
    "the file's name is escaped",
  );
});

test("what a form does not ask for is not stored, by page and by API", async () => {
  const server = await emptyServer();
  const own = { id: "4711", reference: "AAAA-AAAA-AAAA", form: "demo-upload", spam: "no" };
  const more = { ...own, fingerprint: "x", is_test: "1", isTest: "1", created_at: "2020-01-01" };
  assert.equal(
    (await postJson(server.url, "/api/contact", { ...contactTyped, ...more })).status,
    201,
  );
  const typed = { ...contactTyped, ...more, name: "Second Example" };
  assert.equal((await postForm(server.url, "/contact?name=Third&email=x", typed)).status, 303);
  const rows = await server.query("SELECT * FROM contact_requests ORDER BY id");
  assert.deepEqual(
    columns(rows, "id", "name", "email", "form", "spam", "is_test"),
    ["Thandi Example", "Second Example"].map((name, index) => [
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
    assert.notEqual(created_at, more.created_at);
  }
});

test("each form's page leads to an uncached receipt, without a form or what was typed, also on a reload", async () => {
  const server = await emptyServer();
  for (const { name, path, typed } of forms) {
    const response = await postForm(server.url, path, typed);
    assert.equal(response.status, 303, name);
    const address = new URL(response.headers.get("Location")!, server.url);
    for (const _ of [1, 2]) {
      const page = await fetch(address);
      assert.equal(page.status, 200, name);
      assert.equal(page.headers.get("Cache-Control"), "no-store", name);
      const html = await page.text();
      assert.match(html, /<title>Received: /, name);
      assert.ok(html.includes(address.searchParams.get("received")!), name);
      for (const text of Object.values(typed)) assert.ok(!html.includes(text), `${name}: ${text}`);
      const main = /<main.*<\/main>/s.exec(html)![0];
      assert.equal(main.match(/<section/g)!.length, 1, `${name}: nothing but the receipt`);
      assert.doesNotMatch(main, /<form/, name);
      assert.match(main, /href="mailto:hello@rubricon\.example"/, name);
    }
  }
});

test("no form has a receipt under a reference that it has not given", async () => {
  const { url } = await emptyServer();
  const rubric = await postMultipart(url, "/api/rubric-regeneration", rubricForm());
  const ofAnother = await referenceIn(rubric);
  const statusAt = async (path: string, received: string) => {
    const address = new URL(path, url);
    address.searchParams.set("received", received);
    return (await fetch(address)).status;
  };
  assert.equal(await statusAt("/latest-feature", ofAnother), 200);
  for (const { name, path } of forms) {
    assert.equal(await statusAt(path, "AAAA-AAAA-AAAA"), 404, name);
    assert.equal(await statusAt(path, ofAnother), 404, name);
  }
});

/** Posts to an endpoint. Returns the id and the reference that it responds with. */
async function postToApi(url: string, path: string, body: object) {
  const response = await postJson(url, path, body);
  assert.equal(response.status, 201, await response.clone().text());
  const { message, ...stored } = (await response.json()) as Record<"message" | "reference", string>;
  assert.match(stored.reference, referencePattern);
  assert.equal(typeof message, "string");
  return stored;
}

test("an API endpoint stores the texts and the type of a request", async () => {
  const { url, query } = await emptyServer();
  await postToApi(url, "/api/contact", contactTyped);
  await postToApi(url, "/api/contact", { ...contactTyped, requestType: "demo" });
  await postToApi(url, "/api/contact", { ...contactTyped, requestType: "general" });
  await postToApi(url, "/api/demo-request", { ...demoTyped, institution: null });
  const { fullName: name, ...others } = demoTyped;
  assert.deepEqual(
    await query(
      "SELECT name, email, phone, institution, message, form, request_type FROM contact_requests ORDER BY id",
    ),
    [
      ...["contact", "demo", "general"].map((request_type) => ({
        ...contactTyped,
        form: "contact",
        request_type,
      })),
      { ...others, name, institution: null, form: "demo-request", request_type: "demo" },
    ],
  );
});

test("an API endpoint rejects a request type of another form", async () => {
  const { url } = await emptyServer();
  const typed = { ...contactTyped, requestType: "assessment" };
  const unknown = await postJson(url, "/api/contact", typed);
  assert.equal(unknown.status, 422);
  const { fields } = (await unknown.json()) as { fields: Record<string, string[]> };
  assert.deepEqual(Object.keys(fields), ["requestType"]);
});

test("a rejection by the API has a sentence, a code and the invalid fields", async () => {
  const { url } = await emptyServer();
  const message = (length: number) =>
    JSON.stringify({ ...contactTyped, message: "x".repeat(length) });
  // tests/hostile.test.ts has many more bodies that get these statuses.
  for (const [status, code, invalid, body, type = "application/json"] of [
    [415, "wrong_content_type", [], "<name>Thandi</name>", "application/xml"],
    [400, "malformed", [], "{"],
    [413, "too_large", [], message(1_100_000)],
    [422, "invalid_fields", ["message"], message(5001)],
  ] as const) {
    const headers = { "Content-Type": type };
    const response = await fetch(`${url}/api/contact`, { method: "POST", body, headers });
    assert.equal(response.status, status, await response.clone().text());
    const { error, fields, ...more } = (await response.json()) as Record<string, string | object>;
    assert.match(error as string, /^[A-Z]\w+ .*\w/, code);
    assert.deepEqual([more, Object.keys(fields!)], [{ code }, invalid], code);
  }
});

/** The contact form as multipart. */
const contactMultipart = (change: Partial<typeof contactTyped> = {}) => {
  const form = new FormData();
  for (const [name, text] of Object.entries({ ...contactTyped, ...change }))
    form.append(name, text);
  return form;
};

test("a page's form without files is accepted as multipart too", async () => {
  const { url, query } = await emptyServer();
  assert.equal((await postMultipart(url, "/contact", contactMultipart())).status, 303);
  // The home page has a form with files beside this one.
  const another = contactMultipart({ message: "Another message" });
  const onHome = await postMultipart(url, "/?index&form=contact", another);
  assert.match(onHome.headers.get("Location") ?? "", /#contact$/);
  assert.equal((await query("SELECT * FROM inbox")).length, 2);
});

test("the same post within ten minutes is the same request, by page or API", async () => {
  const { url, query } = await emptyServer();
  const [first, second] = await Promise.all(
    [1, 2].map(() => postToApi(url, "/api/contact", contactTyped)),
  );
  assert.deepEqual(first, second);
  const page = await postForm(url, "/contact", contactTyped);
  assert.ok(page.headers.get("Location")!.includes(first!.reference));
  assert.equal((await query("SELECT * FROM outbox")).length, 1);
  const other = await postToApi(url, "/api/contact", { ...contactTyped, phone: "1" });
  assert.notEqual(other.reference, first!.reference);
});

test("a plus sign in a form is a space, and an encoded one a plus sign", async () => {
  const server = await emptyServer();
  const { bytes } = await sendRequest(server.url, "/contact", {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: server.url },
    body: "name=A+B&message=1+%2B+1",
  });
  assert.match(String(bytes), /value="A B"/);
  assert.match(String(bytes), />1 \+ 1<\/textarea>/);
});
