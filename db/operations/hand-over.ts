/** Gives what a marker has not decided to another marker, by a new link in place of the one before. */
import type { NewMarkingLink } from "../../app/domain/desk.ts";
import { answersIn } from "../../app/results/answer-states.ts";
import type { Tx } from "../operation.ts";
import { statesOf } from "./answers.ts";
import { lockAssessment } from "./class-rows.ts";
import {
  closeMarkingLinks,
  findOpenLink,
  type MarkingEmail,
  openMarkingLinkOf,
  storeMarkingLink,
} from "./marking-links.ts";
import { questionRows } from "./questions.ts";

/**
 * Closes a link, and adds a link to those of its questions and learners that have open answers. Before the class has
 * questions, the new link opens the same as the closed link. A link to the whole class is replaced by another to the
 * whole class, because its marker prepares the class.
 * @returns "stored"; "open already" if the new link exists; "closed" if no open link of the class has this id; "nothing
 * left" if all answers under the old link are decided
 */
export async function handOverMarking(
  tx: Tx,
  assessmentId: number,
  { linkId, token, marker }: Pick<NewMarkingLink, "token" | "marker"> & { linkId: number },
  mail: MarkingEmail | undefined,
  now: Date,
): Promise<"stored" | "open already" | "closed" | "nothing left"> {
  await lockAssessment(tx, assessmentId);
  // Looks for the token alone, even if the link is emailed: the marker may have another emailed link.
  if (await findOpenLink(tx, assessmentId, token, now)) return "open already";
  const oldLink = await openMarkingLinkOf(tx, assessmentId, linkId, now);
  if (!oldLink) return "closed";
  const { questions, learners, showsNames, tolerance, expiresAt } = oldLink;
  const paper = await questionRows(tx, assessmentId);
  const states = await statesOf(tx, { assessmentId, link: oldLink }, paper);
  const answersLeft = answersIn(states, "question").open();
  const hasQuestions = paper.length > 0;
  if (answersLeft.length === 0 && hasQuestions) return "nothing left";
  const openQuestions = new Set(answersLeft.map(({ questionNumber }) => questionNumber));
  const openLearners = new Set(answersLeft.map(({ learnerId }) => learnerId));
  await closeMarkingLinks(tx, assessmentId, linkId, now);
  const part = hasQuestions
    ? {
        questions: questions?.filter((number) => openQuestions.has(number)) ?? null,
        learners: learners?.filter((id) => openLearners.has(id)) ?? null,
      }
    : { questions, learners };
  const added = { token, marker, ...part, showsNames, tolerance, expiresAt: new Date(expiresAt) };
  await storeMarkingLink(tx, assessmentId, added, mail, now);
  return "stored";
}
