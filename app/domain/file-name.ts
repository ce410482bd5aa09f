import { withoutInvisible } from "./characters.ts";

/** The name of a file without its extension: what people call a learner's work. */
export const withoutExtension = (fileName: string) => fileName.replace(/\.\w+$/, "");

/** The folders of a name that a program on Windows sends with its whole path. */
const windowsFolders = /^[a-z]:\\(.*\\)?/is;

/** The name under which an uploaded file is stored and shown: no folders, invisible characters or backslashes. */
export const storedName = (fileName: string): string =>
  withoutInvisible(fileName.replace(windowsFolders, "").split("/").at(-1)!)
    .replaceAll("\\", "_")
    .trim();
