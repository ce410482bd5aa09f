/** A text field of a form. Its validation is in text-rules.ts, which pages load only when needed. */
export interface TextField {
  label: string;
  type: "text" | "email" | "tel" | "paragraphs";
  /** In characters. */
  max: number;
  /** In characters; default 1. */
  min?: number;
  /** Error message for a text that is missing, too short or no email address. Without it the field is optional. */
  required?: string;
  autoComplete?: string;
  hint?: string;
}

export type TextFields = Readonly<Record<string, TextField>>;

/** A form's texts after validation: required ones are strings, optional ones may be undefined. */
export type Texts<Fields extends TextFields> = {
  [Name in keyof Fields as Fields[Name] extends { required: string } ? Name : never]: string;
} & {
  [Name in keyof Fields as Fields[Name] extends { required: string } ? never : Name]?:
    | string
    | undefined;
};

/** Contact details, the same in every form. */
export const contactDetails = {
  email: {
    label: "Email address",
    type: "email",
    max: 254,
    required: "Please enter a valid email address",
    autoComplete: "email",
  },
  phone: {
    label: "Contact number",
    type: "tel",
    max: 40,
    required: "Contact number is required",
    autoComplete: "tel",
  },
  institution: {
    label: "Institution",
    type: "text",
    max: 100,
    autoComplete: "organization",
  },
} as const satisfies TextFields;

export function lacksRequiredText(fields: TextFields, typed: Record<string, string>): boolean {
  return Object.entries(fields).some(([name, { required }]) => required && !typed[name]?.trim());
}

/** Heading of an error summary: the error itself if there is only one, otherwise a general text. */
export function errorSummary(fields: Record<string, string[]>): string {
  const errors = Object.values(fields).flat();
  return errors.length === 1 ? errors[0]! : "Please correct these errors and send the form again.";
}
