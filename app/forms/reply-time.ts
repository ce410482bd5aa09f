import type { Form } from "./form.ts";

/** The reply times that a brand states, each as hours such as "24-48"; "" if it states none. */
type Stated = Record<NonNullable<Form["replyTime"]>, string>;

/** When the team aims to reply to a form. The texts are empty if the brand states no time. */
export interface ReplyTime {
  /** "within 24 hours". */
  within: string;
  /** The time as a sentence. */
  aim: string;
  /** The hours from the form's arrival to the latest reply; undefined if the brand states no time. */
  hours: number | undefined;
}

export function replyTimeOf({ replyTime }: Pick<Form, "replyTime">, brand: Stated): ReplyTime {
  const stated = replyTime ? brand[replyTime] : "";
  if (!stated) return { within: "", aim: "", hours: undefined };
  const within = `within ${stated} hour${stated === "1" ? "" : "s"}`;
  return {
    within,
    aim:
      replyTime === "replyHours"
        ? `We aim to answer ${within}, weekends and holidays included.`
        : `We aim to contact you ${within}.`,
    hours: Number(stated.replace(/^.*-/, "")),
  };
}

/** Fills `{within}` and `{aim}` in a text of a form. */
export const withReplyTime = (text: string, { within, aim }: ReplyTime): string =>
  text.replace("{within}", within).replace("{aim}", aim).replace(/ {2,}/, " ").trim();
