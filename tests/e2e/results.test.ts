import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage, violations } from "../support/browser.ts";
import { textOfPages } from "../support/pdf-text.ts";
import { sharedServer } from "../support/server.ts";

after(closeBrowser);

test("the sample opens in place, is fetched once, and leaves a half-filled form unchanged", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, { bypassCSP: true }, /status of 503|ERR_FAILED/);
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/api/") || search) requests.push(pathname + search);
  });
  await page.goto(server.url);
  const file = { name: "questions.txt", mimeType: "text/plain", buffer: Buffer.from("Define it.") };
  await page.locator("#demo").getByLabel("Questions *").setInputFiles(file);
  await page.locator(".chosen", { hasText: "questions.txt" }).waitFor();

  await page.route("**/?results=sample", (route) => route.fulfill({ status: 503 }), {
    times: 1,
  });
  const link = page.getByRole("link", { name: "See a sample result" });
  await link.click();
  await page.getByText("The marks could not be fetched.").waitFor();
  // Delays the response, so that the loading state can be checked.
  const gate = Promise.withResolvers<void>();
  await page.route(
    "**/?results=sample",
    async (route) => {
      await gate.promise;
      await route.continue();
    },
    { times: 1 },
  );
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("status").filter({ hasText: "Fetching the marks" }).waitFor();
  await page.getByRole("progressbar", { name: "Fetching the marks" }).waitFor();
  gate.resolve();

  const heading = page.getByRole("heading", { name: /^Grade 10 Life Sciences/ });
  await heading.waitFor();
  assert.ok(await heading.evaluate((element) => element === document.activeElement));
  assert.ok(await page.getByText("Sample – fictitious").isVisible());
  assert.equal(new URL(page.url()).search, "", "the page is still the home page");
  assert.deepEqual(await violations(page), []);

  const first = page.getByRole("link", { name: "Learner 01", exact: true });
  await first.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "Learner 01" }).waitFor();
  assert.ok(await dialog.getByRole("row", { name: /Total 43\/50/ }).isVisible());
  assert.deepEqual(await violations(page), []);
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByRole("heading", { name: "Learner 02" }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  const second = page.getByRole("link", { name: "Learner 02", exact: true });
  assert.ok(
    await second.evaluate((element) => element === document.activeElement),
    "the focus is on the learner who was read last",
  );

  await page.getByRole("button", { name: "Close the sample" }).click();
  await heading.waitFor({ state: "detached" });
  assert.ok(await link.evaluate((element) => element === document.activeElement));
  await link.click();
  await heading.waitFor();
  assert.deepEqual(
    requests,
    ["/?results=sample", "/?results=sample", "/api/results/sample"],
    "one failed and one successful request, and one for the dialog",
  );
  assert.ok(await page.locator(".chosen", { hasText: "questions.txt" }).isVisible());
});

test("without script the page is complete: each learner, sorting, slips and files are links", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, {
    javaScriptEnabled: false,
    viewport: { width: 320, height: 640 },
  });
  await page.goto(server.url);
  await page.getByRole("link", { name: "See a sample result" }).click();
  await page.getByRole("link", { name: "sort by mark" }).click();
  const rows = page.locator(".grid tbody tr");
  assert.match((await rows.first().textContent())!, /^Learner 03/);
  await page.getByRole("link", { name: "Learner 01", exact: true }).click();
  await page.getByText("4.1 is a question").waitFor();
  await page.getByRole("link", { name: "Next learner, Learner 02" }).click();
  await page.getByRole("heading", { name: "Learner 02" }).waitFor();
  await page.getByRole("link", { name: "Back to the class" }).click();
  // A dot leads to its learner, for the mouse; the keyboard has the grid.
  await page.locator(".dots a[href$='learner=4']").click();
  await page.getByRole("heading", { name: "Learner 04" }).waitFor();
  await page.getByRole("link", { name: "Back to the class" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Marks as a spreadsheet" }).click();
  assert.match((await download).suggestedFilename(), /^Grade 10 Life Sciences .* - marks\.csv$/);
  await page.getByRole("link", { name: "Feedback slips to print, two" }).click();
  assert.equal(await page.locator(".feedback-slip").count(), 8);
  await page.emulateMedia({ media: "print" });
  for (const unwanted of [".site-header", ".upload-form", ".hero", "a", "h1", "h2"]) {
    assert.equal(await page.locator(`${unwanted}:visible`).count(), 0, unwanted);
  }
});

test("on paper no page has one learner's marks without the name, or with another's", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t);
  const print = async (path: string) => {
    await page.goto(server.url + path);
    return textOfPages(await page.pdf({ format: "A4", displayHeaderFooter: true }));
  };
  const names = Array.from({ length: 8 }, (_, index) => `Learner 0${index + 1}`);
  const learnersOn = (text: string) => names.filter((name) => text.includes(name));
  const totalsOn = (text: string) => [...text.matchAll(/^Total/gm)].length;

  const one = await print("/?results=sample&slips=1");
  assert.deepEqual(
    one.map(learnersOn),
    names.map((name) => [name]),
  );
  assert.deepEqual(
    one.map(totalsOn),
    names.map(() => 1),
  );
  const two = await print("/?results=sample&slips=2");
  assert.equal(two.length, 4);
  assert.deepEqual(two.flatMap(learnersOn), names);
  assert.deepEqual(two.map(totalsOn), [2, 2, 2, 2]);
  for (const text of [...one, ...two]) assert.ok(text.includes("Grade 10 Life Sciences"));
  for (const path of ["", "&learner=4", "&slips=1"]) {
    const pages = await print(`/?results=sample${path}`);
    assert.ok(!pages.join("").includes("results=sample"), "the link is not printed");
  }
  assert.match((await print("/?results=sample&learner=4"))[0]!, /Learner 04/);
});
