/** Result of one check. Warnings and failures include a remedy. */
export type Finding =
  | { check: string; state: "ok"; found: string }
  | { check: string; state: "warn" | "FAIL"; found: string; remedy: string };

export const ok = (check: string, found: string): Finding => ({ check, state: "ok", found });

export const warn = (check: string, found: string, remedy: string): Finding => ({
  check,
  state: "warn",
  found,
  remedy,
});

export const fail = (check: string, found: string, remedy: string): Finding => ({
  check,
  state: "FAIL",
  found,
  remedy,
});
