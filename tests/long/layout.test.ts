import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage } from "../support/browser.ts";
import { waitForHydration } from "../support/browser-forms.ts";
import { contactTyped } from "../support/forms.ts";
import { textOfPages } from "../support/pdf-text.ts";
import { sharedServer, startServer } from "../support/server.ts";

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
    assert.ok(
      await header.evaluate((element) => element.scrollWidth <= element.clientWidth),
      `${width} px: the header is cut off`,
    );
  }
});

for (const [width, height] of [
  [360, 640],
  [768, 600],
  [1280, 700],
] as const) {
  test(`a toast with a cross never covers the field that is being filled in, at ${width}`, async (t) => {
    const server = await sharedServer();
    // Scrolling takes no time.
    const options = { viewport: { width, height }, reducedMotion: "reduce" } as const;
    const page = await openPage(t, options, /status of 500/);
    await page.route("**/api/**", (route) => route.fulfill({ status: 500 }));
    await page.goto(`${server.url}/contact`);
    await page.locator(".text-form").scrollIntoViewIfNeeded();
    await waitForHydration(page);
    for (const [id, text] of Object.entries(contactTyped)) {
      await page.locator(`#contact-${id}`).fill(text);
    }
    await page.getByRole("button", { name: "Send the message" }).click();
    // In one call, because a toast closes after five seconds.
    const { top, bottom, covered } = await page.evaluate(async (fields) => {
      const nextFrame = () => new Promise(requestAnimationFrame);
      while (!document.querySelector(".toast svg.cross")) await nextFrame();
      const { top, bottom, right } = document.querySelector(".toast")!.getBoundingClientRect();
      const covered: string[] = [];
      for (const field of fields) {
        const control = document.getElementById(`contact-${field}`)!;
        control.focus();
        // Browsers scroll to what has the focus in the next frame.
        for (const _ of [1, 2]) await nextFrame();
        const at = control.getBoundingClientRect();
        if (at.bottom > top && at.left < right) covered.push(field);
      }
      return { top, bottom, covered };
    }, Object.keys(contactTyped));
    assert.ok(top > height / 2 && bottom <= height, `the toast is from ${top} to ${bottom}`);
    assert.deepEqual(covered, []);
  });
}

test("an article has 60 to 70 characters a line beside its contents", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, { javaScriptEnabled: false });
  await page.goto(`${server.url}/exam-grading-accuracy-comparison`);
  for (const width of [768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const length = await page.evaluate(medianLineLength);
    assert.ok(length >= 60 && length <= 70, `${width}: ${length} characters`);
  }
  assert.ok(await page.locator(".contents a").first().isVisible());
});

test("on a phone the contents of an article open by a tap", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, {
    javaScriptEnabled: false,
    viewport: { width: 360, height: 740 },
  });
  await page.goto(`${server.url}/exam-grading-accuracy-comparison`);
  const link = page.locator(".contents a").first();
  assert.ok(!(await link.isVisible()));
  await page.getByText("In this article").locator("visible=true").click();
  assert.ok(await link.isVisible());
});

/** Runs in the page: the median length of the full lines of its paragraphs. */
function medianLineLength(): number {
  const lengths: number[] = [];
  for (const paragraph of document.querySelectorAll(".prose > p")) {
    const text = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
    let line = { top: Number.NaN, length: 0 };
    const lines = [line];
    const range = document.createRange();
    while (text.nextNode()) {
      const node = text.currentNode as Text;
      for (let at = 0; at < node.length; at += 1) {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { top, height } = range.getBoundingClientRect();
        if (height > 0 && !(Math.abs(top - line.top) < 8)) {
          line = { top, length: 0 };
          lines.push(line);
        }
        line.length += 1;
      }
    }
    lengths.push(...lines.slice(1, -1).map(({ length }) => length));
  }
  return lengths.sort((a, b) => a - b)[Math.floor(lengths.length / 2)]!;
}

test("the blog cuts off no article’s line, which is one row on a wide window", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, { javaScriptEnabled: false });
  await page.goto(`${server.url}/blog`);
  for (const width of [360, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const lines = await page.locator(".article-list .excerpt").evaluateAll((all) =>
      all.map((line) => {
        // Lines of the text itself: its box is taller beside a byline of three lines.
        const words = document.createRange();
        words.selectNodeContents(line);
        return {
          text: line.textContent,
          isCut: line.scrollHeight > line.clientHeight + 1 || line.scrollWidth > line.clientWidth,
          rows: words.getClientRects().length,
        };
      }),
    );
    assert.equal(lines.length, 35);
    const bad = lines.filter(({ isCut, rows }) => isCut || (width >= 1280 && rows > 1));
    assert.deepEqual(bad, [], `lines at ${width}`);
  }
});

test("the articles of the blog take less than 3,100 pixels", async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false });
  await page.goto(`${(await sharedServer()).url}/blog`);
  const heights = await page
    .locator(".article-list")
    .evaluateAll((lists) => lists.map((list) => list.clientHeight));
  const height = heights.reduce((sum, one) => sum + one, 0);
  assert.ok(height > 0 && height < 3100, `${height} pixels`);
});

test("on paper no heading is the last line of a page", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t);
  for (const path of ["/exam-grading-accuracy-comparison", "/features", "/about", "/"]) {
    await page.goto(server.url + path);
    const headings = (await page.locator("h2, h3").allTextContents()).map(joined);
    const pages = textOfPages(await page.pdf({ format: "A4" }));
    assert.ok(pages.length > 1, path);
    for (const text of pages.slice(0, -1)) {
      const orphan = headings.find((heading) => joined(text).endsWith(heading));
      assert.equal(orphan, undefined, `${path}: the heading that ends a page`);
    }
  }
});

test("on paper the page of features has what its lists say", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t);
  await page.goto(`${server.url}/features`);
  const features = joined(textOfPages(await page.pdf({ format: "A4" })).join(" "));
  assert.ok(
    features.includes(
      joined("Ticks, crosses and short comments stand on the page that they speak of"),
    ),
  );
});

const joined = (text: string) => text.replace(/\s+/g, "");
