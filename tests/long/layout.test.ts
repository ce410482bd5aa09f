import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage } from "../support/browser.ts";
import { startServer } from "../support/server.ts";

after(closeBrowser);

test("the header holds a brand of 40 characters in 64 pixels at every width", async (t) => {
  const name = "University of KwaZulu-Natal Marking Desk";
  assert.equal(name.length, 40);
  const server = await startServer(t, { env: { RUBRICON_BRAND_NAME: name } });
  const page = await openPage(t, {}, /status of 404/);
  await page.goto(`${server.url}/nowhere`);
  for (const width of [280, 320, 360, 768, 960, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const header = page.locator(".site-header");
    assert.ok((await header.textContent())!.includes(name));
    assert.equal((await header.boundingBox())!.height, 64, `${width} px`);
  }
});

test("a toast has the sign of its kind, is at the bottom, and never covers what is being filled in", async (t) => {
  const server = await startServer(t);
  for (const [width, height] of [
    [360, 640],
    [768, 600],
    [1280, 700],
  ] as const) {
    const page = await openPage(t, { viewport: { width, height } }, /status of 500/);
    await page.route("**/api/**", (route) => route.fulfill({ status: 500 }));
    await page.goto(`${server.url}/contact`);
    await page.locator(".text-form").scrollIntoViewIfNeeded();
    await page.waitForFunction(() =>
      Object.keys(document.querySelector("form.text-form, .text-form form, form")!).some((key) =>
        key.startsWith("__react"),
      ),
    );
    for (const [id, text] of [
      ["name", "Thandi Example"],
      ["email", "thandi@school.example"],
      ["phone", "+27 31 555 0100"],
      ["message", "Do you mark Sesotho essays?"],
    ]) {
      await page.locator(`#contact-${id}`).fill(text!);
    }
    await page.getByRole("button", { name: "Send the message" }).click();
    const toast = page.locator(".toast");
    await toast.waitFor();
    // The focus in a toast keeps it open.
    await page.keyboard.press("F8");
    assert.equal(await toast.locator(".cross").count(), 1);
    const box = (await toast.boundingBox())!;
    assert.ok(box.y + box.height <= height && box.y > height / 2, `${width}: at ${box.y}`);
    for (const field of ["name", "email", "phone", "message"]) {
      await page.locator(`#contact-${field}`).focus();
      // Scrolling is smooth, so it takes its time.
      await page.waitForFunction((field) => {
        const control = document.getElementById(`contact-${field}`)!.getBoundingClientRect();
        const { top, right } = document.querySelector(".toast")!.getBoundingClientRect();
        return control.bottom <= top || control.left >= right;
      }, field);
    }
  }
});
