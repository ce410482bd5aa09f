import { createHash } from "node:crypto";
import type { Store } from "#db/store.ts";
import { newReference } from "#server/reference.ts";
import { isMissingTexts, type TextFields, type Texts } from "../../forms/text-fields.ts";
import { type Classification, classificationKey, classify } from "./classify.ts";
import { drain } from "./multipart.ts";
import {
  type IntakeDependencies,
  type IntakeForm,
  type Receiver,
  rejectIfUnavailable,
  type SubmitResult,
  validatorFor,
} from "./post.ts";
import { problemOf, validationProblem } from "./problems.ts";
import { readFormTexts, readJsonTexts } from "./text-body.ts";

/** A validated post of a form without files, ready to be stored. */
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

/** Returns the receiver of a form without files. */
export function receiveTexts<Fields extends TextFields>(form: TextForm<Fields>): Receiver {
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
        const problem = validationProblem("invalid_fields", errors);
        if (form.missingTexts && isMissingTexts(form.fields, typed)) {
          problem.error = form.missingTexts;
        }
        return { received: false, problem, typed, draft: undefined };
      }
      const receivedAt = dependencies.now();
      const classification = classify(query, typed, dependencies);
      const identity = JSON.stringify([
        form.name,
        requestType,
        texts,
        ...classificationKey(classification),
      ]);
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
