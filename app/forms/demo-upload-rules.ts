import * as z from "zod/mini";
import { contactMaxLength as most } from "./demo-upload.ts";
import { emailAddress, optionalLine, paragraphs, requiredLine } from "./text-rules.ts";

/** Judges what the visitor typed; the files are judged beside it. */
export const demoUploadRules = z.object({
  name: requiredLine("Name", most.name),
  email: emailAddress(most.email),
  phone: requiredLine("Contact number", most.phone),
  institution: optionalLine("Institution", most.institution),
  message: paragraphs(
    { least: 10, most: most.message },
    "Please provide more details about your interest in the product",
  ),
  requestType: z.optional(z.literal("demo", "requestType must be demo")),
});

/** What is wrong with the typed text, by field; empty where nothing is. */
export function demoUploadErrors(typed: Record<string, unknown>): Record<string, string[]> {
  const result = demoUploadRules.safeParse(typed);
  return result.success ? {} : z.flattenError(result.error).fieldErrors;
}
