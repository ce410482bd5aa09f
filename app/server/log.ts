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
  const reason = cause === undefined ? "" : `: ${cause instanceof Error ? cause.message : cause}`;
  const line = `${level} ${message}${reason}`.replaceAll(/[\r\n]+/g, " ");
  process.stderr.write(`${new Date().toISOString()} ${line}\n`);
}
