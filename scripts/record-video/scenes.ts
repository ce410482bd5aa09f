import type { Page } from "playwright-core";
import type { Film } from "./film.ts";
import type { Papers } from "./papers.ts";
import type { Pointer } from "./pointer.ts";

/** Nobody: the number and the address are set aside for examples. */
const teacher = {
  "Full name *": "Thandi Example",
  "Email address *": "thandi@school.example",
  "Contact number *": "+27 31 555 0100",
};

/** About a home connection's; the whole class's scripts then take five seconds. */
const uploadBytesPerSecond = 1_400_000;

/** What the video shows, in its order. */
export async function play(
  page: Page,
  url: string,
  film: Film,
  pointer: Pointer,
  papers: Papers,
): Promise<void> {
  const demo = page.locator("#demo");
  await page.goto(`${url}/#demo`);
  await page.waitForFunction(() => document.querySelector("#demo dialog:not([open])"));
  await pointer.appear();
  await pointer.scrollTo(demo.locator("h2"), 48);

  film.say("A teacher tries the free demo with a class test. There is no sound.");
  await film.hold(2.6);

  film.say("First the question paper. PDF, Word or plain text will do.");
  const pickers = demo.locator(".file-picker");
  await pointer.drop([papers.questions], "Life Sciences test 2.pdf", pickers.nth(0));
  await film.hold(1);
  film.say("Then the memo or rubric that the marks are to come from.");
  await pointer.drop([papers.rubric], "Memo test 2.pdf", pickers.nth(1));
  await film.hold(1);
  film.say("Then the scripts: one file for each learner, numbers in place of names.");
  await pointer.drop(papers.scripts, "8 files", pickers.nth(2));
  await film.hold(1.4);

  film.say("With all three there, “Process with AI” asks where the marked work should go.");
  const process = page.getByRole("button", { name: "Process with AI" });
  await pointer.scrollTo(process, 560);
  await pointer.click(process);
  await film.hold(0.8);
  for (const [label, text] of Object.entries(teacher)) {
    await pointer.click(demo.getByLabel(label));
    for (const letter of text) {
      await page.keyboard.type(letter);
      await film.frame();
    }
    await film.hold(0.3);
  }

  film.say("Sending: the page says how far the files are, and what happens to them.");
  const session = await page.context().newCDPSession(page);
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: uploadBytesPerSecond,
  });
  const thanks = page.locator(".thank-you");
  await pointer.click(page.getByRole("button", { name: "Send the files" }));
  await film.watch(() => thanks.isVisible());
  film.posterAt = film.seconds - 1.5;

  film.say(
    "Received, with a reference and a list. The marked work comes by e-mail within 24 hours.",
  );
  await pointer.scrollTo(demo.locator("h2"), 48);
  await film.hold(4);
}
