import { type Finding, fail, ok } from "./finding.ts";

/** @param builtAt when the program was built: no time can be earlier */
export function checkClock(now: Date, builtAt: Date): Finding[] {
  const time = now.toISOString();
  if (now >= builtAt) return [ok("clock", time)];
  return [
    fail(
      "clock",
      `it says ${time}, but this program was made on ${builtAt.toISOString().slice(0, 10)}`,
      "set the clock, best by NTP (timedatectl set-ntp true): requests are dated and deleted by it",
    ),
  ];
}
