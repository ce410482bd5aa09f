import type { Locator, Page } from "playwright-core";
import type { Film } from "./film.ts";
import type { Papers } from "./papers.ts";
import type { Pointer } from "./pointer.ts";

interface Stage {
  page: Page;
  url: string;
  film: Film;
  pointer: Pointer;
}

/** Plays all scenes of the video in order. */
export async function play(stage: Stage, papers: Papers): Promise<void> {
  await chooseFiles(stage, papers);
  await fillInDetails(stage);
  await send(stage);
  await readSample(stage);
}

async function chooseFiles({ page, url, film, pointer }: Stage, papers: Papers): Promise<void> {
  const demo = page.locator("#demo");
  await page.goto(`${url}/#demo`);
  await page.waitForFunction(() => document.querySelector("#demo dialog:not([open])"));
  await pointer.appear();
  await jumpTo(demo.locator("h2"), 48);
  film.caption("A teacher tries the free demo with a class test. There is no sound.");
  await film.hold(2.8);

  film.caption("First the question paper. PDF, Word or plain text will do.");
  const pickers = demo.locator(".file-picker");
  await pointer.drop([papers.questions], "Life Sciences test 2.pdf", pickers.nth(0));
  await film.hold(1);
  film.caption("Then the memo or rubric that the marks are to come from.");
  await pointer.drop([papers.rubric], "Memo test 2.pdf", pickers.nth(1));
  await film.hold(1);
  film.caption("Then the scripts: one file for each learner, numbers in place of names.");
  await pointer.drop(papers.scripts, "8 files", pickers.nth(2));
  await film.hold(1.4);
}

/** Made-up details. */
const teacher = {
  "Full name *": "Thandi Example",
  "Email address *": "thandi@school.example",
  "Contact number *": "+27 31 555 0100",
};

async function fillInDetails({ page, film, pointer }: Stage): Promise<void> {
  film.caption("With all three there, “Process with AI” asks where the marked work should go.");
  const process = page.getByRole("button", { name: "Process with AI" });
  await pointer.scrollTo(process, 560);
  await pointer.click(process);
  await film.hold(0.8);
  for (const [label, text] of Object.entries(teacher)) {
    await pointer.click(page.locator("dialog:modal").getByLabel(label));
    for (const character of text) {
      await page.keyboard.type(character);
      await film.frame();
    }
    await film.hold(0.3);
  }
}

/** Like a home connection: the scripts of a class take five seconds. */
const uploadBytesPerSecond = 1_400_000;

async function send({ page, film, pointer }: Stage): Promise<void> {
  film.caption("Sending: the page says how far the files are, and what happens to them.");
  const session = await page.context().newCDPSession(page);
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: uploadBytesPerSecond,
  });
  const thanks = page.locator(".thank-you");
  const sendButton = page.getByRole("button", { name: "Send the files" });
  await sendButton.scrollIntoViewIfNeeded();
  await film.hold(0.6);
  await pointer.click(sendButton);
  await film.watch(() => thanks.isVisible());
  await session.detach();
  film.caption("Received, with a reference. The marked work comes by e-mail within 24 hours.");
  await pointer.scrollTo(page.locator("#demo h2"), 48);
  await film.hold(3.4);
}

/** Shows the sample result, because real marking takes a day. */
async function readSample({ page, url, film, pointer }: Stage): Promise<void> {
  await page.goto(`${url}/?results=sample`);
  const results = page.locator(".results");
  await pointer.appear();
  await jumpTo(results, 32);
  await page.locator(".results.scripted").waitFor();
  film.caption("What comes back, of a class that we made up: the average, and the grades by band.");
  await film.hold(3.6);

  film.caption("Each learner’s mark out of 50, with a word on the whole script.");
  await pointer.scrollTo(results.locator(".learners"), 32);
  await film.hold(2.4);

  film.caption("And question by question, the mark and the reason for it.");
  await pointer.click(results.getByRole("link", { name: "Learner 01", exact: true }));
  const dialog = page.locator("dialog:modal");
  await dialog.getByRole("table").waitFor();
  await film.hold(3.6);
  film.caption("The service proposes. The teacher agrees, changes a mark, or strikes it out.");
  await pointer.click(dialog.getByRole("button", { name: "Next" }));
  await film.hold(3.6);
}

/** Scrolls without animation, like a cut, to `offset` pixels above the target. */
const jumpTo = (target: Locator, offset: number) =>
  target.evaluate((element, offset) => {
    scrollBy({ top: element.getBoundingClientRect().top - offset, behavior: "instant" });
  }, offset);
