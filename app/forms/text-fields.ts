/** One text that a form asks for. How it is judged stands in text-rules.ts, which is loaded when it is needed. */
export interface TextField {
  label: string;
  type: "text" | "email" | "tel" | "paragraphs";
  /** Characters that it may have at most. */
  max: number;
  /** Characters that it must have at least; one where nothing is said. */
  least?: number;
  /** What is said where there are fewer, or where it is no e-mail address. Without it the field is optional. */
  required?: string;
  autoComplete?: string;
  hint?: string;
}

export type TextFields = Readonly<Record<string, TextField>>;

/** What is left of a form's texts once they have been judged. */
export type Texts<Fields extends TextFields> = {
  [Name in keyof Fields as Fields[Name] extends { required: string } ? Name : never]: string;
} & {
  [Name in keyof Fields as Fields[Name] extends { required: string } ? never : Name]?:
    | string
    | undefined;
};

/** The fields by which a person can be reached; the same in every form. */
export const reach = {
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

/** Whether a required text was left empty altogether. */
export function isMissingTexts(fields: TextFields, typed: Record<string, string>): boolean {
  return Object.entries(fields).some(([name, { required }]) => required && !typed[name]?.trim());
}

/** Heads a list of reasons: one stands for itself, several are pointed to. */
export function headingOf(fields: Record<string, string[]>): string {
  const reasons = Object.values(fields).flat();
  return reasons.length === 1 ? reasons[0]! : "Please correct what is marked and send it again.";
}
