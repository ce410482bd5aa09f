/** All pages of the website, as the server of a test file sends them. */
import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { HtmlValidate } from "html-validate";
import { once } from "../../app/server/system/once.ts";
import { crawl } from "./crawl.ts";
import { sharedServer } from "./server.ts";

/** Pages that the sitemap leaves out. */
export const unlisted = ["/test-forms", "/blog?q=memo", "/?results=sample", "/nowhere"];

/** The HTML of every page by its address. */
export const crawledPages = once(
  async () => new Map(await crawl((await sharedServer()).url, unlisted)),
);

const validator = new HtmlValidate({
  extends: ["html-validate:recommended", "html-validate:document"],
  rules: {
    // React's serialisation.
    "void-style": "off",
    "no-trailing-whitespace": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "doctype-style": "off",
    "attr-case": "off",
    // Titles and non-breaking characters come from content.
    "long-title": "off",
    "no-raw-characters": "off",
    "no-inline-style": "error",
    // All resources come from the page's own origin.
    "require-sri": "off",
    // React's ids of streamed parts.
    "valid-id": ["error", { relaxed: true }],
  },
});

export async function assertValid(address: string, html: string): Promise<void> {
  // Validation blocks: without a turn, fetch does not notice that the server closes idle connections.
  await setImmediate();
  const { results } = await validator.validateString(html);
  const faults = results
    .flatMap(({ messages }) => messages)
    .map(({ ruleId, message, line, column }) => `${ruleId}: ${message} ${line}:${column}`);
  assert.deepEqual(faults, [], address);
}
