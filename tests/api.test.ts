import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { allForms } from "../app/forms/all-forms.ts";
import { hasFiles } from "../app/forms/form.ts";
import {
  contactTyped,
  demoTyped,
  postJson,
  referenceIn,
  rubricForm,
  rubricTyped,
} from "./support/forms.ts";
import { emptyServer, newFolder, query, sharedServer, sharedSettings } from "./support/server.ts";
import { threeFiles, uploadForm } from "./support/upload.ts";

const intranet = "https://intranet.school.example";

sharedSettings.RUBRICON_FORM_ORIGINS = `https://other.example:8443, ${intranet}/`;

/** What a browser sends with a form of a page of this origin. */
const browserOn = (origin: string) => ({
  Origin: origin,
  "Sec-Fetch-Site": "cross-site",
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
});

const multipart = (typed: Record<string, string>) => {
  const form = new FormData();
  for (const [name, text] of Object.entries(typed)) form.append(name, text);
  return form;
};

const post = (url: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(url, { method: "POST", body, headers, redirect: "manual" });

const typedForms = [
  ["/api/contact", contactTyped],
  ["/api/demo-request", demoTyped],
  ["/api/subscription", { email: "thandi@school.example" }],
] as const;

test("endpoints of forms without files take URL-encoded, multipart and JSON bodies from programs", async () => {
  const server = await emptyServer();
  for (const [endpoint, typed] of typedForms) {
    const references = new Set<string>();
    for (const body of [new URLSearchParams(typed), multipart(typed)]) {
      for (const accept of ["*/*", "application/json", "application/json, text/html;q=0.9"]) {
        const response = await post(server.url + endpoint, body, { Accept: accept });
        references.add(await referenceIn(response));
      }
    }
    references.add(await referenceIn(await postJson(server.url, endpoint, typed)));
    // Each post of a subscription has a receipt of its own.
    if (endpoint !== "/api/subscription")
      assert.equal(references.size, 1, `${endpoint}: one request`);
  }
});

type BodyOf = (typed: Record<string, string>) => URLSearchParams | FormData;
const urlEncoded: BodyOf = (typed) => new URLSearchParams(typed);

/** Each endpoint with texts, the body of its HTML form and the page of its receipt. */
const htmlForms: [string, typed: Record<string, string>, bodyOf: BodyOf, receipt: string][] = [
  ["/api/contact", contactTyped, urlEncoded, "/contact?"],
  ["/api/demo-request", demoTyped, urlEncoded, "/demo?"],
  ["/api/subscription", { email: "thandi@school.example" }, urlEncoded, "/blog?"],
  ["/api/demo-request-with-files", contactTyped, (typed) => uploadForm(threeFiles(), typed), "/?"],
  [
    "/api/rubric-regeneration",
    rubricTyped,
    (typed) => rubricForm(undefined, typed),
    "/latest-feature?",
  ],
];

const ownBrowser = (url: string) => ({ ...browserOn(url), "Sec-Fetch-Site": "same-origin" });

test("an HTML form posted to an endpoint leads to the receipt", async () => {
  const { url, databaseFile } = await emptyServer();
  for (const [endpoint, typed, bodyOf, receipt] of htmlForms) {
    const stored = await post(url + endpoint, bodyOf(typed), ownBrowser(url));
    assert.equal(stored.status, 303, `${endpoint}: ${await stored.text()}`);
    const location = stored.headers.get("Location")!;
    assert.ok(location.startsWith(`${receipt}received=`), location);
    assert.equal((await fetch(new URL(location, url))).status, 200, endpoint);
  }
  // A subscription is not in the inbox.
  assert.equal(query(databaseFile, "SELECT * FROM inbox").length, htmlForms.length - 1);
});

test("an HTML form with a mistake posted to an endpoint comes back with its texts and files", async () => {
  const { url } = await emptyServer();
  for (const [endpoint, valid, bodyOf] of htmlForms) {
    const typed = { ...valid, email: "thandi@" };
    const body = bodyOf(typed);
    const wrong = await post(url + endpoint, body, ownBrowser(url));
    assert.equal(wrong.status, 422, endpoint);
    const html = await wrong.text();
    assert.match(html, /<title>Error: /, endpoint);
    for (const value of body.values()) {
      const text = typeof value === "string" ? value : value.name;
      assert.ok(html.includes(text), `${endpoint}: ${text}`);
    }
    if (body instanceof FormData) assert.match(html, /name="draft" value="[\w-]+"/, endpoint);
  }
});

test("an HTML form that sends no files to an endpoint for files is rejected", async () => {
  const { url, databaseFile } = await emptyServer();
  const endpoint = `${url}/api/demo-request-with-files`;
  const sent = await post(endpoint, new URLSearchParams(contactTyped), ownBrowser(url));
  assert.equal(sent.status, 415);
  assert.deepEqual(query(databaseFile, "SELECT * FROM inbox"), []);
});

test("a post from another site is rejected with a page for people or JSON for programs", async () => {
  const server = await emptyServer();
  const foreign = browserOn("https://evil.example");
  for (const [address, formPage] of [
    ["/api/contact", "/contact"],
    ["/contact", "/contact"],
    ["/api/rubric-regeneration", "/latest-feature"],
  ] as const) {
    const body = new URLSearchParams(contactTyped);
    const response = await post(server.url + address, body, foreign);
    assert.equal(response.status, 403, address);
    assert.match(response.headers.get("Content-Type")!, /^text\/html/, address);
    const html = await response.text();
    assert.match(html, /<h1>Your form did not arrive<\/h1>/, address);
    assert.ok(html.includes(`<a href="${formPage}">Open the form on this site</a>`), address);
    const toProgram = await post(server.url + address, body, { ...foreign, Accept: "*/*" });
    assert.equal(toProgram.status, 403, address);
    assert.equal(((await toProgram.json()) as { code: string }).code, "other_site", address);
  }
  assert.equal(query(server.databaseFile, "SELECT * FROM inbox").length, 0);
});

test("pages of the origins in RUBRICON_FORM_ORIGINS may post to endpoints only", async () => {
  const server = await emptyServer();
  const typed = new URLSearchParams(contactTyped);
  const contact = `${server.url}/api/contact`;
  const statusAndCors = async (url: string, headers: Record<string, string>) => {
    const response = await post(url, typed, headers);
    return [response.status, response.headers.get("Access-Control-Allow-Origin")];
  };
  assert.deepEqual(await statusAndCors(contact, browserOn(intranet)), [303, null]);
  assert.deepEqual(await statusAndCors(contact, browserOn("https://other.example:8443")), [
    303,
    null,
  ]);
  const others: Record<string, string>[] = [
    browserOn("https://intranet.school.example:8443"),
    browserOn("http://intranet.school.example"),
    browserOn("https://evil.example"),
    browserOn("null"),
    { Origin: "https://evil.example", Referer: intranet },
  ];
  for (const headers of others) {
    assert.deepEqual(await statusAndCors(contact, headers), [403, null], JSON.stringify(headers));
  }
  assert.deepEqual(await statusAndCors(`${server.url}/contact`, browserOn(intranet)), [403, null]);
});

const unknownPaths = ["/api", "/api/nosuch", "/api/contact/7", "/api/openapi.yaml", "/api/results"];

test("an unknown API path is a 404 with JSON for programs", async () => {
  const { url } = await sharedServer();
  for (const unknown of unknownPaths) {
    const response = await fetch(url + unknown);
    assert.equal(response.status, 404, unknown);
    const { code, error } = (await response.json()) as Record<string, string>;
    assert.equal(code, "not_found", unknown);
    assert.match(error!, /\/api\/openapi\.json/, unknown);
  }
});

test("an unknown API path is the 404 page for browsers", async () => {
  const { url } = await sharedServer();
  for (const unknown of unknownPaths) {
    const page = await fetch(url + unknown, { headers: browserOn(url) });
    assert.equal(page.status, 404, unknown);
    assert.match(page.headers.get("Content-Security-Policy")!, /style-src 'self'/, unknown);
    assert.match(await page.text(), /<h1>404 Page Not Found<\/h1>/, unknown);
  }
});

interface Described {
  paths: Record<string, { post: Operation }>;
}

interface Operation {
  requestBody: { content: Record<string, { schema: Schema }> };
}

interface Schema {
  required: string[];
  properties: Record<string, Property>;
}

interface Property {
  type: string;
  examples?: string[];
  maxLength?: number;
  contentMediaType?: string;
}

/** Makes a body from the document alone, as a generated client does. */
function bodyFor(mediaType: string, { required, properties }: Schema): BodyInit {
  const values = required.map((name): [string, string | File] => {
    const { type, examples, contentMediaType } = properties[name]!;
    const isFile = type === "array" || contentMediaType !== undefined;
    return [name, isFile ? new File([`A made-up ${name}.`], `${name}.txt`) : examples![0]!];
  });
  if (mediaType === "application/json") return JSON.stringify(Object.fromEntries(values));
  if (mediaType === "multipart/form-data") {
    const form = new FormData();
    for (const [name, value] of values) form.append(name, value);
    return form;
  }
  return new URLSearchParams(values as [string, string][]);
}

test("the OpenAPI document is valid, and is served as JSON with an ETag", async () => {
  const { url } = await sharedServer();
  const response = await fetch(`${url}/api/openapi.json`);
  assert.equal(response.headers.get("Content-Type"), "application/json");
  assert.ok(response.headers.get("ETag"));
  const validation = await new Validator().validate({ ...((await response.json()) as Described) });
  assert.deepEqual(validation, { valid: true });
});

test("a client made from the OpenAPI document sends every form in every format", async () => {
  const server = await sharedServer();
  const document = await describedApi(server.url);
  const sent: string[] = [];
  for (const [endpoint, { post: operation }] of Object.entries(document.paths)) {
    for (const [mediaType, { schema }] of Object.entries(operation.requestBody.content)) {
      const isTyped = mediaType !== "multipart/form-data";
      const stored = await post(
        server.url + endpoint,
        bodyFor(mediaType, schema),
        isTyped ? { "Content-Type": mediaType } : {},
      );
      assert.equal(stored.status, 201, `${endpoint} ${mediaType}: ${await stored.text()}`);
      sent.push(endpoint);
    }
  }
  assert.equal(new Set(sent).size, allForms.length);
  const inThreeFormats = allForms.filter((form) => !hasFiles(form));
  assert.equal(sent.length, allForms.length + 2 * inThreeFormats.length);
});

test("the limits of texts in the OpenAPI document are those of the server", async () => {
  const { url } = await sharedServer();
  const { paths } = await describedApi(url);
  const addressOf = (length: number) => `${`x@${"y.".repeat(200)}`.slice(0, length - 2)}za`;
  for (const [endpoint, { post: operation }] of Object.entries(paths)) {
    const { schema } = Object.values(operation.requestBody.content)[0]!;
    const limits = Object.entries(schema.properties).flatMap(([name, { maxLength: max }]) =>
      max === undefined ? [] : { name, max },
    );
    assert.ok(limits.length > 0, endpoint);
    for (const { name, max } of limits) {
      for (const length of [max, max + 1]) {
        const text = name === "email" ? addressOf(length) : "x".repeat(length);
        const response = await post(url + endpoint, multipart({ [name]: text }));
        const { fields = {} } = (await response.json()) as { fields?: Record<string, string[]> };
        assert.equal(name in fields, length > max, `${endpoint}: ${name}, ${length} characters`);
      }
    }
  }
});

const guide = readFileSync(path.join(import.meta.dirname, "../docs/api.md"), "utf8");
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, block]) => block!,
  );

