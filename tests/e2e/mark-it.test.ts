import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage, scripted, violations } from "../support/browser.ts";
import { postOf, sendRequest } from "../support/send-request.ts";
import { sharedServer } from "../support/server.ts";

after(closeBrowser);

test("visitors mark an answer without script, and only then see what the model proposes", async (t) => {
  const server = await sharedServer();
  for (const javaScriptEnabled of [false, true]) {
    const page = await openPage(t, { javaScriptEnabled });
    await page.goto(server.url);
    const section = page.locator(".mark-it");
    const model = section.getByText("names no hot air");
    await section.getByText("Give your mark").click();
    await section.getByText("Choose 0, 1, 2 or 3 first.").waitFor();
    assert.equal(await model.isVisible(), false);
    for (const [mark, verdict] of [
      ["3", "One more than the model proposes."],
      ["2", "What the model proposes, and Marker A gave."],
    ] as const) {
      await section.getByRole("radio", { name: mark }).check();
      await section.getByText(verdict).waitFor();
    }
    assert.ok(await model.isVisible());
    assert.equal(await section.getByText("One more than").isVisible(), false);
    if (javaScriptEnabled) assert.deepEqual(await violations(page), []);
  }
});

test("everybody marks six answers on the sample desk by keyboard, and nothing is sent or stored", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, { bypassCSP: true });
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") sent.push(request.url());
  });
  await page.goto(server.url);
  await page.locator(".mark-it").getByRole("radio", { name: "2" }).check();
  await page.locator(".mark-it").getByText("Give your mark").click();
  await page.getByRole("link", { name: "Mark six more on the sample desk" }).click();
  await page.getByText("Sample – fictitious: nothing is stored.").waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole("link", { name: "Start marking" }).press("Enter");
  await page.locator("#answer", { hasText: "Learner 2, question 2.1" }).waitFor();
  await scripted(page);
  await page.keyboard.type("7");
  await page.keyboard.press("Enter");
  await page.getByText("7 is more than the 6 of this question.").first().waitFor();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("3,5");
  await page.keyboard.press("Enter");
  await page.locator("#answer", { hasText: "Learner 6, question 2.1" }).waitFor();
  for (const key of ["p", "b"]) {
    await page.keyboard.press(key);
    await page.locator("#answer", { hasText: "Learner 2, question 2.1" }).waitFor();
    await page.locator(".marks del", { hasText: "5" }).waitFor();
    await page.keyboard.press("n");
    await page.locator("#answer", { hasText: "Learner 6, question 2.1" }).waitFor();
  }
  await page.keyboard.press("a");
  await page.locator("#answer", { hasText: "Learner 13, question 2.1" }).waitFor();
  await page.getByText("2 of 6 decided").first().waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole("link", { name: "Overview" }).click();
  await page.locator(".grid ins", { hasText: "3.5" }).waitFor();
  await page.getByText("2 of 6 decided").first().waitFor();
  await page.getByRole("link", { name: /^Learner 2, question 2\.1/ }).click();
  await page.locator(".marks del", { hasText: "5" }).waitFor();
  await page.getByRole("link", { name: "What is left" }).click();
  await page.getByRole("link", { name: "Question 2.1: 1" }).click();
  await page.locator("#answer", { hasText: "Learner 13, question 2.1" }).waitFor();
  await page.keyboard.press("a");
  await page.locator("#answer", { hasText: "Learner 2, question 2.3" }).waitFor();
  await page.keyboard.press("b");
  await page.locator("#answer", { hasText: "Learner 13, question 2.1" }).waitFor();
  await page.locator(".below ins", { hasText: "Three definitions, and each" }).waitFor();
  await page.keyboard.press("n");
  await page.locator("#answer", { hasText: "Learner 2, question 2.3" }).waitFor();
  // The points of the memo.
  for (const key of ["w", "e"]) await page.keyboard.press(key);
  assert.equal(await page.locator("#marks").inputValue(), "2");
  await page.keyboard.press("Enter");
  await page.locator("#answer", { hasText: "Learner 6, question 2.3" }).waitFor();
  await page.keyboard.press("b");
  await page.locator("#answer", { hasText: "Learner 2, question 2.3" }).waitFor();
  assert.equal(await page.locator(".memo-points :checked").count(), 2);
  await page.locator(".below", { hasText: "Not for the learner: (b) has every step" }).waitFor();
  await page.keyboard.press("n");
  await page.locator("#answer", { hasText: "Learner 6, question 2.3" }).waitFor();
  await page.keyboard.press("a");
  await page.locator("#answer", { hasText: "Learner 13, question 2.3" }).waitFor();
  await page.keyboard.press("a");
  await page.getByText("Every answer is decided. Nothing was stored.").waitFor();
  assert.deepEqual(sent, []);
  assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
  await page.goto(`${server.url}/marking?link=sample`);
  await page.getByText("0 of 6 decided").first().waitFor();
});

test("without script the sample desk is read, and a post to it stores nothing", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, { javaScriptEnabled: false });
  await page.goto(`${server.url}/marking?link=sample`);
  await page.getByText("Deciding needs JavaScript: without it they are here to read.").waitFor();
  await page.getByRole("link", { name: "Start marking" }).click();
  await page.getByRole("link", { name: "Next, without deciding" }).click();
  await page.locator("#answer", { hasText: "Learner 6, question 2.1" }).waitFor();
  await page.getByText("Osmosis is when water goes").waitFor();
  assert.equal(await page.locator(".mark-form").isVisible(), false);
  const url = "/marking?link=sample&view=mark&learner=6&question=2.1";
  const posted = await sendRequest(
    server.url,
    url,
    postOf("intent=save&question=2.1&seen=0&was=4&marks=4"),
  );
  assert.equal(posted.status, 403);
  assert.match(posted.bytes.toString(), /This is the sample: nothing is stored\./);
  const missing = await sendRequest(server.url, url.replace("learner=6", "learner=1"));
  assert.equal(missing.status, 404);
});
