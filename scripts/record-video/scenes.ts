/** The shooting script: what is seen, under which caption, for how many seconds. */
import type { Page } from "playwright-core";
import type { Papers } from "./papers.ts";
import type { Stage } from "./stage.ts";

/** Plays all scenes in order: the results, the marking of an answer, the upload, and the results again. */
export async function play(stage: Stage, papers: Papers): Promise<void> {
  await readResults(stage);
  await markAnAnswer(stage);
  await chooseFiles(stage, papers);
  await sendFiles(stage);
  await returnToResults(stage);
}

/** Opens the results of the sample, because real marking takes a day. */
async function openResults(stage: Stage): Promise<void> {
  await stage.open("/?results=sample");
  await stage.page.locator(".results.scripted").waitFor();
  await stage.jumpTo(stage.page.locator(".results"), 24);
}

async function readResults(stage: Stage): Promise<void> {
  const { page, film, pointer } = stage;
  const results = page.locator(".results");
  await openResults(stage);
  await film.shot(
    4.2,
    "What comes back: a class on one page. This one is made up. There is no sound.",
    async () => {
      await film.hold(3);
      await stage.scrollTo(results.locator(".dots"), 40);
    },
  );

  await film.shot(4.4, "What to teach again, and every mark, question by question.", async () => {
    await stage.scrollTo(results.getByRole("heading", { name: "What do I teach again?" }), 24);
    await film.hold(1.4);
    await stage.scrollTo(results.locator(".learners"), 24);
  });

  const caption = "Press a learner: a mark for each answer, and the reason for it.";
  await film.shot(4.8, caption, async () => {
    await pointer.press(results.getByRole("link", { name: "Learner 02", exact: true }));
    const dialog = page.locator("dialog:modal");
    await dialog.getByRole("table").waitFor();
    await film.hold(1.2);
    await stage.scrollTo(dialog.locator(".below").nth(1), 300);
  });
}

/** Marks an answer on the sample desk, where any visitor may do the same. */
async function markAnAnswer(stage: Stage): Promise<void> {
  const { page, film, pointer } = stage;
  await stage.open("/marking?link=sample&view=mark");
  const points = page.locator(".memo-points .check");
  await points.locator("kbd").first().waitFor();
  await stage.jumpTo(page.locator("#answer"), 24);
  await film.shot(
    5.6,
    "On the desk a marker has the answer, and the memo point by point.",
    async () => {
      await film.hold(3);
      await stage.scrollTo(page.locator(".answer"), 40);
    },
  );

  await film.shot(
    8.4,
    "Ticks add up to the mark. Save, and the next learner is there.",
    async () => {
      const earned = [points.nth(0), points.nth(1), points.nth(2), points.nth(4), points.nth(5)];
      for (const point of earned) {
        // On a phone the bar with the mark would cover some points, so each is scrolled to.
        await stage.scrollTo(point, 300);
        await pointer.press(point.locator("input"));
      }
      await film.hold(0.6);
      await pointer.press(page.getByRole("button", { name: "Save and next" }));
      await page.getByText("1 of 6 decided").first().waitFor();
      await stage.jumpTo(page.locator("#answer"), 24);
    },
  );
}

async function chooseFiles(stage: Stage, papers: Papers): Promise<void> {
  const { page, film, pointer } = stage;
  const demo = page.locator("#demo");
  await stage.open("/#demo");
  await page.waitForFunction(() => document.querySelector("#demo dialog:not([open])"));
  await stage.jumpTo(demo.locator("h2"), 24);
  const caption = "For that, it takes three files: question paper, memo or rubric, scripts.";
  await film.shot(7.2, caption, async () => {
    await film.hold(0.8);
    const files = [[papers.questions], [papers.rubric], papers.scripts];
    for (const [index, chosen] of files.entries()) {
      const picker = demo.locator(".file-picker").nth(index);
      await stage.scrollTo(picker, 90);
      await pointer.give(chosen, picker);
      await film.hold(0.3);
    }
  });
}

/** Made-up details of a teacher, in the order of the fields. */
const teacher = ["Thandi Example", "thandi@school.example", "+27 31 555 0100"];

async function sendFiles(stage: Stage): Promise<void> {
  const { page, film, pointer } = stage;
  const dialog = page.locator("dialog:modal");
  await film.shot(4.2, "“Process with AI” asks where the marked work should go.", async () => {
    await pointer.press(page.getByRole("button", { name: "Process with AI" }));
    await pointer.press(dialog.getByLabel("Full name *"));
    for (const text of teacher) {
      for (const character of text) {
        await page.keyboard.type(character);
        await film.frame();
      }
      await page.keyboard.press("Tab");
    }
  });

  await slowDownSending(page);
  const thanks = page.locator(".thank-you");
  await film.shot(
    5.4,
    "Sending: the page shows how far the files are, then the receipt.",
    async () => {
      const send = page.getByRole("button", { name: "Send the files" });
      await stage.scrollTo(send, 500);
      await pointer.press(dialog.getByLabel(/^I may share/));
      await pointer.press(send);
      await film.watch(3, () => thanks.isVisible());
      await stage.jumpTo(thanks, 24);
    },
  );

  await film.shot(3.8, "Received: a reference, and what happens when.", () => film.hold(3));
}

/** Slows sending down: the scripts of a class take three seconds. */
async function slowDownSending(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 2_600_000,
  });
}

async function returnToResults(stage: Stage): Promise<void> {
  await openResults(stage);
  await stage.film.shot(3.2, "The reply is an email, with a link to a page like this one.", () =>
    stage.film.hold(3),
  );
}