/** The HTML forms of docs/api.md, with the path that each posts to and its fields filled in. */
function guideForms() {
  const forms = blocks("html").map((html) => {
    const filled = new FormData();
    for (const [tag, name] of html.matchAll(/<(?:input|textarea) name="(\w+)"[^>]*>/g)) {
      const type = /type="(\w+)"/.exec(tag)?.[1];
      const text = type === "email" ? "thandi@school.example" : `Thandi on ${name}`;
      filled.append(name!, type === "file" ? new File([text], `${name}.txt`) : text);
    }
    const action = new URL(/action="([^"]+)"/.exec(html)![1]!).pathname;
    return { html, action, filled, isMultipart: html.includes('enctype="multipart/form-data"') };
  });
  assert.equal(forms.length, allForms.length);
  return forms;
}

test("the HTML forms of docs/api.md lead from another site to a receipt", async () => {
  const { url } = await emptyServer();
  for (const { action, filled, isMultipart } of guideForms()) {
    const body = isMultipart ? filled : new URLSearchParams([...filled] as [string, string][]);
    const response = await post(url + action, body, browserOn(intranet));
    assert.equal(response.status, 303, `${action}: ${await response.text()}`);
    const receipt = await fetch(new URL(response.headers.get("Location")!, url));
    assert.match(await receipt.text(), /<div class="thank-you[ "]/, action);
  }
});

