export interface Entry {
  key: string;
  value: string;
  /** Counted from 1. */
  line: number;
}

/**
 * Reads lines of KEY=VALUE as systemd reads an EnvironmentFile. What other readers of such files would
 * take for something else (escapes, a comment behind a value, a value over several lines) is a fault.
 */
export function parseEnvFile(text: string): {
  entries: Entry[];
  faults: { line: number; message: string }[];
} {
  const entries: Entry[] = [];
  const faults: { line: number; message: string }[] = [];
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  for (const [index, raw] of lines.entries()) {
    const line = index + 1;
    const content = raw.trim();
    if (content === "" || /^[#;]/.test(content)) continue;
    const read = readLine(content);
    if ("fault" in read) {
      faults.push({ line, message: read.fault });
      continue;
    }
    const nearest = entries.find(({ key }) => key === read.key);
    if (nearest)
      faults.push({ line, message: `${read.key} stands in line ${nearest.line} already` });
    else entries.push({ ...read, line });
  }
  return { entries, faults };
}

function readLine(content: string): { key: string; value: string } | { fault: string } {
  const parts = /^(\w+)\s*=\s*(.*)$/.exec(content);
  if (!parts) {
    return /^export\s/.test(content)
      ? { fault: "must be KEY=VALUE, without export" }
      : { fault: "must be KEY=VALUE, or a comment that begins with #" };
  }
  const [, key, written] = parts as unknown as [string, string, string];
  const value = readValue(written);
  return typeof value === "string" ? { key, value } : { fault: `${key} ${value.fault}` };
}

/** Quoted, it is what stands between; in double quotes a backslash keeps `" \ $` and a backtick as they are. */
function readValue(written: string): string | { fault: string } {
  const [quote] = written;
  if (quote === "'" || quote === '"') {
    const quoted = quote === "'" ? /^'([^']*)'(.*)$/ : /^"((?:[^"\\]|\\.)*)"(.*)$/;
    const parts = quoted.exec(written);
    if (!parts) return { fault: `has no second ${quote} on its line` };
    if (parts[2] !== "") return { fault: "has something behind its closing quote" };
    return quote === "'" ? parts[1]! : parts[1]!.replace(/\\(["\\$`])/g, "$1");
  }
  if (/\s#/.test(written)) {
    return { fault: "has a # in its value: give a comment a line of its own, or quote the value" };
  }
  if (written.includes("\\")) {
    return { fault: "has a backslash in its value: put the value in single quotes" };
  }
  return written;
}
