/** The page that tests the forms. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { columns } from "./support/columns.ts";
import { contactTyped, postForm, postJson } from "./support/forms.ts";
import { startMailServer } from "./support/mail-server.ts";
import { sharedServer, startServer, until } from "./support/server.ts";

const forms = ["contact", "demo-request", "demo-upload", "rubric-request"];

/** A server that sends emails to the team, and a function that posts a form by its test page. */
async function testing(t: TestContext) {
  const mail = await startMailServer(t);
  const env = { RUBRICON_MAIL_URL: mail.url, RUBRICON_MAIL_TO: "team@team.example" };
  const server = await startServer(t, { env });
  const run = async (form: string, more = {}) => {
    const response = await postForm(server.url, "/test-forms", { form, ...more });
    assert.equal(response.status, 200, form);
    return response.text();
  };
  return { mail, server, run };
}

test("the test page says where emails go, and is not indexed", async (t) => {
  const { server } = await testing(t);
  const page = await fetch(`${server.url}/test-forms`);
  assert.equal(page.headers.get("X-Robots-Tag"), "noindex");
  const html = await page.text();
  assert.match(html, /Email notifications are sent on demo requests/);
  assert.ok(html.includes("team@team.example"));
});

test("the test page posts no form that the site does not have", async () => {
  const { url } = await sharedServer();
  assert.equal((await postForm(url, "/test-forms", { form: "nonsense" })).status, 404);
});

test("the test page posts each form as a test", async (t) => {
  const { server, run } = await testing(t);
  for (const form of [...forms, "subscription"]) {
    const html = await run(form);
    assert.match(html, /<strong>SUCCESS<\/strong>/, form);
    assert.match(html, /<dt>Id<\/dt><dd>\d+<\/dd>/, form);
    assert.match(html, /<time dateTime="\d{4}-\d\d-\d\dT[\d:.]+Z">/, form);
  }
  assert.deepEqual(await server.query("SELECT is_test FROM subscriptions"), [{ is_test: 1 }]);
  const posted = await server.query("SELECT form, is_test, request_type FROM inbox ORDER BY form");
  assert.deepEqual(columns(posted, "form", "is_test", "request_type"), [
    ["contact", 1, "general"],
    ["demo-request", 1, "demo"],
    ["demo-upload", 1, "demo"],
    ["rubric-request", 1, null],
  ]);
});

test("a test sends no email unless asked", async (t) => {
  const { mail, server, run } = await testing(t);
  for (const form of forms) await run(form);
  // Only the query marks a test: requestType "general" does not.
  await postJson(server.url, "/api/contact", { ...contactTyped, requestType: "general" });
  await until(() => mail.emails.length > 0);
  await run("contact", { mail: "yes" });
  await until(() => mail.emails.length > 1);
  assert.deepEqual(
    mail.emails.map(({ subject }) => subject!.startsWith("Test: ")),
    [false, true],
  );
});

test("with RUBRICON_TEST_FORMS off no visitor can post a test", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_TEST_FORMS: "off" } });
  const page = await fetch(`${server.url}/test-forms`);
  assert.equal(page.status, 404);
  assert.match(await page.text(), /Did you forget to add the page to the router\?/);
  assert.equal((await postForm(server.url, "/test-forms", { form: "contact" })).status, 404);
  await postJson(server.url, "/api/contact?test", contactTyped);
  assert.deepEqual(await server.query("SELECT is_test FROM inbox"), [{ is_test: 0 }]);
});
