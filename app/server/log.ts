/** Lines for the operator, on stderr. Never a name, an address, a file name or a text of a visitor. */
export interface Log {
  info(message: string): void;
  warn(message: string, cause?: unknown): void;
  error(message: string, cause?: unknown): void;
  /** One request that the router has answered; pages and files from memory are not told of. */
  request(handled: HandledRequest): void;
}

export interface HandledRequest {
  id: string;
  method: string;
  path: string;
  /** 0 where the visitor left before the answer was out. */
  status: number;
  ms: number;
}

/** @param format lines for people, or JSON for programs */
export function openLog(format: "text" | "json"): Log {
  // Whoever reads the log may go away; the service stays.
  process.stderr.on("error", () => {});
  const write = (level: string, message: string, more: object = {}, cause?: unknown) => {
    const time = new Date().toISOString();
    const reason = cause === undefined ? undefined : reasonIn(cause);
    const line =
      format === "json"
        ? JSON.stringify({ time, level, message, ...more, cause: reason })
        : `${time} ${level} ${message}${reason === undefined ? "" : `: ${reason}`}`;
    process.stderr.write(`${line.replaceAll(/[\r\n]+/g, " ")}\n`);
  };
  return {
    info: (message) => write("info", message),
    warn: (message, cause) => write("warn", message, {}, cause),
    error: (message, cause) => write("error", message, {}, cause),
    request(handled) {
      const { id, method, path, status, ms } = handled;
      if (format === "json") write("info", "request", handled);
      else write("info", `${method} ${path} ${status || "left"} in ${ms} ms, request ${id}`);
    },
  };
}

/** The innermost cause: an error around it may quote what was being stored. And where it came up. */
function reasonIn(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.cause instanceof Error) return reasonIn(cause.cause);
  const place = /^\s+at .*$/m.exec(cause.stack ?? "")?.[0].trim() ?? "";
  return `${cause.name}: ${cause.message} ${place}`;
}
