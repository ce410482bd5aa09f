/** The part of a marking form that places stamps: what it posts, and what is wrong with it. */
import type { ShownFile } from "../domain/desk.ts";
import type { ShownPage } from "../domain/page-image.ts";
import {
  type NewStamp,
  type PageTurn,
  type StampKind,
  type StampPlace,
  stampKinds,
  type TurnedPage,
  turns,
} from "../domain/stamp.ts";
import { placeBeforeTurn, turnedSize } from "../domain/stamp-drawing.ts";
import { maxStampText, readComment, type Wrong as WrongTyped } from "./typed-decision.ts";

type Typed = Record<string, string>;

/** Why a stamp is not placed, as a sentence; "nowhere": the work has no such page or paragraph. */
type Wrong = WrongTyped | "nowhere";

/**
 * The widths in which pages are shown, in CSS pixels. A click without script is in pixels of what was shown, so the
 * name of its button says the width.
 */
export const shownWidths = [320, 640, 700, 1100] as const;

/** The height in which a page is shown, in CSS pixels. */
export function shownHeight(page: ShownPage, shownWidth: number): number {
  const { width, height } = turnedSize(page, page.turn);
  return Math.round((shownWidth * height) / width);
}

/** The name of an image button over a page: browsers post where it was clicked, as `.x` and `.y`. */
export const pageButton = (fileId: number, page: number, width: number) =>
  `at-${fileId}-${page}-${width}`;

/** The value of the field `page` for a page, and of the field `place` for a paragraph. */
export const partValue = (fileId: number, part: number) => `${fileId}-${part}`;
/** The value of the field `place` if the fields `page` and `down` say where. */
export const byFields = "fields";

/** The value of the fields `turn` and `turnAll`: a page and its new turn. */
export const turnValue = (fileId: number, page: number, turn: PageTurn) =>
  `${fileId}-${page}-${turn}`;

/** The intent of a form that came back because of its stamp. */
export const stampIntent = "stamp";

/** The kind of stamp that a form has chosen; a tick if it has chosen none. */
export const stampKindOf = (typed: string | null | undefined): StampKind =>
  stampKinds.find((kind) => kind === typed) ?? "tick";

/** Reads the stamp that a form places; undefined if it places none. */
export function readStamp(typed: Typed, work: readonly ShownFile[]): NewStamp | Wrong | undefined {
  const place = readPlace(typed, work);
  if (place === undefined || place === "nowhere" || "error" in place) return place;
  const kind = stampKinds.find((one) => one === typed.stamp);
  if (!kind) return undefined;
  if (kind !== "comment") return { ...place, kind, text: "" };
  const text = readComment(typed.stampText ?? "", maxStampText);
  const field = "stampText";
  if (typeof text !== "string") return { ...text, field };
  if (text === "") return { error: "Type the comment first, then click where it belongs.", field };
  return { ...place, kind, text };
}

function readPlace(typed: Typed, work: readonly ShownFile[]): StampPlace | Wrong | undefined {
  const button = Object.keys(typed).find((one) => one.startsWith("at-") && one.endsWith(".x"));
  if (button !== undefined) return readClick(typed, button.slice(0, -".x".length), work);
  if (typed.place === undefined) return undefined;
  if (typed.place === byFields) return readFields(typed, work);
  const [fileId, paragraph = 0] = numbersIn(typed.place);
  const file = work.find((one) => one.fileId === fileId);
  if (file?.rendered?.kind !== "paragraphs") return "nowhere";
  return file.rendered.paragraphs[paragraph - 1] === undefined
    ? "nowhere"
    : { fileId: file.fileId, page: null, paragraph, x: null, y: null };
}

const buttonPattern = /^at-(\d{1,9})-(\d{1,5})-(\d{1,5})$/;

/** Reads where a page was clicked. A press by keyboard has 0 for x and y: it stamps the page as a whole. */
function readClick(typed: Typed, button: string, work: readonly ShownFile[]): StampPlace | Wrong {
  const [, fileId, number, width = 0] = buttonPattern.exec(button)?.map(Number) ?? [];
  const page = pageIn(work, fileId, number);
  if (!page) return "nowhere";
  const [x, y] = [pixelIn(typed[`${button}.x`]), pixelIn(typed[`${button}.y`])];
  const height = shownHeight(page, width);
  const isOnPage = x < width && y < height;
  if (!isOnPage || !shownWidths.some((one) => one === width)) return notOnPage;
  if (x === 0 && y === 0) return wholePage(page);
  const place = { x: (x + 0.5) / width, y: (y + 0.5) / height };
  return { ...wholePage(page), ...placeBeforeTurn(place, page.turn) };
}

const pixelIn = (typed = "") => (/^\d{1,5}$/.test(typed) ? Number(typed) : Number.NaN);

const notOnPage = {
  error: "That place is not on the page, so no stamp was placed. Click on the page again.",
};

/** Where a stamp that is placed by fields is put: in the right margin, as a share of the width. */
const marginX = 0.94;

/** Reads a page, and how far down the stamp belongs, in per cent; without that, the stamp is on the whole page. */
function readFields(
  { page: typedPage = "", down = "" }: Typed,
  work: readonly ShownFile[],
): StampPlace | Wrong {
  const page = pageIn(work, ...numbersIn(typedPage));
  if (!page) return "nowhere";
  if (down.trim() === "") return wholePage(page);
  const percentage = /^\d{1,3}$/.test(down.trim()) ? Number(down) : Number.NaN;
  if (!(percentage <= 100)) {
    const error = "Say how far down the page it belongs: a whole number from 0 to 100.";
    return { error, field: "down" };
  }
  const place = { x: marginX, y: percentage / 100 };
  return { ...wholePage(page), ...placeBeforeTurn(place, page.turn) };
}

/** Reads how a page is turned; undefined if the form turns none. */
export function readTurn({ turn, turnAll }: Typed): TurnedPage | undefined {
  const [fileId, page, degrees] = numbersIn(turn ?? turnAll ?? "");
  const known = turns.find((one) => one === degrees);
  if (fileId === undefined || page === undefined || known === undefined) return undefined;
  return { fileId, page, turn: known, turnsAll: turn === undefined };
}

const numbersIn = (text: string): number[] =>
  /^\d{1,9}(-\d{1,5}){1,2}$/.test(text) ? text.split("-").map(Number) : [];

type FoundPage = ShownPage & { fileId: number };

/** The pages of a learner's work that are shown as pictures. */
export const pagesOf = (work: readonly ShownFile[]): FoundPage[] =>
  work.flatMap(({ fileId, rendered }) =>
    rendered?.kind === "pages" ? rendered.pages.map((page) => ({ ...page, fileId })) : [],
  );

const pageIn = (work: readonly ShownFile[], fileId?: number, number?: number) =>
  pagesOf(work).find((one) => one.fileId === fileId && one.page === number);

const wholePage = ({ fileId, page }: FoundPage): StampPlace => ({
  fileId,
  page,
  paragraph: null,
  x: null,
  y: null,
});
