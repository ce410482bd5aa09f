import { contactLabels } from "../forms/demo-upload.ts";
import { TextArea, TextField } from "./field.tsx";

const lines = [
  { name: "name", type: "text", autoComplete: "name", optional: false },
  { name: "email", type: "email", autoComplete: "email", optional: false },
  { name: "phone", type: "tel", autoComplete: "tel", optional: false },
  { name: "institution", type: "text", autoComplete: "organization", optional: true },
] as const;

/** Who sends the files, and what they would like to know. */
export function ContactFields({
  typed,
  errorsOf,
}: {
  typed: Record<string, string>;
  errorsOf: (field: string) => string[] | undefined;
}) {
  return (
    <>
      {lines.map(({ name, ...line }) => (
        <TextField
          key={name}
          name={name}
          label={contactLabels[name]}
          defaultValue={typed[name]}
          errors={errorsOf(name)}
          {...line}
        />
      ))}
      <TextArea
        name="message"
        label={contactLabels.message}
        hint="What the class wrote, and what you would like to find out. At least 10 characters."
        defaultValue={typed.message}
        errors={errorsOf("message")}
      />
    </>
  );
}
