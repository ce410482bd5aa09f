import type { TestContext } from "node:test";
import { openPage } from "./browser.ts";
import { type ClassFiles, sentToken, uploadPublished } from "./results.ts";
import { emptyServer, type Server, setUpOnce } from "./server.ts";

async function prepare(server: Server, files?: ClassFiles) {
  const names = [1, 2, 3].map((learner) => `learner-${learner}.txt`);
  await uploadPublished(server, names, files);
  return { server, link: `/?results=${await sentToken(server)}` };
}

const prepareWithoutScripts = setUpOnce(prepare);

/** Opens the second learner of a class of three, under the link with which an educator decides. */
export async function openSecondLearner(t: TestContext, files?: ClassFiles) {
  const { server, link } = await (files
    ? prepare(await emptyServer(), files)
    : prepareWithoutScripts());
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
