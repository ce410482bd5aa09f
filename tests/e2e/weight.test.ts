import assert from "node:assert/strict";
import { after, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { closeBrowser, openPage } from "../support/browser.ts";
import { startServer } from "../support/server.ts";
import { contact, pdf } from "../support/upload.ts";

after(closeBrowser);

const mostScriptBytes = 125_000;

test("whoever only reads downloads no script; the whole journey takes at most 125 kB of it", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t, {}, /status of 500/);
  const scripts = new Map<string, Buffer>();
  const elsewhere: string[] = [];
  page.on("response", async (response) => {
    const { origin, pathname } = new URL(response.url());
    if (origin !== server.url) elsewhere.push(response.url());
    if (pathname.endsWith(".js")) scripts.set(pathname, await response.body());
  });
  await page.goto(server.url);
  await page.mouse.wheel(0, 400);
  await page.waitForTimeout(500);
  assert.equal(scripts.size, 0);

  const file = (name: string) => ({ name, mimeType: "application/pdf", buffer: pdf() });
  await page.getByLabel("Questions *").setInputFiles(file("questions.pdf"));
  await page.getByLabel("Rubric *").setInputFiles(file("rubric.pdf"));
  await page.getByLabel("Learners’ submissions *").setInputFiles(file("learner.pdf"));
  await page.getByRole("button", { name: "Process with AI" }).click();
  await page.getByLabel("Full name *").fill(contact.name);
  await page.getByLabel("Email address *").fill(contact.email);
  await page.getByLabel("Contact number *").fill(contact.phone);
  await page.route("**/api/**", (route) => route.fulfill({ status: 500 }), { times: 1 });
  const send = page.getByRole("button", { name: "Send the files" });
  await send.click();
  await page.locator(".toast").waitFor();
  await send.click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();

  const sizes = [...scripts].map(
    ([name, body]) => [name, brotliCompressSync(body).length] as const,
  );
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  t.diagnostic(`${total} bytes of script after brotli`);
  assert.ok(scripts.size >= 5, "the scripts were counted");
  assert.ok(total <= mostScriptBytes, JSON.stringify(sizes));
  assert.deepEqual(elsewhere, []);
});
