import { type Finding, fail, ok } from "./finding.ts";

/** Checks that the clock is not earlier than the build of the program. */
export function checkClock(now: Date, builtAt: Date): Finding[] {
  const time = now.toISOString();
  if (now >= builtAt) return [ok("clock", time)];
  return [
    fail(
      "clock",
      `the clock says ${time}, but this program was built on ${builtAt.toISOString().slice(0, 10)}`,
      "set the clock, preferably by NTP (timedatectl set-ntp true): requests are dated and deleted by it",
    ),
  ];
}
