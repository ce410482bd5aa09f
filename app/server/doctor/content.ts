import { loadConfig } from "../config/config.ts";
import type { Settings } from "../config/settings.ts";
import { readContent } from "../content/content.ts";
import { ContentError } from "../content/content-error.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

export function checkContent(settings: Settings): Finding[] {
  try {
    const { content, brand, retentionDays } = loadConfig(settings);
    const { articles, advice } = readContent(content, brand, retentionDays);
    if (advice.length > 0) {
      const remedy = "see config check, which names every file and line";
      return [warn("content", `${advice.length} notes on your own articles`, remedy)];
    }
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
