/** What public pages look like and weigh; tests/long/e2e/look.test.ts has the look of each of them. */
import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import type { Page, Request } from "playwright-core";
import { closeBrowser, openPage, watchScripts } from "../support/browser.ts";
import { chooseAll, fillContact, openDemo } from "../support/demo-form.ts";
import { assertFewSizes, assertOneRed } from "../support/look.ts";
import { sharedServer, until } from "../support/server.ts";

after(closeBrowser);

const paths = [
  "/features",
  "/fairness-in-assessments",
  "/latest-feature",
  "/?results=sample&learner=4",
];

test("nothing is red but the button, the logo, errors and what a person decided", (t) =>
  assertOneRed(t, paths, ["/"]));

test("the text of a page has at most seven sizes from 14 pixels up", (t) =>
  assertFewSizes(t, ["/", ...paths]));

test("a phone comes to the demo within 3,500 pixels", async (t) => {
  const { url } = await sharedServer();
  const page = await openPage(t, { viewport: { width: 360, height: 800 } });
  await page.goto(url);
  const { y } = (await page.locator("#demo").boundingBox())!;
  assert.ok(y > 800 && y <= 3500, `the demo is at ${y}`);
});

test("on a desktop home is at most 5,200 pixels long, and features at most 9,100", async (t) => {
  const { url } = await sharedServer();
  const page = await openPage(t);
  for (const [path, max] of [
    ["/", 5200],
    ["/features", 9100],
  ] as const) {
    await page.goto(url + path);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height > 3000 && height <= max, `${path}: ${height}`);
  }
});

const maxScriptBytes = 80_000;
/** Loaded when the visitor comes near the form. */
const maxScriptBytesOnApproach = 78_000;
/** The loader, which every page with a form has. */
const maxLoaderBytes = 2_000;
const maxFirstViewBytes = 100_000;

async function pathAndSize(request: Request): Promise<[path: string, bytes: number]> {
  const response = await request.response();
  await response?.finished();
  const { responseBodySize, responseHeadersSize } = await request.sizes();
  return [new URL(request.url()).pathname, responseBodySize + responseHeadersSize];
}

test("the home page’s first view is under 100 kB, with its three fonts", async (t) => {
  const server = await sharedServer();
  for (const width of [360, 1280]) {
    const page = await openPage(t, { viewport: { width, height: 800 } });
    const requests: Request[] = [];
    page.on("request", (request) => requests.push(request));
    await page.goto(server.url, { waitUntil: "networkidle" });
    const decoded = await page.evaluate(() =>
      [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family),
    );
    for (const family of ["Inter", "Source Serif 4", "Marking Hand"])
      assert.ok(decoded.includes(family), JSON.stringify(decoded));
    const sizes = await Promise.all(requests.map(pathAndSize));
    const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
    t.diagnostic(`${width} px: ${total} bytes in ${sizes.length} responses`);
    const fonts = sizes.filter(([path]) => path.endsWith(".woff2"));
    assert.equal(fonts.length, 3, JSON.stringify(sizes));
    assert.equal(new Set(fonts.map(([path]) => path)).size, 3, JSON.stringify(sizes));
    assert.ok(sizes.length >= 5, "the responses were counted");
    assert.ok(total < maxFirstViewBytes, `${total} bytes at ${width}: ${JSON.stringify(sizes)}`);
  }
});

test("reading downloads no script but the loader of a page with a form", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t);
  const scripts = watchScripts(page);
  for (const path of ["/about", "/features", "/privacy-policy"]) {
    await page.goto(server.url + path, { waitUntil: "networkidle" });
  }
  assert.deepEqual(scripts.paths(), []);
  await page.goto(server.url, { waitUntil: "networkidle" });
  await page.mouse.wheel(0, 400);
  await page.waitForFunction(() => window.scrollY === 400);
  // What is seen in the next frame asks for its script before this request.
  await page.evaluate(async () => {
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
    await fetch("/healthz");
  });
  const loader = await scripts.bytes();
  t.diagnostic(`${loader} bytes of script to read, after brotli`);
  assert.ok(loader <= maxLoaderBytes, `${loader} bytes`);
});

/** Opens the demo form of the home page, and counts its scripts from the first on. */
async function openCounted(t: TestContext) {
  const page = await openPage(t, {}, /status of 500/);
  const scripts = watchScripts(page);
  const server = await sharedServer();
  const foreignUrls: string[] = [];
  page.on("response", (response) => {
    if (new URL(response.url()).origin !== server.url) foreignUrls.push(response.url());
  });
  await openDemo(page, server);
  return { page, scripts, foreignUrls, send: page.getByRole("button", { name: "Send the files" }) };
}

test("coming near the form takes at most 78 kB of script", async (t) => {
  const { scripts } = await openCounted(t);
  const bytes = await scripts.bytes();
  t.diagnostic(`${bytes} bytes of script on approach, after brotli`);
  assert.ok(bytes > 20_000 && bytes <= maxScriptBytesOnApproach, `${bytes} bytes`);
});

async function fillIn(page: Page) {
  await chooseAll(page);
  await page.getByRole("button", { name: "Process with AI" }).click();
  await fillContact(page);
}

test("the notice of a failure takes no script that was not loaded with the form", async (t) => {
  const { page, scripts, send } = await openCounted(t);
  await fillIn(page);
  await page.route("**/api/**", (route) => route.fulfill({ status: 500 }));
  await until(() => scripts.paths().some((path) => path.includes("/extras-")));
  const before = scripts.paths();
  await send.click();
  await page.getByRole("region", { name: "Notifications" }).getByText("Error").first().waitFor();
  assert.deepEqual(scripts.paths(), before);
});

test("sending the form takes at most 80 kB of script from the site itself", async (t) => {
  const { page, scripts, foreignUrls, send } = await openCounted(t);
  await fillIn(page);
  await send.click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  const total = await scripts.bytes();
  t.diagnostic(`${total} bytes for the whole journey`);
  assert.ok(scripts.paths().length >= 5, "the scripts were counted");
  assert.ok(total <= maxScriptBytes, JSON.stringify(scripts.paths()));
  assert.deepEqual(foreignUrls, []);
});
