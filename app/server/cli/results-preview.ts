import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { MarkedSubmission, Results } from "../../domain/result.ts";
import { cacheable } from "../../rendering.ts";
import type { Config } from "../config/load-config.ts";
import { cardsFor } from "../content/cards.ts";
import { readContent } from "../content/read-content.ts";
import { loadPages } from "../http/pages.ts";
import { type RouteServices, routerContextFor } from "../http/router-context.ts";

/**
 * Writes the class as a private link would show it, and below it every learner's slip, as one page. Replaces the file.
 */
export async function writePreview(config: Config, results: Results, file: string): Promise<void> {
  const { brand, retentionDays } = config;
  // Pages of results use these services only, so the assertion holds.
  const services = {
    ...readContent(config),
    brand,
    retentionDays,
    origin: "http://localhost",
    cards: cardsFor(brand),
    findResults: async () => ({ ...results, submissions: results.submissions.map(asProposed) }),
    desk: {
      findResultsStatus: async () => ({ isSigned: results.signed !== undefined, markCount: 0 }),
      findScripts: async () => [],
      hasScripts: async () => false,
    },
  } as unknown as RouteServices;
  const pages = await loadPages();
  const render = async (query: string) => {
    const context = routerContextFor(services, cacheable, undefined);
    const request = new Request(`http://localhost/?results=preview${query}`);
    return (await pages.handle(request, context)).text();
  };
  const slips = /<main[^>]*>(.*)<\/main>/s.exec(await render("&slips=1"))![1]!;
  const whole = (await render("")).replace("</main>", () => `${slips}</main>`);
  await writeFile(file, standalone(whole), { mode: 0o600 });
}

/** Returns a submission whose slip shows every reason: without `importId`, a reason counts as accepted by a person. */
const asProposed = (submission: MarkedSubmission): MarkedSubmission => ({
  ...submission,
  questionMarks: submission.questionMarks.map(({ importId: _, ...mark }) => mark),
});

/** Makes a page work as a local file: styles inside, no scripts, and no links but those to learners. */
function standalone(html: string): string {
  const folder = path.join(import.meta.dirname, "../client/assets");
  const styleOf = (href: string) => {
    const css = readFileSync(path.join(folder, path.basename(href)), "utf8");
    return `<style>${css.replace(/@font-face\s*\{[^}]*\}/g, "")}</style>`;
  };
  return html
    .replace(/<script.*?<\/script>/gs, "")
    .replace(/<link rel="stylesheet" href="([^"]+)"[^>]*>/g, (_, href: string) => styleOf(href))
    .replace(/<link [^>]*>/g, "")
    .replace(/<(header|footer|nav)\b.*?<\/\1>/gs, "")
    .replace(/href="\/\?results=preview&amp;learner=(\d+)"/g, 'href="#learner-$1"')
    .replace(/ (href|formaction)="\/[^"]*"/gi, "");
}
