const reasons: Record<string, string> = {
  EACCES: "this account may not access it",
  EPERM: "this account may not access it",
  EROFS: "its disk is mounted read-only",
  ENOENT: "it does not exist, or its folder does not",
  ENOTDIR: "a part of its path is a file, not a folder",
  EISDIR: "it is a folder",
};

/** Says why a file cannot be used, for frequent errors of the file system; undefined for others, or without a path. */
export function reasonOf(error: unknown): string | undefined {
  const { code = "", path } = error as NodeJS.ErrnoException;
  return path && reasons[code] ? `${reasons[code]} (${code})` : undefined;
}

/** A sentence for an operator about a frequent error of the file system; undefined for any other. */
export function systemSentence(error: unknown): string | undefined {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (syscall === "uv_cwd") return "The current folder was deleted. Go to another one.";
  if (code === "EPIPE") return "The reader of the output has exited before all of it was written.";
  const reason = reasonOf(error);
  return reason && `${path} cannot be used: ${reason}.`;
}
