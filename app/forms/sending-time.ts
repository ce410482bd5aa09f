/** What a form says about the connection, and how long sending takes. */
import { amountOf, bytesOf } from "./files.ts";

export const connectionMessages = {
  offline: "You seem to be offline. Nothing is lost; press Send when the connection is back.",
  lost: "The connection is lost. What has arrived is kept; the rest follows by itself when the connection is back.",
  busy: "Others are uploading at this moment, so uploads take turns. What has arrived is kept; the rest follows by itself.",
  rejected:
    "The server cannot take more at this moment. What has arrived is kept; the rest follows by itself.",
  stalled: "There has been no progress for 30 seconds. The connection may be slow or gone.",
};

/** What will be sent and how long that takes: "35 files, 41 MB to send in all: about 4 minutes on 3G." */
export function amountToSend<F extends { size: number }>(
  files: F[],
  hasArrived: (file: F) => boolean,
): string {
  const missing = files.filter((file) => !hasArrived(file));
  const arrived = files.length - missing.length;
  const received = arrived > 0 ? ` ${arrived} received already.` : "";
  const time = aboutTime(bytesOf(missing) / bytesPerSecondOn3g);
  return `${amountOf(missing)} to send in all: ${time} on 3G.${received}`;
}

/** Bytes per second that a mobile connection of the third generation sends: 1.4 Mbit/s. */
const bytesPerSecondOn3g = 175_000;

/** A duration for people: "less than a minute", "about 4 minutes", "about 2 hours". */
export function aboutTime(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return "less than a minute";
  if (minutes < 90) return minutes === 1 ? "about a minute" : `about ${minutes} minutes`;
  return `about ${Math.round(minutes / 60)} hours`;
}

/** How long the rest takes at the speed so far, in seconds; undefined at first. @param sent bytes, of `total` */
export function secondsLeft(sent: number, total: number, elapsedMs: number): number | undefined {
  if (sent === 0 || elapsedMs < 3000) return undefined;
  return ((total - sent) * elapsedMs) / sent / 1000;
}

/** Seconds to wait before a further attempt: 1, doubled each time, up to 30. @param attempt counts from 0 */
export const pauseBefore = (attempt: number) => Math.min(30, 2 ** attempt);
