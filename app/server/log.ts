/** Lines for the operator, on stderr. Never a name, an address, a file name or a text of a visitor. */
export interface Log {
  info(message: string): void;
  warn(message: string, cause?: unknown): void;
  error(message: string, cause?: unknown): void;
}

export const stderrLog: Log = {
  info: (message) => write("info", message),
  warn: (message, cause) => write("warn", message, cause),
  error: (message, cause) => write("error", message, cause),
};

function write(level: string, message: string, cause?: unknown): void {
  const reason = cause === undefined ? "" : `: ${reasonIn(cause)}`;
  const line = `${level} ${message}${reason}`.replaceAll(/[\r\n]+/g, " ");
  process.stderr.write(`${new Date().toISOString()} ${line}\n`);
}

/** The innermost cause: an error around it may quote what was being stored. And where it came up. */
function reasonIn(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.cause instanceof Error) return reasonIn(cause.cause);
  const place = /^\s+at .*$/m.exec(cause.stack ?? "")?.[0].trim() ?? "";
  return `${cause.name}: ${cause.message} ${place}`;
}
