/** The name of a file without its extension: what people call a learner's work. */
export const withoutExtension = (fileName: string) => fileName.replace(/\.\w+$/, "");
