/** The checkbox that confirms the right to share learners' work. It is optional. */
export const confirmationField = "mayShare";

/**
 * Notice versions by date, newest last. Older ones stay valid for pages that are already open. 2026-11-21 said
 * "my school or institution allows it, or I have removed the learners' names"; 2026-11-22 says "and".
 */
export const noticeVersions = ["2026-11-21", "2026-11-22"];
