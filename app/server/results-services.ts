/** What pages of results use of the server: reading, downloading and signing marks under a private link. */
import type { RouteContext } from "../context.ts";
import { sampleToken } from "../domain/result.ts";
import { withNoughts } from "../results/apply-decision.ts";
import { type Config, senderOf } from "./config/load-config.ts";
import { sampleResults } from "./content/sample-results.ts";
import { signedEmail } from "./email/compose.ts";
import type { Log } from "./log.ts";
import { downloadOf } from "./results/marks-files.ts";
import type { ServiceParts } from "./team-downloads.ts";

type ResultsServices = Pick<RouteContext, "findResults" | "findDownload" | "signResults">;

export function resultsServices(
  config: Config,
  { store, now, log, onStored }: ServiceParts & { log: Log },
): ResultsServices {
  const { brand, webhook } = config;
  const sample = sampleResults(Boolean(brand.model));
  const findResults = async (token: string, isRead = true) => {
    if (token === sampleToken) return sample;
    const results = await store.findResults(token, now());
    if (isRead && results?.link?.openedAt === null) {
      // Only log a failure, so that the page is shown even if the database cannot be written.
      await store
        .markLinkOpened(token, now())
        .catch((error) => log.error("a link was opened, and the audit lacks it", error));
    }
    return results ?? null;
  };
  return {
    findResults,
    findDownload: async (token, file, { isRead, ...options }) =>
      downloadOf(await findResults(token, isRead), file, { ...brand.results, ...options }),
    signResults: async (token, signature) => {
      const at = now();
      const results = await store.findResults(token, at);
      if (!results?.link) return { outcome: "no link" };
      const email = signedEmail({
        submissions: withNoughts(results.submissions, signature.by),
        reference: results.link.reference,
        by: signature.by,
        at,
        ...senderOf(config),
      });
      const sendsWebhook = webhook !== undefined;
      const outcome = await store.signResults(token, { ...signature, email, sendsWebhook }, at);
      if (outcome.outcome === "stored") onStored();
      return outcome;
    },
  };
}
