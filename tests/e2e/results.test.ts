import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage, violations } from "../support/browser.ts";
import { textOfPages } from "../support/pdf-text.ts";
import { publishClass, resultsFor } from "../support/results.ts";
import { startServer } from "../support/server.ts";

after(closeBrowser);

test("the sample opens in place, is fetched once, and leaves a half-filled form unchanged", async (t) => {
  const server = await startServer(t);
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
  assert.ok(
    await dialog.getByRole("row", { name: /Total 43\/50 ?class average 75.5%/ }).isVisible(),
  );
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

test("offline, the sample stays away and the form unchanged; with the network back, it opens", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t, {}, /ERR_INTERNET_DISCONNECTED/);
  await page.goto(server.url);
  const file = { name: "questions.txt", mimeType: "text/plain", buffer: Buffer.from("Define it.") };
  await page.locator("#demo").getByLabel("Questions *").setInputFiles(file);
  await page.locator(".chosen", { hasText: "questions.txt" }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "See a sample result" }).click();
  await page.getByText("The marks could not be fetched.").waitFor();
  const link = page.getByRole("link", { name: "Open the sample in a new tab" });
  assert.equal(await link.getAttribute("href"), "/?results=sample");
  assert.ok(await page.locator(".chosen", { hasText: "questions.txt" }).isVisible());
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: "Learner 01", exact: true }).waitFor();
});

test("a class that is open can be read offline", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t);
  const fetched = page.waitForResponse("**/api/results/sample");
  await page.goto(`${server.url}/?results=sample`);
  await (await fetched).finished();
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "Learner 05", exact: true }).click();
  await page.getByRole("dialog").getByRole("row", { name: /Total/ }).waitFor();
});

test("without script the page is complete: each learner, sorting, slips and files are links", async (t) => {
  const server = await startServer(t);
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
  assert.equal(await page.locator(".slip").count(), 8);
  await page.emulateMedia({ media: "print" });
  for (const unwanted of [".site-header", ".upload-form", ".hero", "a", "h1", "h2"]) {
    assert.equal(await page.locator(`${unwanted}:visible`).count(), 0, unwanted);
  }
});

test("on paper no page has one learner's marks without the name, or with another's", async (t) => {
  const server = await startServer(t);
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

test("long slips: a learner who needs two pages has the name on both, and the class fits on two", async (t) => {
  const server = await startServer(t);
  const feedback = "Say why, with a figure from the table, and then say what follows. ".repeat(40);
  const link = await publishClass(server, 50, (names) => {
    const file = resultsFor(names);
    for (const index of [1, 4]) {
      for (const mark of file.submissions[index]!.questionMarks) mark.feedback = feedback;
    }
    for (const submission of file.submissions) submission.studentName += " of 50";
    return file;
  });
  const page = await openPage(t);
  const print = async (more: string) => {
    await page.goto(server.url + link.replace("#demo", more));
    return textOfPages(await page.pdf({ format: "A4", displayHeaderFooter: true }));
  };
  const report = await print("");
  assert.ok(report.length <= 2, `${report.length} pages`);
  assert.match(report[1]!, /Learner 50 of 50/);
  for (const more of ["&slips=1", "&slips=2"]) {
    const pages = await print(more);
    for (const text of pages) {
      const names = new Set([...text.matchAll(/Learner \d+ of 50/g)].map(([name]) => name));
      const totals = [...text.matchAll(/^Total/gm)].length;
      assert.ok(names.size >= 1 && names.size <= (more === "&slips=1" ? 1 : 2), text.slice(0, 200));
      assert.ok(totals <= names.size);
    }
    const totals = pages.join("\n").matchAll(/^Total/gm);
    assert.equal([...totals].length, 50, more);
  }
});

test("long words on a narrow phone cut no column off", async (t) => {
  const server = await startServer(t);
  const word = "voortplantingsmeganismes";
  const link = await publishClass(server, 12, (names) => {
    const file = resultsFor(names);
    file.questions[0]!.description = `Beskryf ${word} en ${word}${word}`;
    file.submissions[0]!.studentName = `${word} ${word}${word}`;
    file.submissions[0]!.feedback = `${word}${word}${word}`;
    file.submissions[0]!.questionMarks[0]!.feedback = `${word}${word}${word}`;
    return file;
  });
  const page = await openPage(t, { bypassCSP: true, viewport: { width: 320, height: 640 } });
  const overflow = (selector: string) =>
    page.locator(selector).evaluate((element) => element.scrollWidth - element.clientWidth);
  await page.goto(server.url + link.replace("#demo", "&learner=1"));
  assert.equal(await overflow("html"), 0);
  await page.goto(server.url + link);
  await page.locator(".scripted").waitFor();
  assert.equal(await overflow("html"), 0);
  assert.deepEqual(await violations(page), []);
  // The grid scrolls in its frame, where the names stay in view.
  await page.locator(".table-frame").evaluate((frame) => frame.scrollTo(1000, 0));
  assert.ok(await page.locator(".grid tbody th").nth(1).isVisible());
  await page.locator(".grid th a").first().click();
  const dialog = page.getByRole("dialog");
  await dialog.locator(".marks").waitFor();
  assert.equal(await overflow("dialog"), 0);
  const cell = await dialog.locator(".marks td").first().boundingBox();
  assert.ok(cell!.x + cell!.width <= 320);
  assert.deepEqual(await violations(page), []);
});

test("300 learners are quick to skip by keyboard, and a closed link is reported", async (t) => {
  const server = await startServer(t);
  const link = await publishClass(server, 300);
  const page = await openPage(t, { bypassCSP: true }, /status of 401/);
  await page.route("**/api/results/*", (route) => route.fulfill({ status: 401 }), { times: 1 });
  await page.goto(server.url + link);
  await page.locator(".scripted").waitFor();

  await page.getByRole("link", { name: "Skip the 300 learners" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const after = await page.evaluate(
    () => document.activeElement!.closest("#after-learners") !== null,
  );
  assert.ok(after, "the focus is after the list");

  await page.getByRole("link", { name: "Learner 300", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "This link opens no results any more" }).waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.reload();
  await page.locator(".scripted").waitFor();
  await page.getByRole("link", { name: "Learner 300", exact: true }).click();
  await dialog.getByRole("heading", { name: "Learner 300" }).waitFor();
  assert.equal(
    await dialog.getByRole("button", { name: "Next" }).getAttribute("aria-disabled"),
    "true",
  );
  await page.emulateMedia({ media: "print" });
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".grid tbody tr:visible").count(), 300);
});
