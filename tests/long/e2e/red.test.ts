import assert from "node:assert/strict";
import { after, test } from "node:test";
import { viewsOn } from "../../../scripts/published-classes.ts";
import { closeBrowser, openPage } from "../../support/browser.ts";
import { redElements, redEverywhere } from "../../support/red-elements.ts";
import { startServer } from "../../support/server.ts";

after(closeBrowser);

const decided = ["ins", ".pen", ".marks .tick", ".marks del", ".circled", ".stamps"];

test("on every page of results red is only where a person decided, but for one button", async (t) => {
  const server = await startServer(t);
  const views = (await viewsOn(server)).filter(({ path }) => path.includes("results="));
  assert.ok(views.length > 30);
  const withDecisions: string[] = [];
  const faults: Record<string, string[]> = {};
  const open = () => openPage(t, {}, /status of (403|404|409|410|422)|ERR_FAILED/);
  const plain = await open();
  for (const { name, path, reach, isPrinted } of views) {
    const page = reach ? await open() : plain;
    await page.emulateMedia({ media: isPrinted ? "print" : "screen" });
    await page.goto(server.url + path);
    await reach?.(page);
    const { others } = await redElements(page, [...redEverywhere, ...decided]);
    if (others.length > 0) faults[name] = others;
    const buttons = await page.locator(".button:not(.quiet):visible").allTextContents();
    const main = buttons.filter((text) => text !== "Try Free Demo");
    if (main.length > 1) faults[`${name}: buttons`] = main;
    if ((await page.locator(decided.join()).count()) > 0) withDecisions.push(name);
    if (reach) await page.close();
  }
  assert.deepEqual(faults, {});
  for (const name of ["deciding-learner", "signed-class", "signed-slips-printed", "results"]) {
    assert.ok(withDecisions.includes(name), name);
  }
});
