import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionMessages } from "../app/forms/sending-time.ts";
import type { FormResponse } from "../app/islands/form/api-response.ts";
import {
  eventOf,
  type FormEvent,
  type FormState,
  type FormTexts,
  initialForm,
  reduceForm,
} from "../app/islands/form/form-state.ts";

const problemIn = (fields: Record<string, string[]>) => ({
  status: 422,
  code: "rejected",
  error: "Please correct these errors.",
  fields,
});
const since = Date.parse("2026-11-22T08:00:00.000Z");
const toast = { title: "Error", description: "Not sent.", destructive: true, since };
const receipt = {
  form: "contact" as const,
  reference: "ABCD-EFGH-JKLM",
  receivedAt: "2026-11-22T08:00:00.000Z",
  fileCount: 0,
  files: [],
};
const progress = { fileCount: 1, total: 10, arrived: 4, onTheWay: 1, step: "sending" as const };

const idle = initialForm(undefined);
const returned = initialForm(problemIn({ name: ["Name is required"], rubricFile: ["Too large"] }));
const sending = {
  ...idle,
  status: "sending" as const,
  progress: undefined,
  isStalled: false,
} satisfies FormState;
const stalled: FormState = { ...sending, isStalled: true };
const failed: FormState = { ...idle, status: "failed", message: "Error - Not sent.", toast };

const tooLarge = { rubricFile: ["Too large"] };
const chosen = { type: "file chosen", field: "rubricFile" } as const;
const withoutFileError = initialForm(problemIn({ name: ["Name is required"] }));

const transitions: [name: string, before: FormState, event: FormEvent, after: FormState][] = [
  [
    "errors of texts are replaced, those of files stay",
    returned,
    { type: "validated", errors: { name: [] } },
    { ...returned, errors: { name: [], rubricFile: ["Too large"] } },
  ],
  ["progress that comes too late is ignored", failed, { type: "progress", progress }, failed],
  ["progress ends a stall", stalled, { type: "progress", progress }, { ...sending, progress }],
  [
    "errors of files stay after a failure",
    { ...sending, errors: tooLarge },
    { type: "failed", message: "Error - Not sent.", toast },
    { ...failed, errors: tooLarge },
  ],
  ["choosing a file drops its error", returned, chosen, withoutFileError],
  ["choosing a file drops the toast about it", { ...returned, toast }, chosen, withoutFileError],
  ["the last wrong file drops the problem", initialForm(problemIn(tooLarge)), chosen, idle],
  [
    "choosing another file changes nothing",
    { ...returned, toast },
    { type: "file chosen", field: "x" },
    { ...returned, toast },
  ],
];
for (const [name, before, event, after] of transitions) {
  test(`the state of a form: ${name}`, () => assert.deepEqual(reduceForm(before, event), after));
}

const texts: FormTexts = { failure: { title: "Error", description: "Not sent." } };
const preferring: FormTexts = { failure: { ...texts.failure, preferServerMessage: true } };
const success = { title: "Sent", description: "Thank you." };
const toastOf = (description: string) => ({ ...toast, description });
const failedBy = (said: string, message = `Error - ${said}`): FormEvent => ({
  type: "failed",
  message,
  toast: toastOf(said),
});
const ownFault: FormResponse = { kind: "failed", error: "Disk full." };
const problem = problemIn({ a: ["b"] });
const { offline } = connectionMessages;

const events: [name: string, FormResponse, FormTexts, FormEvent][] = [
  [
    "a receipt of a form with a toast",
    { kind: "received", reference: receipt.reference },
    { ...texts, success },
    { type: "received", receipt, toast: { ...success, since } },
  ],
  [
    "a failure in the form's and the server's words",
    ownFault,
    texts,
    failedBy("Not sent.", "Error - Not sent. Disk full."),
  ],
  ["a failure in the server's words", ownFault, preferring, failedBy("Disk full.")],
  [
    "a rejection in the server's words",
    { kind: "rejected", ...problem },
    texts,
    { type: "rejected", problem, toast: toastOf("Please correct these errors.") },
  ],
  ["no connection", { kind: "failed", isOffline: true }, texts, failedBy(offline, offline)],
];
for (const [name, response, formTexts, event] of events) {
  test(`a response has its event: ${name}`, () =>
    assert.deepEqual(eventOf(response, formTexts, receipt.form, since), event));
}
