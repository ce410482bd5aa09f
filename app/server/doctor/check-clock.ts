import { doubtAbout, type PastTimes } from "../clock.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

/** Checks the clock against times that have passed. */
export function checkClock(now: Date, past: PastTimes): Finding[] {
  const time = now.toISOString();
  const doubt = doubtAbout(now, past);
  if (!doubt) return [ok("clock", time)];
  const found = `the clock says ${time}, but ${doubt.reason}; nothing is deleted by age`;
  if (doubt.isBehind) {
    const remedy =
      "set the clock, preferably by NTP (timedatectl set-ntp true): requests are dated and deleted by it";
    return [fail("clock", found, remedy)];
  }
  const remedy =
    "set the clock if it is wrong; if it is right, nothing: data is deleted when the server has run for 24 hours";
  return [warn("clock", found, remedy)];
}
