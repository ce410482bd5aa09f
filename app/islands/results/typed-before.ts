import { fetchPart, learnerIn } from "./fetch-part.ts";

/** A mark that a results page kept in the tab's session storage, when marks were decided there. */
interface TypedBefore {
  /** The learner's position in the class, from 1; the desk names learners by id instead. */
  learner: string;
  fields: Record<string, string>;
}

/** Shows marks that could not be sent by an earlier release, to be typed on the desk. They are never sent. */
export async function showTypedBefore(results: HTMLElement): Promise<void> {
  const token = new URLSearchParams(window.location.search).get("results") ?? "";
  // The key has the form of those in tab-storage.ts. Shared code would be one more file for the desk to load.
  const hash = await window.crypto.subtle?.digest("SHA-256", new TextEncoder().encode(token));
  if (!hash) return;
  const digits = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0"));
  const key = `unsaved ${digits.join("")}`;
  const typed = marksIn(key);
  if (typed.length === 0) return;
  const learners = await fetchLearnerLinks(results, token);
  const notice = document.createElement("div");
  notice.className = "sheet not-saved no-print";
  const list = document.createElement("ul");
  list.append(...typed.map((mark) => item(mark, learners[Number(mark.learner) - 1], token)));
  const done = document.createElement("button");
  done.className = "button quiet small";
  done.textContent = "They are typed: forget them";
  done.addEventListener("click", () => {
    sessionStorage.removeItem(key);
    notice.remove();
  });
  notice.append("Not stored: you typed this here before. Please type it on the desk.", list, done);
  results.before(notice);
}

function marksIn(key: string): TypedBefore[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "[]");
  } catch {
    // The value is not JSON, so no results page wrote it.
    return [];
  }
}

/** The links to the learners in the order of the class, which is that of their ids. */
async function fetchLearnerLinks(
  results: HTMLElement,
  token: string,
): Promise<HTMLAnchorElement[]> {
  const isClass = results.querySelector("#learners");
  // If the class page cannot be fetched, the notice shows numbers in place of names.
  const part = isClass ? undefined : await fetchPart(`/?results=${token}`).catch(() => undefined);
  const links = [...(part?.results ?? results).querySelectorAll<HTMLAnchorElement>("th a")];
  const idOf = ({ href }: HTMLAnchorElement) => Number(learnerIn(href));
  return links.filter(idOf).sort((one, other) => idOf(one) - idOf(other));
}

function item(
  { learner, fields }: TypedBefore,
  link: HTMLAnchorElement | undefined,
  token: string,
) {
  const { question, intent, was, notAnswered, marks, comment } = fields;
  const given = notAnswered ? "not answered" : `mark ${(intent === "agree" ? was : marks) ?? ""}`;
  const text = question
    ? `question ${question}, ${given}${comment ? `, “${comment}”` : ""}`
    : "agree with the rest";
  const entry = document.createElement("li");
  const desk = document.createElement("a");
  const id = link && learnerIn(link.href);
  const answer = { view: "mark", order: "learner", learner: id ?? "", question: question ?? "" };
  desk.href = `/marking?${new URLSearchParams({ link: token, ...(id && question && answer) })}`;
  desk.textContent = `${link?.textContent ?? `Number ${learner}`}, ${text}`;
  entry.append(desk);
  return entry;
}
