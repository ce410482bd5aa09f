import { type Dispatch, useEffect, useReducer, useRef } from "react";
import { flushSync } from "react-dom";
import type { Problem, ReturnedForm } from "../../domain/problem.ts";
import { confirmationErrors, confirmationField } from "../../forms/confirmation.ts";
import type { Form } from "../../forms/form.ts";
import { elapsedField } from "../../forms/machine-fields.ts";
import { errorSummary, lacksRequiredText } from "../../forms/text-fields.ts";
import type { FormResponse } from "./api-response.ts";
import {
  eventOf,
  type FormEvent,
  type FormState,
  type FormTexts,
  initialForm,
  type Progress,
  reduceForm,
} from "./form-state.ts";
import { loadExtras, useExtras } from "./use-extras.ts";

/** How long there may be no progress before the form says so. */
const stalledMs = 30_000;

export interface FormOptions extends FormTexts {
  form: Form;
  /** The form as the server returned it, if it did. */
  returned: ReturnedForm | undefined;
}

export type Send = (
  body: FormData,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
) => Promise<FormResponse>;

/** What forms with and without files have in common: state, validation, sending one post at a time. */
export function useForm(options: FormOptions, send: Send) {
  const { fields } = options.form;
  const [state, dispatch] = useReducer(reduceForm, options.returned?.problem, initialForm);
  const form = useRef<HTMLFormElement>(null);
  const inFlight = useInFlight();
  /** Whether the form was sent before. Only the first post states how long filling in took, as the time since load. */
  const wasSent = useRef(false);
  const blocking = useBlockingWatch();
  const { load, ...extras } = useExtras();
  useStalledWatch(state, dispatch);

  const eventOfResponse = (response: FormResponse): FormEvent =>
    eventOf(blocking.count(response), options, options.form.name, Date.now());

  async function attempt(body: FormData, signal: AbortSignal): Promise<FormEvent> {
    const errors = await updateErrors(fields, body, dispatch);
    if (Object.keys(errors).length > 0) {
      return { type: "invalid", problem: problemOf(errors, body, options) };
    }
    if (signal.aborted) return { type: "cancelled" };
    dispatch({ type: "sending" });
    if (!wasSent.current) body.set(elapsedField, String(Math.round(performance.now())));
    wasSent.current = true;
    const onProgress = (progress: Progress) => dispatch({ type: "progress", progress });
    return eventOfResponse(await send(body, signal, onProgress));
  }

  /** Validates and sends the form. Returns undefined if a post is in flight. */
  async function submit(): Promise<FormEvent | undefined> {
    if (inFlight.current) return undefined;
    const abort = new AbortController();
    inFlight.current = abort;
    const body = new FormData(form.current!);
    // An error in this script counts as a failed request.
    const failed = () => eventOfResponse({ kind: "failed" });
    const event = await attempt(body, abort.signal).catch(failed);
    inFlight.current = undefined;
    flushSync(() => dispatch(event));
    return event;
  }

  return {
    ...extras,
    ref: form,
    state,
    dispatch,
    submit,
    /** Whether posts by script seem to be blocked, so that a plain post is worth a try. */
    isBlocked: state.status === "failed" && blocking.isLikely(),
    sendPlainly: () => form.current!.submit(),
    cancel: () => inFlight.current?.abort(),
    keepWaiting: () => dispatch({ type: "keep waiting" }),
    /** Updates the errors while the visitor corrects the form. */
    revalidate() {
      load();
      if (state.status !== "idle" && state.status !== "sending") {
        void updateErrors(fields, new FormData(form.current!), dispatch);
      }
    },
  };
}

/** Validates the text fields, shows their errors and returns them. Without the rules, the server alone validates. */
async function updateErrors(fields: Form["fields"], body: FormData, dispatch: Dispatch<FormEvent>) {
  const rules = await loadExtras();
  if (!rules) return {};
  const typed = Object.fromEntries(body);
  const errors = { ...rules.textErrors(fields, typed), ...confirmationErrors(typed) };
  dispatch({ type: "validated", errors: { ...noErrors(fields), ...errors } });
  return errors;
}

/** Counts posts in a row without an answer of the server, although the browser is online. */
function useBlockingWatch() {
  const unanswered = useRef(0);
  return {
    count(response: FormResponse): FormResponse {
      const isUnanswered = response.kind === "failed" && !response.error && !response.isOffline;
      unanswered.current = isUnanswered ? unanswered.current + 1 : 0;
      return response;
    },
    isLikely: () => unanswered.current > 1,
  };
}

/** The post in flight. A ref, not state: a double click is faster than a render. */
function useInFlight() {
  const inFlight = useRef<AbortController>(undefined);
  useEffect(() => () => inFlight.current?.abort(), []);
  return inFlight;
}

/** Dispatches "stalled" after a time without progress, except in a pause between two attempts. */
function useStalledWatch(state: FormState, dispatch: Dispatch<FormEvent>): void {
  const { status } = state;
  const progress = status === "sending" ? state.progress : undefined;
  const isPause = progress && progress.step !== "sending" && progress.seconds !== undefined;
  const isWatched = status === "sending" && !state.isStalled && !isPause;
  useEffect(() => {
    if (!isWatched) return;
    const timer = setTimeout(() => dispatch({ type: "stalled" }), stalledMs);
    return () => clearTimeout(timer);
  }, [isWatched, progress, dispatch]);
}

const noErrors = (fields: Form["fields"]) =>
  Object.fromEntries([...Object.keys(fields), confirmationField].map((field) => [field, []]));

function problemOf(
  errors: Problem["fields"],
  body: FormData,
  { form: { fields, messages } }: FormOptions,
): Problem {
  const texts = Object.fromEntries(body) as Record<string, string>;
  const { missingTexts } = messages;
  const isMissing = missingTexts && lacksRequiredText(fields, texts);
  const error = isMissing ? missingTexts : errorSummary(errors);
  return { status: 422, code: "invalid_fields", error, fields: errors };
}
