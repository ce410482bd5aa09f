import { loadConfig } from "../config/config.ts";
import type { Settings } from "../config/settings.ts";
import { readContent } from "../content/content.ts";
import { ContentError } from "../content/content-error.ts";
import { type Finding, fail, ok } from "./finding.ts";

export function checkContent(settings: Settings): Finding[] {
  try {
    const { content, brand, retentionDays } = loadConfig(settings);
    const { articles } = readContent(content, brand, retentionDays);
    return [ok("content", `${articles.length} articles, ${settings.contentDir ?? "built in"}`)];
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    return error.messages.map((message) =>
      fail(
        "content",
        message,
        `correct the file in ${settings.contentDir}, or delete it to use the built-in one`,
      ),
    );
  }
}
