/** What markers put on the pages of submissions. */

export const stampKinds = ["tick", "cross", "question", "comment"] as const;
export type StampKind = (typeof stampKinds)[number];
