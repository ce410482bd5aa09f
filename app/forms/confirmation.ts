/** The checkbox that confirms the right to share learners' work. It is optional. */
export const confirmationField = "mayShare";

/** Notice versions by date, newest last. Older ones stay valid for pages that are already open. */
export const noticeVersions = ["2026-11-21"];
