/** Remarks of more words are shown in print, which is easier to read. */
const maxWords = 12;

/** Whether a remark of the model or of a person is written by hand. */
export const isByHand = (text: string): boolean => text.trim().split(/\s+/).length <= maxWords;