test("the HTML forms of docs/api.md have the required fields and the limits of the OpenAPI document", async () => {
  const { paths } = await describedApi((await sharedServer()).url);
  for (const { html, action, filled, isMultipart } of guideForms()) {
    const { content } = paths[action]!.post.requestBody;
    const type = isMultipart ? "multipart/form-data" : "application/x-www-form-urlencoded";
    const { required, properties } = content[type]!.schema;
    for (const field of required) assert.ok(filled.has(field), `${action}: ${field}`);
    for (const field of filled.keys()) {
      const max = new RegExp(`name="${field}"[^>]* maxlength="(\\d+)"`).exec(html)?.[1];
      assert.equal(max && Number(max), properties[field]!.maxLength, `${action}: ${field}`);
    }
  }
});

const describedApi = async (url: string) =>
  (await (await fetch(`${url}/api/openapi.json`)).json()) as Described;

test("the curl lines of docs/api.md work as printed", async (t) => {
  const server = await emptyServer();
  const folder = newFolder(t);
  for (const name of ["questions", "rubric", "learner-1", "learner-2"]) {
    writeFileSync(path.join(folder, `${name}.txt`), `The ${name}.`);
  }
  const lines = blocks("sh").filter((block) => block.startsWith("curl"));
  assert.equal(lines.length, 6);
  for (const line of lines) {
    const command = line
      .replace("https://marking.school.example", server.url)
      .replace(/^curl/, "curl --silent --show-error --noproxy '*'");
    const out = execFileSync("sh", ["-c", command], { cwd: folder, encoding: "utf8" });
    if (line.includes("/api/results/sample")) assert.ok(JSON.parse(out).submissions, out);
    else assert.match(out, /"reference":"[\dA-Z]{4}-[\dA-Z]{4}-[\dA-Z]{4}"/, line);
  }
  assert.equal(query(server.databaseFile, "SELECT * FROM inbox").length, 4);
});
