/** Maximum length of a remark in handwriting, in words: longer ones are easier to read in print. */
const maxWords = 12;

/** Whether a remark of the model or of a person is shown in the handwriting font. */
export const isByHand = (text: string): boolean => text.trim().split(/\s+/).length <= maxWords;
