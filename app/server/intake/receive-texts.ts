import { createHash } from "node:crypto";
import { newReference } from "#db/reference.ts";
import type { Store } from "#db/store.ts";
import { isMissingTexts, type TextFields, type Texts } from "../../forms/text-fields.ts";
import { type Classification, classify, kindOf } from "./classify.ts";
import { drain } from "./multipart.ts";
import {
  type IntakeDependencies,
  type IntakeForm,
  type Receive,
  rejectIfUnavailable,
  type SubmitResult,
  validatorFor,
} from "./post.ts";
import { invalid, problemOf } from "./rejection.ts";
import { readFormTexts, readJsonTexts } from "./text-body.ts";

/** What a form of texts alone hands over to be stored. */
export interface ValidatedPost<Fields extends TextFields> extends Classification {
  reference: string;
  fingerprint: string;
  typed: Texts<Fields>;
  requestType: string;
  receivedAt: Date;
  duplicatesSince: Date;
}

export interface TextForm<Fields extends TextFields> extends IntakeForm<Fields> {
  submit(
    store: Store,
    validated: ValidatedPost<Fields>,
    dependencies: IntakeDependencies,
  ): SubmitResult;
}

const drainBytes = 1_048_576;

/** The intake of a form that takes no files. */
export function receiveTexts<Fields extends TextFields>(form: TextForm<Fields>): Receive {
  const validate = validatorFor(form);
  return async (post, dependencies) => {
    const { contentType, query, from } = post;
    const body = { source: post.source, pace: dependencies.pace };
    let typed: Record<string, string> = {};
    try {
      typed = await (from === "page" ? readFormTexts : readJsonTexts)(contentType, body);
      rejectIfUnavailable(post);
      const { texts, requestType, errors } = validate(typed);
      if (!texts) {
        const problem = invalid("invalid_fields", errors);
        if (form.missingTexts && isMissingTexts(form.fields, typed)) {
          problem.error = form.missingTexts;
        }
        return { received: false, problem, typed, draft: undefined };
      }
      const receivedAt = dependencies.now();
      const classification = classify(query, typed, dependencies);
      const identity = JSON.stringify([form.name, requestType, texts, ...kindOf(classification)]);
      post.onStoring();
      const submitted = await form.submit(
        dependencies.store,
        {
          ...classification,
          reference: newReference(),
          fingerprint: createHash("sha256").update(identity).digest("hex"),
          typed: texts,
          requestType,
          receivedAt,
          duplicatesSince: new Date(receivedAt.getTime() - dependencies.duplicateMs),
        },
        dependencies,
      );
      return { received: true, ...submitted };
    } catch (error) {
      const problem = problemOf(error, form.failed, dependencies.log);
      if (problem.code !== "stalled") await drain(body, drainBytes);
      return { received: false, problem, typed, draft: undefined };
    }
  };
}
