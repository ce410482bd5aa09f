import { isNear } from "../../domain/clock.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

/**
 * Checks the clock against two times that have passed: when the program was built, and the highest
 * at which the server ran.
 */
export function checkClock(now: Date, builtAt: Date, confirmedAt: Date | undefined): Finding[] {
  const time = now.toISOString();
  const remedy =
    "set the clock, preferably by NTP (timedatectl set-ntp true): requests are dated and deleted by it";
  if (now < builtAt) {
    const built = builtAt.toISOString().slice(0, 10);
    return [
      fail("clock", `the clock says ${time}, but this program was built on ${built}`, remedy),
    ];
  }
  if (confirmedAt === undefined || isNear(now, confirmedAt)) return [ok("clock", time)];
  const last = confirmedAt.toISOString();
  if (now < confirmedAt) {
    return [fail("clock", `the clock says ${time}, but the server ran at ${last}`, remedy)];
  }
  return [
    warn(
      "clock",
      `the clock says ${time}, and the server last ran by a confirmed clock at ${last}; nothing is deleted by age`,
      "set the clock if it is wrong; if it is right, nothing: it is confirmed when the server has run for 24 hours",
    ),
  ];
}
