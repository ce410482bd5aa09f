/** The checkbox that confirms the right to share learners' work. */
export const confirmationField = "mayShare";

/** A hidden field of the forms that show the checkbox. A post with it needs the tick; programs may leave out both. */
export const asksToConfirmField = "asksMayShare";

/**
 * Notice versions by date, newest last. Older ones stay valid for pages that are already open. 2026-11-21 said "my
 * school or institution allows it, or I have removed the learners' names", and 2026-11-22 the same with "and" in place
 * of "or"; 2026-11-23 says "I may share this work: my school or institution allows it".
 */
export const noticeVersions = ["2026-11-21", "2026-11-22", "2026-11-23"];

/** The notice version that the visitor agreed to, or null; an unknown version counts as none. */
export const confirmedNotice = (typed: Record<string, unknown>): string | null =>
  noticeVersions.find((version) => version === typed[confirmationField]) ?? null;

/** The error of a missing tick, by field, if the form shows the checkbox; otherwise empty. */
export const confirmationErrors = (typed: Record<string, unknown>): Record<string, string[]> =>
  typed[asksToConfirmField] && !confirmedNotice(typed)
    ? { [confirmationField]: ["Please confirm that you may share this work"] }
    : {};
