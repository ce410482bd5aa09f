export interface EnvEntry {
  key: string;
  value: string;
  /** Counted from 1. */
  line: number;
}

/**
 * Parses KEY=VALUE lines as systemd parses an EnvironmentFile. Rejects what other parsers read
 * differently: unquoted backslashes, a comment after a value, and values of several lines.
 */
export function parseEnvFile(text: string): {
  entries: EnvEntry[];
  errors: { line: number; message: string }[];
} {
  const entries: EnvEntry[] = [];
  const errors: { line: number; message: string }[] = [];
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  for (const [index, raw] of lines.entries()) {
    const line = index + 1;
    const content = raw.trim();
    if (content === "" || /^[#;]/.test(content)) continue;
    const parsed = parseLine(content);
    if ("error" in parsed) {
      errors.push({ line, message: parsed.error });
      continue;
    }
    const earlier = entries.find(({ key }) => key === parsed.key);
    if (earlier)
      errors.push({ line, message: `${parsed.key} is already set on line ${earlier.line}` });
    else entries.push({ ...parsed, line });
  }
  return { entries, errors };
}

function parseLine(content: string): { key: string; value: string } | { error: string } {
  const parts = /^(\w+)\s*=\s*(.*)$/.exec(content);
  if (!parts) {
    return /^export\s/.test(content)
      ? { error: "must be KEY=VALUE, without export" }
      : { error: "must be KEY=VALUE, or a comment that begins with #" };
  }
  const [, key, raw] = parts as unknown as [string, string, string];
  const value = parseValue(raw);
  return typeof value === "string" ? { key, value } : { error: `${key} ${value.error}` };
}

/** Removes quotes. In double quotes, a backslash escapes `"`, `\`, `$` and a backtick only. */
function parseValue(raw: string): string | { error: string } {
  const [quote] = raw;
  if (quote === "'" || quote === '"') {
    const quoted = quote === "'" ? /^'([^']*)'(.*)$/ : /^"((?:[^"\\]|\\.)*)"(.*)$/;
    const parts = quoted.exec(raw);
    if (!parts) return { error: `has no closing ${quote} on its line` };
    if (parts[2] !== "") return { error: "has text after its closing quote" };
    return quote === "'" ? parts[1]! : parts[1]!.replace(/\\(["\\$`])/g, "$1");
  }
  if (/\s#/.test(raw)) {
    return { error: "has a # in its value: put comments on their own line, or quote the value" };
  }
  if (raw.includes("\\")) {
    return { error: "has a backslash in its value: put the value in single quotes" };
  }
  return raw;
}
