/** Updates title, URL and error summary, which are outside a form’s island, to what the server would render. */
import type { FormEvent } from "./form-state.ts";

/** Id of the error summary that the server rendered at the top of the page. */
export const serverProblemId = "server-problem";

const titlePrefixes: { [Type in FormEvent["type"]]?: string } = {
  received: "Received: ",
  rejected: "Error: ",
};

/** Removes the server's error summary, and sets the title. For "received", also sets the URL to the receipt's. */
export function updatePage(event: FormEvent): void {
  if (event.type === "cancelled") return;
  removeServerProblem();
  const prefix = titlePrefixes[event.type] ?? "";
  document.title = prefix + document.title.replace(/^(Received|Error): /, "");
  // A reload must show the receipt, not an empty form.
  if (event.type === "received") {
    window.history.replaceState(null, "", `?received=${event.receipt.reference}`);
    // The page of the receipt is shorter than that of the form: an old position would be below it.
    window.history.scrollRestoration = "manual";
  }
}

export function removeServerProblem(): void {
  document.getElementById(serverProblemId)?.remove();
}
