import { withoutInvisible } from "./characters.ts";

/** The name of a file without its extension: what people call a learner's work. */
export const withoutExtension = (fileName: string) => fileName.replace(/\.\w+$/, "");

/** Matches the folders of a path on Windows, which some programs send in place of the name. */
const windowsFolders = /^[a-z]:\\(.*\\)?/is;

/** The name that is stored for an uploaded file, without folder, invisible characters and backslashes; may be empty. */
export const storedName = (fileName: string): string =>
  withoutInvisible(fileName.replace(windowsFolders, "").split("/").at(-1)!)
    .replaceAll("\\", "_")
    .trim();
