/**
 * Lines for the operator, on stderr. Never log a visitor's name, address, file names or texts:
 * nothing that a client sent.
 */
export interface Log {
  info(message: string): void;
  warn(message: string, cause?: unknown): void;
  error(message: string, cause?: unknown): void;
  /** Logs a request that an endpoint or the router has handled; cached pages and files of the build are not logged. */
  request(request: HandledRequest): void;
}

interface HandledRequest {
  id: string;
  method: string;
  path: string;
  /** 0 if the client disconnected before the response was sent. */
  status: number;
  ms: number;
}

/** The prefixes from which systemd's journal takes a line's priority. The journal removes the prefix. */
const priorities = { info: "<6>", warn: "<4>", error: "<3>" };

/**
 * Returns a log that writes to stderr.
 * @param format "text" for people, "json" for programs
 * @param isJournal begins each line with its priority
 */
export function openLog(format: "text" | "json", isJournal = false): Log {
  const write = (
    level: keyof typeof priorities,
    message: string,
    { cause, ...more }: { cause?: unknown } & Partial<HandledRequest> = {},
  ) => {
    const time = new Date().toISOString();
    const reason = cause === undefined ? undefined : describeCause(cause);
    const line =
      format === "json"
        ? JSON.stringify({ time, level, message, ...more, cause: reason })
        : `${time} ${level} ${message}${reason === undefined ? "" : `: ${reason}`}`;
    const priority = isJournal ? priorities[level] : "";
    process.stderr.write(`${priority}${line.replaceAll(/[\r\n]+/g, " ")}\n`);
  };
  return {
    info: (message) => write("info", message),
    warn: (message, cause) => write("warn", message, { cause }),
    error: (message, cause) => write("error", message, { cause }),
    request(request) {
      const { id, method, path, status, ms } = request;
      if (format === "json") write("info", "request", request);
      else write("info", `${method} ${path} ${status || "aborted"} in ${ms} ms, request ${id}`);
    },
  };
}

/** Returns the innermost cause with its first stack frame: an outer error may quote a visitor's data. */
export function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.cause instanceof Error) return describeCause(cause.cause);
  const frame = /^\s+at .*$/m.exec(cause.stack ?? "")?.[0].trim() ?? "";
  return `${cause.name}: ${cause.message} ${frame}`;
}
