import { fetchPart, learnerIn, opensElsewhere } from "./fetch-part.ts";
import { say } from "./say.ts";

/** Opens the links from a class to its learners in a dialog, which shows the server's page of the learner. */
export function openLearnersInDialog(results: HTMLElement): void {
  results.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a");
    if (!link || opensElsewhere(event) || !results.querySelector("#learners")) return;
    const rows = [...results.querySelectorAll<HTMLAnchorElement>("th a")].filter(isLearner);
    const opened = rows.findIndex(({ href }) => href === link.href);
    if (opened === -1) return;
    event.preventDefault();
    openDialog(rows, opened);
  });
}

const isLearner = ({ href }: HTMLAnchorElement) => learnerIn(href) !== null;

function openDialog(rows: HTMLAnchorElement[], first: number): void {
  let shown = first;
  const { dialog, previous, next, position, marks } = dialogElements();
  const go = async (target: number) => {
    const row = rows[target];
    if (!row) return;
    shown = target;
    position.textContent = `${target + 1} of ${rows.length}`;
    previous.ariaDisabled = String(target === 0);
    next.ariaDisabled = String(target === rows.length - 1);
    await showLearner(marks, row.href, () => shown === target);
  };
  previous.addEventListener("click", () => void go(shown - 1));
  next.addEventListener("click", () => void go(shown + 1));
  dialog.addEventListener("close", () => {
    dialog.remove();
    // The browser itself returns the focus to the link that opened the dialog.
    if (shown !== first) rows[shown]!.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  // Screen readers read a sentence only in an element that was there before it.
  say(marks, "", { isShown: false });
  void go(first);
}

async function showLearner(
  marks: HTMLElement,
  href: string,
  isWanted: () => boolean,
): Promise<void> {
  marks.textContent = "Fetching the marks";
  const part = await fetchPart(href).catch(() => undefined);
  if (!isWanted()) return;
  if (part?.results) {
    marks.replaceChildren(...document.importNode(part.results, true).childNodes);
    // The dialog has buttons of its own, so remove the page's links to the class and the next learner, and its title.
    for (const one of marks.querySelectorAll(":scope > :is(h2, .actions), .what-next"))
      one.remove();
    say(marks, marks.querySelector("h3")?.textContent ?? "", { isShown: false });
    return;
  }
  const problem = document.createElement("p");
  problem.className = "field-error";
  problem.textContent = part
    ? "This link is not open any more."
    : "The marks could not be fetched.";
  marks.replaceChildren(problem);
  if (!part) {
    const again = button("Try again");
    again.addEventListener("click", () => void showLearner(marks, href, isWanted));
    marks.append(again);
  }
  say(marks, problem.textContent);
}

/** Makes the dialog. The buttons are above the marks, so they stay in place however many marks a learner has. */
function dialogElements() {
  const dialog = document.createElement("dialog");
  dialog.className = "learner-dialog";
  dialog.ariaLabel = "Question by question";
  const navigation = document.createElement("form");
  navigation.method = "dialog";
  navigation.className = "dialog-navigation cluster flush";
  const close = button("Close");
  close.type = "submit";
  const [previous, next] = [button("Previous"), button("Next")];
  const position = document.createElement("span");
  position.className = "hint figures";
  navigation.append(close, previous, next, position);
  const marks = document.createElement("div");
  marks.className = "results";
  dialog.append(navigation, marks);
  return { dialog, previous, next, position, marks };
}

function button(text: string): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "button quiet small";
  element.textContent = text;
  return element;
}
