/** Reads and changes one answer as the server rendered it: on the page, or fetched and not shown yet. */

import type { FetchedPart } from "../results/fetch-part.ts";

/** An answer that was fetched, and the URL that it has when it is shown. */
export interface FetchedAnswer {
  url: string;
  desk: HTMLElement;
}

export const markFormIn = (desk: ParentNode) => desk.querySelector<HTMLFormElement>(".mark-form");

/** The key of an answer: the learner's id and the question, such as "12:3.1"; undefined if the page has no form. */
export function keyIn(desk: ParentNode): string | undefined {
  const form = markFormIn(desk);
  if (!form) return undefined;
  const query = new URL(form.action, window.location.href).searchParams;
  return `${query.get("learner")}:${query.get("question")}`;
}

export const questionIn = (desk: ParentNode): string =>
  markFormIn(desk)?.querySelector<HTMLInputElement>('[name="question"]')?.value ?? "";

export const headingIn = (desk: ParentNode): string =>
  desk.querySelector("#answer")?.textContent ?? "";

export const isDecidedIn = (desk: ParentNode): boolean =>
  desk.querySelector(".question-first ins") !== null;

/** Pages and texts of the learner's work, in their order. */
export const sheetsIn = (desk: ParentNode) => [
  ...desk.querySelectorAll<HTMLElement>(".work > :is(figure, .sheet)"),
];

export const problemOf = ({ problem }: FetchedPart): string =>
  problem || "This link opens no marking desk any more.";

/** Replaces the children; reuses loaded pictures, which are not cached. `isSameWork`: whether a picture was reused. */
export function replaceChildren(element: Element, fresh: Element): { isSameWork: boolean } {
  const before = new Map([...element.querySelectorAll("img")].map((image) => [image.src, image]));
  for (const image of fresh.querySelectorAll("img")) {
    const loaded = before.get(image.src);
    if (loaded) image.replaceWith(loaded);
  }
  element.replaceChildren(...fresh.childNodes);
  return { isSameWork: [...before.values()].some((image) => element.contains(image)) };
}

/** Replaces the list of used comments by the list of a later page of the same question, unless the list is open. */
export function replaceUsedComments(from: ParentNode, to: ParentNode): void {
  const fresh = from.querySelector(".used-comments");
  const old = to.querySelector<HTMLDetailsElement>(".used-comments");
  if (!fresh || old?.open || questionIn(from) !== questionIn(to)) return;
  const copy = fresh.cloneNode(true);
  if (old) old.replaceWith(copy);
  else to.querySelector(".mark-form > .field")?.after(copy);
}
