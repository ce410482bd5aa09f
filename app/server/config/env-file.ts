/** One line of a settings file that sets a variable or is wrong. Lines are counted from 1. */
type EnvLine = { line: number } & ({ variable: string; value: string } | { error: string });

/**
 * Parses KEY=VALUE lines as systemd parses an EnvironmentFile. Rejects what other parsers read
 * differently: unquoted backslashes, a comment after a value, and values of several lines.
 */
export function parseEnvFile(text: string): EnvLine[] {
  const lineOf = new Map<string, number>();
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  return lines.flatMap((raw, index): EnvLine[] => {
    const line = index + 1;
    const content = raw.trim();
    if (content === "" || /^[#;]/.test(content)) return [];
    const parsed = parseLine(content);
    if ("error" in parsed) return [{ line, ...parsed }];
    const { variable } = parsed;
    const earlier = lineOf.get(variable);
    if (earlier) return [{ line, error: `${variable} is already set on line ${earlier}` }];
    lineOf.set(variable, line);
    return [{ line, ...parsed }];
  });
}

function parseLine(content: string): { variable: string; value: string } | { error: string } {
  const parts = /^(\w+)\s*=\s*(.*)$/.exec(content);
  if (!parts) {
    return /^export\s/.test(content)
      ? { error: "must be KEY=VALUE, without export" }
      : { error: "must be KEY=VALUE, or a comment that begins with #" };
  }
  const [, variable = "", raw = ""] = parts;
  const value = parseValue(raw);
  return typeof value === "string" ? { variable, value } : { error: `${variable} ${value.error}` };
}

/** Returns a value without quotes, or its error. In double quotes, `\` escapes only `"`, `\`, `$` and a backtick. */
function parseValue(raw: string): string | { error: string } {
  const [quote] = raw;
  if (quote === "'" || quote === '"') {
    const quoted = quote === "'" ? /^'([^']*)'(.*)$/ : /^"((?:[^"\\]|\\.)*)"(.*)$/;
    const parts = quoted.exec(raw);
    if (!parts) return { error: `has no closing ${quote} on its line` };
    if (parts[2] !== "") return { error: "has text after its closing quote" };
    return quote === "'" ? parts[1]! : parts[1]!.replace(/\\(["\\$`])/g, "$1");
  }
  if (/(^|\s)#/.test(raw)) {
    return { error: "has a # in its value: put comments on their own line, or quote the value" };
  }
  if (raw.includes("\\")) {
    return { error: "has a backslash in its value: put the value in single quotes" };
  }
  return raw;
}
