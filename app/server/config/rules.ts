/**
 * Rules that validate the text of a setting and convert it to its value. Each message continues a
 * sentence that begins with the setting’s name.
 */
import { existsSync, statSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import * as z from "zod/mini";
import { parseAddress } from "#db/engine.ts";
import type { ServerAddress } from "./server-address.ts";

export type Rule = z.ZodMiniType<unknown, string>;

const text = (isValid: (text: string) => boolean, error: string) =>
  z.string().check(z.refine(isValid, { error }));

const list = (isValid: (item: string) => boolean, error: string) =>
  z.pipe(
    text((text) => splitList(text).every(isValid), error),
    z.transform(splitList),
  );

export const anyText = z.string();

/** The size of sun_path in unix(7), less the zero at its end. */
const maxSocketPathBytes = 107;

/** An address or name to listen on, or the path of a Unix socket. Only a path has a slash. */
export const listenHost = z.string().check(
  z.refine((text) => !text.startsWith("["), {
    error: "must be an IPv6 address without brackets, such as ::1",
  }),
  z.refine((text) => !text.includes("/") || /^\/.*[^/]$/.test(text), {
    error:
      "must be an address, a host name, or the absolute path of a Unix socket, such as /run/site/site.sock (without unix:)",
  }),
  z.refine((text) => !text.includes("/") || Buffer.byteLength(text) <= maxSocketPathBytes, {
    error: `must have ${maxSocketPathBytes} bytes or fewer if it is the path of a Unix socket`,
  }),
);

export const email = z.string().check(z.email("must be an email address"));

export const emails = list(
  (item) => email.safeParse(item).success,
  "must be email addresses separated by commas",
);

export const networks = list(
  isNetwork,
  "must be IP addresses or networks such as 10.0.0.0/8, separated by commas",
);

export const mailUrl = text(
  (text) => /^file:.+$/.test(text) || isMailServer(text),
  "must be smtp:// or smtps:// with a host, or file: with a folder; in a password, write @ : / # % as %40 %3A %2F %23 %25",
);

export const webhookUrl = text(
  isReceiver,
  "must be https:// with a host; http:// only for this machine, a private IP address or a name without a dot",
);

export const webhookSecret = text((text) => {
  const [, key = ""] = /^whsec_([A-Za-z\d+/]+={0,2})$/.exec(text) ?? [];
  const { length } = Buffer.from(key, "base64");
  return length >= 24 && length <= 64;
}, 'must be whsec_ and 24 to 64 random bytes in base64, as printed by: echo "whsec_$(openssl rand -base64 32)"');

export const databaseUrl = z.string().check((payload) => {
  try {
    parseAddress(payload.value);
  } catch (error) {
    const { message } = error as Error;
    payload.issues.push({ code: "custom", message, input: payload.value });
  }
});

export const origin = z.pipe(
  text(
    (text) => /^https?:\/\/[^/?#@\s]+\/?$/.test(text) && URL.canParse(text),
    "must be http:// or https:// with a host and no path",
  ),
  z.transform((text) => new URL(text).origin),
);

export const origins = z.pipe(
  list(
    (item) => origin.safeParse(item).success,
    "must be origins such as https://intranet.school.example, separated by commas",
  ),
  z.transform((items) => items.map((item) => new URL(item).origin)),
);

export const existingFolder = text(
  (folder) => existsSync(folder) && statSync(folder).isDirectory(),
  "must be an existing folder",
);

export const scannerAddress = z.pipe(
  text(
    (text) => text.startsWith("/") || isHostAndPort(text),
    "must be host:port or the absolute path of a Unix socket",
  ),
  z.transform((text): ServerAddress => {
    if (text.startsWith("/")) return { path: text };
    const { hostname, port } = new URL(`tcp://${text}`);
    return { host: withoutBrackets(hostname), port: Number(port) };
  }),
);

export const maxLength = (length: number) =>
  text((text) => text.length <= length, `must be ${length} characters or fewer`);

export const wholeNumber = (min: number, max: number) =>
  z.pipe(
    text(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `must be a whole number from ${min} to ${max}`,
    ),
    z.transform(Number),
  );

/** Returns a rule and its `choices`, which docs/settings.md and the settings file list. */
export const oneOf = <const Choice extends string>(...choices: Choice[]) => ({
  choices,
  rule: z.pipe(
    text((text) => choices.some((choice) => choice === text), `must be ${choices.join(" or ")}`),
    z.transform((text) => text as Choice),
  ),
});

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}

/** Whether a text is the URL of a mail server. A password with a stray percent sign makes the URL invalid. */
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

const privateNetworks = new BlockList();
privateNetworks.addSubnet("127.0.0.0", 8, "ipv4");
privateNetworks.addSubnet("10.0.0.0", 8, "ipv4");
privateNetworks.addSubnet("172.16.0.0", 12, "ipv4");
privateNetworks.addSubnet("192.168.0.0", 16, "ipv4");
privateNetworks.addAddress("::1", "ipv6");
privateNetworks.addSubnet("fc00::", 7, "ipv6");

/** Returns an IPv6 address without the brackets that it has in a URL, and any other host as it is. */
const withoutBrackets = (hostname: string) => hostname.replace(/^\[|\]$/g, "");

/** Whether a text is the URL of a webhook receiver. With http://, its host must be a private IP or have no dot. */
function isReceiver(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, hash } = new URL(text);
  if (hash !== "") return false;
  const host = withoutBrackets(hostname);
  const isPrivate =
    isIP(host) === 0
      ? !host.includes(".")
      : privateNetworks.check(host, isIP(host) === 6 ? "ipv6" : "ipv4");
  return protocol === "https:" || isPrivate;
}

function isHostAndPort(text: string): boolean {
  if (!/^[^/?#@\s]+:\d+$/.test(text) || !URL.canParse(`tcp://${text}`)) return false;
  const { hostname, port } = new URL(`tcp://${text}`);
  return hostname !== "" && Number(port) > 0;
}

function isNetwork(text: string): boolean {
  const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(bits ?? 0) <= (version === 6 ? 128 : 32);
}
