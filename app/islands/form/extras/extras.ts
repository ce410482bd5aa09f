/** The code that a form loads when first used. Without it the server validates, and no toast shows problems. */
export { textErrors } from "../../../forms/text-rules.ts";
export { DropQuestion } from "./drop-question.tsx";
export { Toast } from "./toast.tsx";
