/** What a form loads when it is first used. Without it the server validates, and its words stand on the page. */
export { textErrors } from "../../../forms/text-rules.ts";
export { DropQuestion } from "./drop-question.tsx";
export { Toast } from "./toast.tsx";
