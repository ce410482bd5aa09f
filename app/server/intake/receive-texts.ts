import { createHash } from "node:crypto";
import { newReference } from "#db/reference.ts";
import type { Store } from "#db/store.ts";
import { isMissingTexts, type TextFields, type Texts } from "../../forms/text-fields.ts";
import { kindOf, type Mark, markOf } from "./classify.ts";
import { drain } from "./multipart.ts";
import {
  type IntakeForm,
  type IntakeWorld,
  judgeOf,
  type Receive,
  refuseForNow,
  type SubmitResult,
} from "./post.ts";
import { invalid, problemOf } from "./rejection.ts";
import { readFormTexts, readJsonTexts } from "./text-body.ts";

/** What a form of texts alone hands over to be stored. */
export interface JudgedForm<Fields extends TextFields> extends Mark {
  reference: string;
  fingerprint: string;
  typed: Texts<Fields>;
  requestType: string;
  receivedAt: Date;
  repeatsSince: Date;
}

export interface TextForm<Fields extends TextFields> extends IntakeForm<Fields> {
  submit(store: Store, judged: JudgedForm<Fields>, world: IntakeWorld): SubmitResult;
}

const drainBytes = 1_048_576;

/** The intake of a form that takes no files. */
export function receiveTexts<Fields extends TextFields>(form: TextForm<Fields>): Receive {
  const judge = judgeOf(form);
  return async (post, world) => {
    const { contentType, query, from } = post;
    const body = { source: post.source, pace: world.pace };
    let typed: Record<string, string> = {};
    try {
      typed = await (from === "page" ? readFormTexts : readJsonTexts)(contentType, body);
      refuseForNow(post);
      const { texts, requestType, errors } = judge(typed);
      if (!texts) {
        const problem = invalid("invalid_fields", errors);
        if (form.missingTexts && isMissingTexts(form.fields, typed)) {
          problem.error = form.missingTexts;
        }
        return { received: false, problem, typed, held: undefined };
      }
      const receivedAt = world.now();
      const mark = markOf(query, typed, world);
      const identity = JSON.stringify([form.name, requestType, texts, ...kindOf(mark)]);
      post.onStoring();
      const submitted = await form.submit(
        world.store,
        {
          ...mark,
          reference: newReference(),
          fingerprint: createHash("sha256").update(identity).digest("hex"),
          typed: texts,
          requestType,
          receivedAt,
          repeatsSince: new Date(receivedAt.getTime() - world.repeatMs),
        },
        world,
      );
      return { received: true, ...submitted };
    } catch (error) {
      const problem = problemOf(error, form.failed, world.log);
      if (problem.code !== "stalled") await drain(body, drainBytes);
      return { received: false, problem, typed, held: undefined };
    }
  };
}
