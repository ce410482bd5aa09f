import type { Scope } from "./at-end.ts";
import { openPage } from "./browser.ts";
import { storePages } from "./desk.ts";
import { sentToken, uploadPublished } from "./results.ts";
import { setUpOnce } from "./server.ts";

const prepare = setUpOnce(async (server) => {
  const names = [1, 2, 3].map((learner) => `learner-${learner}.txt`);
  await uploadPublished(server, names);
  await storePages(server);
  return { server, link: `/?results=${await sentToken(server)}` };
});

/**
 * Opens the second learner of a class of three, whose files have pages, under the link with which an educator decides.
 * @param query another page under the link
 */
export async function openSecondLearner(t: Scope, query = "&learner=2") {
  const { server, link } = await prepare();
  const page = await openPage(
    t,
    { bypassCSP: true },
    /ERR_INTERNET_DISCONNECTED|status of (404|409|422)/,
  );
  await page.goto(server.url + link + query);
  const decisions = () =>
    server.query(
      `SELECT student_name AS learner, question_number AS question, to_marks, comment FROM decisions
        JOIN submissions ON submissions.id = submission_id ORDER BY learner, question, decisions.id`,
    );
  return { server, link, page, decisions };
}
