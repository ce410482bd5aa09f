/** What a form loads when it is first used. Without it the server validates, and problems are shown on the page only. */
export { textErrors } from "../../../forms/text-rules.ts";
export { DropQuestion } from "./drop-question.tsx";
export { Toast } from "./toast.tsx";
