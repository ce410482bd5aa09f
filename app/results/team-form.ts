/** Reads the forms of the team's page. */
import * as z from "zod/mini";
import { idIn } from "../domain/row-id.ts";
import type { SentSheet } from "../domain/team.ts";

const text = z._default(z.string(), "");
const optionalText = z.pipe(
  text,
  z.transform((typed) => typed.trim() || undefined),
);
const flag = z.pipe(
  z.optional(z.string()),
  z.transform((typed) => typed !== undefined),
);
const id = z.pipe(
  z.pipe(
    z.string(),
    z.transform((typed: string) => idIn(typed)),
  ),
  z.number(),
);
const count = z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number));
/** The random key that the page has put into a form: a form that is posted again opens no second link. */
const key = z.string().check(z.regex(/^[\w-]{20,64}$/));
/** The key of an upload of a scan. */
const upload = z.string().check(z.minLength(1));
/** The version of what the preview has shown. A form that asks for a preview has none. */
const version = z.string().check(z.minLength(1));
const noVersion = z.pipe(
  text,
  z.transform(() => undefined),
);

/** A file and, after a space, the id of the learner who has it, if any: two learners may share a file. */
const ownedFile = z.pipe(
  z.pipe(
    z.string(),
    z.transform((typed: string) => {
      const [fileId, learnerId = null] = typed.split(" ").map((one) => idIn(one));
      return { fileId, learnerId };
    }),
  ),
  z.object({ fileId: z.number(), learnerId: z.nullable(z.number()) }),
);

const list = { list: text, adds: flag, removes: flag };
const proposals = { list: text, proposer: optionalText, replaces: flag };

const form = <Action extends string, Fields extends z.core.$ZodShape>(
  action: Action,
  fields: Fields,
) =>
  z.pipe(
    z.object(fields),
    z.transform((typed) => ({ ...typed, action })),
  );

/** The forms by intent, with the action that each asks for. An intent begins with the part of the page. */
const forms = {
  "class-preview": form("take list", { ...list, version: noVersion }),
  "class-store": form("take list", { ...list, version }),
  "proposals-preview": form("take proposals", { ...proposals, version: noVersion }),
  "proposals-store": form("take proposals", { ...proposals, version }),
  "class-scan": form("cut scan", {
    upload,
    size: count,
    /** Number of pages of each script; null if cover sheets tell the scripts apart. */
    pages: z.pipe(
      text.check(z.trim(), z.regex(/^([1-9]\d{0,2})?$/)),
      z.transform((typed) => (typed ? Number(typed) : null)),
    ),
  }),
  "class-discard": form("discard scan", { upload }),
  "class-file": form("set file", {
    file: ownedFile,
    to: z.union([z.enum(["no script", "new learner"]), id]),
  }),
  "class-desk": form("open desk", {}),
  "markers-open": form("open marker", {
    key,
    marker: text,
    email: optionalText,
    questions: optionalText,
    learners: optionalText,
    names: flag,
    blind: optionalText,
    second: flag,
    tolerance: z.pipe(
      optionalText,
      z.transform((typed) => typed?.replace(",", ".")),
    ),
    days: optionalText,
  }),
  "markers-desk": form("open desk", {}),
  "markers-close": form("close marker", { id }),
  /** Hands the undecided answers of a link to another marker. */
  "markers-hand": form("hand over", { id, marker: text, email: optionalText, key }),
  "asked-reply": form("reply", { id, reply: text }),
  "publish-now": form("publish", {
    /** How many open items the person has seen. */
    open: count,
  }),
  "publish-withdraw": form("withdraw", {
    /** When the educator's link on the page was made; empty if the page showed none. */
    published: text,
  }),
  "publish-reopen": form("reopen", {
    /** The time of the signature that the page showed. */
    signed: text,
  }),
  "publish-share": form("share", {}),
  "publish-end": form("end copies", {}),
  "publish-fill": form("fill sheet", {
    sheet: z.custom<SentSheet | undefined>(),
    /** Heading or name of the column to fill; the title of the class if undefined. */
    column: optionalText,
    /** The heading over the learners' numbers or names, if it is not a usual one. */
    learner: optionalText,
    /** The sheet of a workbook; undefined if only one fits. */
    sheetName: optionalText,
    percentage: flag,
  }),
};

export type TeamAction = z.output<(typeof forms)[keyof typeof forms]>;

/** Returns what a form asks for; undefined if the form is incomplete. */
export const readTeamAction = (
  typed: Record<string, string>,
  sheet: SentSheet | undefined,
): TeamAction | undefined =>
  Object.hasOwn(forms, typed.intent ?? "")
    ? forms[typed.intent as keyof typeof forms].safeParse({ ...typed, sheet }).data
    : undefined;
