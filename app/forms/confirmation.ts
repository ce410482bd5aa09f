/** The box by which whoever sends learners' work confirms that they may; nobody has to tick it. */
export const confirmationField = "mayShare";

/** The days of its wordings, the present one last. A page may be sent that was loaded before the last change. */
export const noticeVersions = ["2026-11-21"];
