import { data, redirect } from "react-router";
import { counted } from "../domain/counted.ts";
import { type DecisionRejection, decisionFields, type SigningOutcome } from "../domain/decision.ts";
import type { LearnerOutcome, NextAnswer, PaperOutcome, StampOutcome } from "../domain/desk.ts";
import type { AskOutcome } from "../domain/lead-question.ts";
import type { ProblemOutcome } from "../domain/scan.ts";
import { differencesField, isMarkTyped, withoutReasons } from "../results/decision-form.ts";
import { differencesText } from "../results/decision-progress.ts";
import { maxTyped } from "../results/typed-decision.ts";
import type { ReturnedDeskForm } from "../ui/marking/desk-page.tsx";
import { privateHeaders } from "./form-route.ts";

export type Typed = Record<string, string>;

/** Why a post was rejected: a sentence for the person, and the status of the response. */
export type Rejected = { status: number; error: string } & Pick<
  ReturnedDeskForm,
  "current" | "deskHref" | "lines" | "effects" | "field"
> &
  /** `typed`: what the form shows, if not what was posted. */
  Partial<Pick<ReturnedDeskForm, "intent" | "typed">>;

/** Responds by a redirect (303) to the URL that `perform` returns, or by the form with why nothing was stored. */
export async function respondToPrivatePost(
  readTexts: () => Promise<Typed | undefined>,
  perform: (typed: Typed) => Promise<string | Rejected>,
) {
  const typed = await readTexts();
  const next = typed ? await perform(typed) : unreadablePost;
  return typeof next === "string"
    ? redirect(next, { status: 303, headers: privateHeaders })
    : returned(typed ?? {}, next);
}

/** Returns a form with the typed fields that pages fill in again, and with why nothing was stored. */
function returned(posted: Typed, { status, typed = posted, ...rejected }: Rejected) {
  // A person who agrees types no mark, so fill in the mark that the form showed.
  const isAgreed = typed.intent === "agree" && !isMarkTyped(typed);
  const all = isAgreed ? { ...typed, marks: typed.was ?? "" } : typed;
  const shown = Object.entries(all).flatMap(([name, text]) =>
    shownNames.has(name) || shownNumbers.test(name)
      ? [[name, text.slice(0, name === "lines" ? maxLinesLength : maxTyped)] as const]
      : [],
  );
  return data<ReturnedDeskForm>(
    { intent: typed.intent ?? "", typed: Object.fromEntries(shown), ...rejected },
    { status, headers: privateHeaders },
  );
}

/** The fields that pages fill in again with what was typed. */
const shownNames = new Set<string>([
  ...decisionFields,
  "question",
  "title",
  "lines",
  "other",
  "page",
  "from",
  "points",
  "to",
  "number",
  "name",
  "stamp",
  "stampText",
  "ask",
  "down",
  "changesDecided",
  differencesField,
  withoutReasons,
]);
const shownNumbers = /^(page|nought|tick)-\d{1,15}$|^point-\d{1,3}-\d{1,3}$/;

/** Maximum characters of the returned questions: their field takes 60,000, and a line end is posted as two. */
const maxLinesLength = 64_000;

export const unreadablePost: Rejected = {
  status: 400,
  error: "What was sent could not be read, was too long, or had a field twice. Nothing was stored.",
};

export const postToSample: Rejected = {
  status: 403,
  error: "This is the sample: nothing is stored. Deciding in it needs JavaScript.",
};

export const incomplete: Rejected = {
  status: 400,
  error: "The form was incomplete, and nothing was stored. Please fill it in on this page again.",
};

type RejectedOutcome =
  | DecisionRejection
  | Exclude<
      | NextAnswer
      | PaperOutcome
      | LearnerOutcome
      | StampOutcome
      | ProblemOutcome
      | SigningOutcome
      | AskOutcome,
      { outcome: "stored" | "answer" | "none" }
    >;

/** Says to the person why nothing was stored. */
export function rejectionOf(outcome: RejectedOutcome): Rejected {
  const rejection = rejections[outcome.outcome];
  // TypeScript does not see that the function under an outcome's name takes that outcome.
  const [status, error, shown] =
    typeof rejection === "function" ? rejection(outcome as never) : rejection;
  return { status, error, ...shown };
}

type Rejection = [
  status: number,
  error: string,
  shown?: Pick<Rejected, "current" | "effects" | "field">,
];

const notFound: Rejection = [
  404,
  "There is no such learner or answer, or this link does not open it. Nothing was stored.",
];

const rejections: {
  [Name in RejectedOutcome["outcome"]]:
    | Rejection
    | ((outcome: Extract<RejectedOutcome, { outcome: Name }>) => Rejection);
} = {
  "no link": [404, "This link is not open any more. What you sent was not stored."],
  "reading copy": [
    403,
    "This is a reading copy: nothing can be decided here, and nothing was stored.",
  ],
  signed: ({ signature }) => [
    409,
    `${signature.by} has signed these marks, so nothing was stored. Ask our team to reopen them.`,
  ],
  "no learner": notFound,
  "no question": notFound,
  "limited link": [403, "This link opens a part of the class and cannot change this."],
  "educator’s link": [
    403,
    "Questions, learners and problem pages are here to read, and nothing was changed. Ask our team to change them.",
  ],
  "too many": ({ totalMarks }) => [
    422,
    `This question has ${counted(totalMarks, "mark")}. Nothing was stored.`,
  ],
  conflict: (outcome) =>
    "mark" in outcome
      ? [
          409,
          "This mark has changed since the page was opened. Yours was not stored yet.",
          { current: outcome.mark },
        ]
      : [
          409,
          "The questions have changed since this page was opened. Nothing of yours was stored yet: these are the new ones. Save to put yours in their place.",
        ],
  "other points": [
    409,
    "The points of this question have changed since the page was opened. Your mark was not stored yet: look at the ticks again, then save.",
  ],
  affects: ({ effects: sentences, version, points }) => [
    409,
    sentences.length > 0
      ? "Look at what this changes. Nothing was changed yet."
      : "Look at the points of the memos, then save. Nothing was changed yet.",
    { effects: { sentences, version, points } },
  ],
  decided: [409, "An answer of the learner is decided already, so the pages stay where they are."],
  "has marks": [409, "A mark of the learner is decided already, so the learner was not absent."],
  "has work": [409, "The learner has sent work, so nothing was changed."],
  "no page": [
    422,
    "There is no such page, or it is the first of its file, which stays.",
    { field: "page" },
  ],
  "no place": [404, "The learner’s work has no such page, so nothing was changed."],
  "too many stamps": ({ max }) => [
    422,
    `A learner’s pages in a file may have ${max} stamps, and these have them all.`,
  ],
  "asked before": [409, "You have asked the lead about this answer already. This was not sent."],
  "too many questions": ({ max }) => [
    422,
    `${max} of your questions to the lead have no reply. This one was not sent.`,
  ],
  "no problem page": [404, "There is no such problem page. Nothing was changed."],
  given: [
    409,
    "A page has been given to a learner meanwhile. Nothing was changed: to move it, put it back first.",
  ],
  "number taken": [422, "Another learner has this number.", { field: "number" }],
  undecided: [409, "Some marks are not decided yet, so the class is not signed."],
  "decided since": [
    409,
    "The marks have changed since this page was opened. Look at the figures again, then sign.",
  ],
  differences: ({ count }) => [
    422,
    `The class is not signed: ${differencesText(count)}. Decide them on the desk, or tick that the first mark counts.`,
  ],
};
