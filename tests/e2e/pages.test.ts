/** What public pages look like and weigh; tests/long/e2e/look.test.ts has the look of each of them. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page, Request } from "playwright-core";
import { once } from "../../app/server/system/once.ts";
import { wholeFile } from "../support/at-end.ts";
import { closeBrowser, openPage, watchScripts } from "../support/browser.ts";
import { chooseAll, fillContact, waitForHydration } from "../support/demo-form.ts";
import { lookAt } from "../support/look.ts";
import { sharedServer, until } from "../support/server.ts";

after(closeBrowser);

const paths = [
  "/features",
  "/fairness-in-assessments",
  "/latest-feature",
  "/?results=sample&learner=4",
];

const look = once(() => lookAt(paths, ["/"]));

test("nothing is red but the button, the logo, errors and what a person decided", async () =>
  assert.deepEqual((await look()).red, []));

test("the text of a page has at most seven sizes from 14 pixels up", async () =>
  assert.deepEqual((await look()).wrongSizes, []));

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

const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight);

/** What the home page loads and measures on a phone and on a desk, and how long features is there. */
const measureViews = once(async () => {
  const { url } = await sharedServer();
  const view = async (width: number) => {
    const page = await openPage(wholeFile, { viewport: { width, height: 800 } });
    const requests: Request[] = [];
    page.on("request", (request) => requests.push(request));
    await page.goto(url, { waitUntil: "networkidle" });
    const families = await page.evaluate(() =>
      [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family),
    );
    const sizes = await Promise.all(requests.map(pathAndSize));
    const demoAt = (await page.locator("#demo").boundingBox())!.y;
    return { page, width, families, sizes, demoAt, height: await heightOf(page) };
  };
  const [phone, desk] = [await view(360), await view(1280)];
  await desk.page.goto(`${url}/features`);
  return { phone, desk, features: await heightOf(desk.page) };
});

test("a phone comes to the demo within 3,500 pixels", async () => {
  const { demoAt } = (await measureViews()).phone;
  assert.ok(demoAt > 800 && demoAt <= 3500, `the demo is at ${demoAt}`);
});

test("on a desktop home is at most 5,200 pixels long, and features at most 9,100", async () => {
  const { desk, features } = await measureViews();
  assert.ok(desk.height > 3000 && desk.height <= 5200, `home: ${desk.height}`);
  assert.ok(features > 3000 && features <= 9100, `features: ${features}`);
});

test("the home page’s first view is under 100 kB, with its three fonts", async (t) => {
  const { phone, desk } = await measureViews();
  for (const { width, families, sizes } of [phone, desk]) {
    for (const family of ["Inter", "Source Serif 4", "Marking Hand"])
      assert.ok(families.includes(family), JSON.stringify(families));
    const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
    t.diagnostic(`${width} px: ${total} bytes in ${sizes.length} responses`);
    const fonts = sizes.filter(([path]) => path.endsWith(".woff2"));
    assert.equal(fonts.length, 3, JSON.stringify(sizes));
    assert.equal(new Set(fonts.map(([path]) => path)).size, 3, JSON.stringify(sizes));
    assert.ok(sizes.length >= 5, "the responses were counted");
    assert.ok(total < maxFirstViewBytes, `${total} bytes at ${width}: ${JSON.stringify(sizes)}`);
  }
});

/** What the home page takes to be read, near the form, when a post fails, and until the receipt. */
const countScripts = once(async () => {
  const { url } = await sharedServer();
  const page = await openPage(wholeFile, {}, /status of 500/);
  const scripts = watchScripts(page);
  const foreignUrls: string[] = [];
  page.on("response", (response) => {
    if (new URL(response.url()).origin !== url) foreignUrls.push(response.url());
  });
  await page.goto(url, { waitUntil: "networkidle" });
  await page.mouse.wheel(0, 400);
  await page.waitForFunction(() => window.scrollY === 400);
  // What is seen in the next frame asks for its script before this request.
  await page.evaluate(async () => {
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
    await fetch("/healthz");
  });
  const toRead = await scripts.bytes();
  await page.locator("#demo").scrollIntoViewIfNeeded();
  await waitForHydration(page);
  const onApproach = await scripts.bytes();
  await chooseAll(page);
  await page.getByRole("button", { name: "Process with AI" }).click();
  await fillContact(page);
  await page.route("**/api/**", (route) => route.fulfill({ status: 500 }));
  await until(() => scripts.paths().some((path) => path.includes("/extras-")));
  const withForm = scripts.paths();
  const send = page.getByRole("button", { name: "Send the files" });
  await send.click();
  await page.getByRole("region", { name: "Notifications" }).getByText("Error").first().waitFor();
  const withNotice = scripts.paths();
  await page.unroute("**/api/**");
  await send.click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  const total = await scripts.bytes();
  return { toRead, onApproach, withForm, withNotice, total, paths: scripts.paths(), foreignUrls };
});

test("reading downloads no script but the loader of a page with a form", async (t) => {
  const { toRead } = await countScripts();
  t.diagnostic(`${toRead} bytes of script to read, after brotli`);
  assert.ok(toRead <= maxLoaderBytes, `${toRead} bytes`);
});

test("coming near the form takes at most 78 kB of script", async (t) => {
  const { onApproach: bytes } = await countScripts();
  t.diagnostic(`${bytes} bytes of script on approach, after brotli`);
  assert.ok(bytes > 20_000 && bytes <= maxScriptBytesOnApproach, `${bytes} bytes`);
});

test("the notice of a failure takes no script that was not loaded with the form", async () => {
  const { withForm, withNotice } = await countScripts();
  assert.deepEqual(withNotice, withForm);
});

test("sending the form takes at most 80 kB of script from the site itself", async (t) => {
  const { total, paths, foreignUrls } = await countScripts();
  t.diagnostic(`${total} bytes for the whole journey`);
  assert.ok(paths.length >= 5, "the scripts were counted");
  assert.ok(total <= maxScriptBytes, JSON.stringify(paths));
  assert.deepEqual(foreignUrls, []);
});
