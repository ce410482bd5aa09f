import { type Desk, decideInPlace, fill, hasTyped, type Place } from "./decide-in-place.ts";
import { learnerIn } from "./fetch-part.ts";
import { say } from "./say.ts";

/**
 * Opens the links from a class to its learners in a dialog, with the server's page of the learner.
 * @param onPlace called with the place in which a learner is shown, and without one when the dialog closes
 */
export function openLearnersInDialog(
  results: HTMLElement,
  desk: Desk,
  onPlace: (place: Place | undefined) => void,
): void {
  results.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a");
    const href = link?.getAttribute("href") ?? "";
    // “Look first” leads from page to page.
    const isPlain = event.ctrlKey || event.metaKey || event.shiftKey || /&look\b/.test(href);
    // The sample shows other views in the same place.
    const isClass = results.querySelector("#learners");
    if (isPlain || !isClass || learnerIn(href) === null) return;
    event.preventDefault();
    const hrefs = [...results.querySelectorAll("th a")].map((row) => row.getAttribute("href")!);
    const rows = hrefs.filter((one) => learnerIn(one) !== null);
    openDialog(results, desk, rows, rows.indexOf(href.replace(/#.*/, "")), onPlace);
  });
}

function openDialog(
  results: HTMLElement,
  desk: Desk,
  hrefs: string[],
  first: number,
  onPlace: (place: Place | undefined) => void,
): void {
  let shown = first;
  let hasChanged = false;
  const { dialog, previous, next, position, marks } = dialogElements();
  const place: Place = {
    results: marks,
    desk,
    prepare: (page) => {
      for (const part of page.querySelectorAll(":scope > :is(h2, .actions), .decided-count a")) {
        part.remove();
      }
    },
    onDecided: () => {
      hasChanged = true;
    },
  };
  const go = async (target: number) => {
    if (!hrefs[target] || !mayLeave()) return;
    shown = target;
    position.textContent = `${target + 1} of ${hrefs.length}`;
    previous.ariaDisabled = String(target === 0);
    next.ariaDisabled = String(target === hrefs.length - 1);
    await showLearner(place, hrefs[target], () => shown === target);
  };
  previous.addEventListener("click", () => void go(shown - 1));
  next.addEventListener("click", () => void go(shown + 1));
  dialog.addEventListener("cancel", (event) => {
    if (!mayLeave()) event.preventDefault();
  });
  dialog.querySelector("form")!.addEventListener("submit", (event) => {
    if (!mayLeave()) event.preventDefault();
  });
  dialog.addEventListener("close", async () => {
    dialog.remove();
    onPlace(undefined);
    if (hasChanged) await refresh(results, desk);
    const row = [...results.querySelectorAll<HTMLElement>("th a")].find(
      (link) => link.getAttribute("href") === hrefs[shown],
    );
    // Without a step, the browser returns the focus to what opened the dialog.
    if (shown !== first || hasChanged) row?.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  decideInPlace(place);
  onPlace(place);
  void go(first);
}

const mayLeave = () => !hasTyped() || window.confirm("Leave the marks that are not saved?");

async function showLearner(place: Place, href: string, isWanted: () => boolean): Promise<void> {
  place.results.textContent = "Fetching the marks";
  const part = await place.desk.fetch(href).catch(() => undefined);
  if (!isWanted()) return;
  if (part?.results) {
    fill(place, part.results);
    say(place, place.results.querySelector("h3")?.textContent ?? "", false);
    return;
  }
  const problem = document.createElement("p");
  problem.className = "field-error";
  problem.textContent = part
    ? "This link opens no results any more."
    : "The marks could not be fetched.";
  const again = button("Try again");
  again.addEventListener("click", () => void showLearner(place, href, isWanted));
  place.results.replaceChildren(problem, ...(part ? [] : [again]));
  say(place, problem.textContent);
}

/** Shows the class as it is after decisions in the dialog. */
async function refresh(results: HTMLElement, desk: Desk): Promise<void> {
  const part = await desk.fetch(desk.classUrl()).catch(() => undefined);
  if (!part?.results) return;
  results.replaceChildren(...document.importNode(part.results, true).childNodes);
  const sign = document.querySelector("#sign");
  if (sign && part.sign) sign.replaceWith(document.importNode(part.sign, true));
}

/** Above the marks, whose length varies, are the buttons, so that they do not move from learner to learner. */
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
