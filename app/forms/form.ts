import type { FormName } from "../domain/request.ts";
import type { FileField } from "./files.ts";
import type { TextFields } from "./text-fields.ts";

/**
 * The definition of a form, from which pages, endpoints, their description, emails, storage, receipts, exports and test
 * posts are made.
 */
export interface Form {
  name: FormName;
  /** Path of the endpoint, for scripts on pages and for other programs. */
  endpoint: string;
  /** What a post of the form is called in lists: "Contact message". */
  label: string;
  /** What the endpoint is for, in the description of the API. */
  summary: string;
  fields: TextFields;
  /** Empty for a form without files. */
  fileFields: Record<string, FileField>;
  /** Columns of fields whose name differs from that of the column. */
  columns?: Record<string, string>;
  /** Accepted values of `requestType`; the first is the default. */
  requestTypes?: readonly string[];
  /** The request type that is stored if the form has no `requestTypes`. */
  impliedType?: string;
  messages: {
    /** Says that the post has arrived and what comes next. May have the placeholders of reply-time.ts. */
    received: string;
    /** Says that an unexpected failure has occurred. */
    failed: string;
    /** Says that a required text is missing. */
    missingTexts?: string;
    /** Says that a required file is missing. */
    missingFiles?: string;
  };
  /** Why the institution stores what is sent, as the notice says: "to answer you". */
  purpose?: string;
  /** Which statement of the brand says when the team replies; undefined if no time is ever stated. */
  replyTime?: "replyHours" | "rubricReplyHours";
  /** The team marks the files of the form, and sends a private link to the results. */
  hasResults?: true;
  /** Asks the visitor to confirm the right to share learners' work. */
  asksToConfirm?: true;
  /** What the receipt says. */
  thanks: {
    title: string;
    /** What the team does next. May have the placeholders of reply-time.ts. */
    promise: string;
    /** Further sentences about what happens next. */
    next?: string;
    again: { href: string; label: string };
  };
  /** The email to the team; undefined for a form whose posts are not requests. */
  email?: {
    /** The words of the subject that follow the product's name. */
    subject: string;
    opening: string;
    /** Returns what follows the reference in the subject. */
    details?(files: Record<string, unknown[]>): string;
  };
}

export const hasFiles = ({ fileFields }: Pick<Form, "fileFields">): boolean =>
  Object.keys(fileFields).length > 0;

export const columnOf = ({ columns }: Pick<Form, "columns">, field: string): string =>
  columns?.[field] ?? field;

/** The names of the columns for the fields of forms. */
export type ColumnOf<Of extends Form> = Of extends Form
  ? {
      [Field in keyof Of["fields"]]: Of extends { columns: Record<Field, infer Column> }
        ? Column
        : Field;
    }[keyof Of["fields"]]
  : never;
