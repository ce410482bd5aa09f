/** What the values of settings may be; each message goes on from the setting’s name. */
import { existsSync, statSync } from "node:fs";
import { isIP } from "node:net";
import * as z from "zod/mini";

export type Rule = z.ZodMiniType<unknown, string>;

const text = (isRight: (text: string) => boolean, error: string): Rule =>
  z.string().check(z.refine(isRight, { error }));

export const anyText: Rule = z.string();

export const email: Rule = z.string().check(z.email("must be an e-mail address"));

export const emails = text(
  (text) => splitList(text).every((one) => email.safeParse(one).success),
  "must be e-mail addresses separated by commas",
);

export const networks = text(
  (text) => splitList(text).every(isNetwork),
  "must be IP addresses or networks such as 10.0.0.0/8, separated by commas",
);

export const mailUrl = text(
  (text) => /^file:.+$/.test(text) || isMailServer(text),
  "must be smtp:// or smtps:// with a host, or file: with a folder; in a password write @ : / # % as %40 %3A %2F %23 %25",
);

export const origin = text(
  (text) => /^https?:\/\/[^/?#@\s]+\/?$/.test(text) && URL.canParse(text),
  "must be http:// or https:// and a host, without a path",
);

export const existingFolder = text(
  (folder) => existsSync(folder) && statSync(folder).isDirectory(),
  "must be a folder that exists",
);

export const atMost = (length: number) =>
  text((text) => text.length <= length, `must be ${length} characters or fewer`);

export const wholeNumber = (least: number, max: number) =>
  text(
    (text) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= max,
    `must be a whole number from ${least} to ${max}`,
  );

/** Its values are also what a shell completes. */
export const oneOf = (...choices: string[]) => ({
  choices,
  rule: text((text) => choices.includes(text), `must be ${choices.join(" or ")}`),
});

export function splitList(text: string): string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
}

/** What a password spoils unless it is escaped would else show when the first letter is sent. */
function isMailServer(text: string): boolean {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { username, password, hostname, pathname, hash } = new URL(text);
  try {
    decodeURIComponent(username + password);
  } catch {
    return false;
  }
  return hostname !== "" && /^\/?$/.test(pathname) && hash === "";
}

function isNetwork(text: string): boolean {
  const [address, bits, ...more] = text.split("/");
  const version = isIP(address!);
  const maxBits = version === 6 ? 128 : 32;
  return (
    version !== 0 &&
    more.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits))
  );
}
