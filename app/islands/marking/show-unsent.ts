import { keyIn, markFormIn } from "./answer-element.ts";
import type { DeskTab } from "./desk-tab.ts";
import { fill } from "./typed-fields.ts";
import { keyOf, type UnsentMark } from "./unsent-marks.ts";

/** Why a mark was not stored, or what becomes of it if it could not be sent. */
export const whyUnsent = ({ problem }: UnsentMark): string =>
  problem ?? "Your mark is kept here, and sent again once the line is back.";

export function urlOf({ learner, fields }: UnsentMark): string {
  const url = new URL(window.location.href);
  const { link = "", order } = Object.fromEntries(url.searchParams);
  const answer = { view: "mark", learner, question: fields.question ?? "" };
  url.search = String(new URLSearchParams({ link, ...answer, ...(order && { order }) }));
  return url.href;
}

/** The learner, the question and what was decided. */
export const labelOf = ({ answer, fields }: UnsentMark) => `${answer}, ${givenIn(fields)}`;

function givenIn({ intent, notAnswered, marks, was }: UnsentMark["fields"]): string {
  if (intent === "absent") return "absent";
  if (intent === "ask") return "a question to the lead";
  if (notAnswered) return "not answered";
  if (intent === "agree") return `mark ${was}`;
  return marks === "" ? "no mark" : `mark ${marks}`;
}

/** Lists the marks that are not stored, with links to their answers, and fills in the mark of the shown answer. */
export function showUnsent({ element, unsent, hasTyped }: DeskTab): void {
  const marks = unsent.all();
  element.querySelector(".not-saved")?.remove();
  if (marks.length > 0) {
    const list = document.createElement("ul");
    list.className = "not-saved";
    list.append(...marks.map(itemOf));
    element.querySelector(".desk-head")?.after(list);
  }
  const form = markFormIn(element);
  const mark = marks.find((one) => keyOf(one) === keyIn(element));
  if (!form || !mark) return;
  const { fields, problem } = mark;
  // If the points have changed, the form shows the server's draft of the rejected mark, with the new sum: keep that.
  const isOld =
    problem && form.querySelector<HTMLInputElement>('[name="points"]')?.value !== fields.points;
  // What the marker has typed since stays.
  if (["save", "agree"].includes(fields.intent!) && !hasTyped() && !isOld) fill(form, fields);
  // The form on the page has the rejected mark from here on, so it need not be kept.
  if (problem) unsent.forget(mark);
}

function itemOf(mark: UnsentMark): HTMLLIElement {
  const { fields, problem } = mark;
  const item = document.createElement("li");
  const back = document.createElement("a");
  back.href = urlOf(mark);
  back.textContent = labelOf(mark);
  // Show the comment, because a closed link shows it nowhere else.
  const comment = problem && fields.comment ? `, “${fields.comment}”` : "";
  const state = problem ? "Not stored: " : "Not saved yet: ";
  item.append(state, back, `${comment}. ${whyUnsent(mark)}`);
  return item;
}
