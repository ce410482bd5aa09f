import type { TestContext } from "node:test";
import { openPage } from "./browser.ts";
import { storePages } from "./desk.ts";
import { sentToken, uploadPublished } from "./results.ts";
import { type Server, setUpOnce } from "./server.ts";

async function prepare(server: Server) {
  const names = [1, 2, 3].map((learner) => `learner-${learner}.txt`);
  await uploadPublished(server, names);
  return { server, link: `/?results=${await sentToken(server)}` };
}

const prepareWithoutScripts = setUpOnce(prepare);

const prepareWithScripts = setUpOnce(async (server) => {
  const prepared = await prepare(server);
  await storePages(server);
  return prepared;
});

/**
 * Opens the second learner of a class of three, under the link with which an educator decides.
 * @param withScripts the learners' files have pages
 */
export async function openSecondLearner(t: TestContext, { withScripts = false } = {}) {
  const { server, link } = await (withScripts ? prepareWithScripts() : prepareWithoutScripts());
  const page = await openPage(
    t,
    { bypassCSP: true },
    /ERR_INTERNET_DISCONNECTED|status of (404|409|422)/,
  );
  await page.goto(`${server.url}${link}&learner=2`);
  const decisions = () =>
    server.query(
      `SELECT student_name AS learner, question_number AS question, to_marks, comment FROM decisions
        JOIN submissions ON submissions.id = submission_id ORDER BY learner, question, decisions.id`,
    );
  return { server, link, page, decisions };
}
