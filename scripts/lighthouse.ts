/**
 * npm run lighthouse [-- PATH …]: audits the main landing pages, or those given, with Lighthouse's
 * four categories, as on a phone. If a score is below `minScore`, prints the failed audits and
 * exits with 1.
 */
import lighthouse from "lighthouse";
import { freePort } from "../tests/support/free-port.ts";
import { launchBrowser } from "./find-browser.ts";
import { startExecutable } from "./start-executable.ts";

const minScore = 98;
const args = process.argv.slice(2);
const paths =
  args.length > 0 ? args : ["/", "/exam-grading-accuracy-comparison", "/demo", "/latest-feature"];
const categories = ["performance", "accessibility", "best-practices", "seo"];
/**
 * Maximum number of attempts per page. The best counts: other load on the machine lowers the score of performance, the
 * first of the categories, and changes no other score.
 */
const maxRuns = 3;

const server = await startExecutable();
const port = await freePort();
const browser = await launchBrowser(`--remote-debugging-port=${port}`);
let failed = false;
try {
  console.log(`${"".padEnd(36)}${categories.map((name) => name.padStart(16)).join("")}`);
  for (const path of paths) {
    const { scores, metrics, failedAudits } = await bestOf(path);
    const columns = scores.map((score) => `${score}`.padStart(16)).join("");
    console.log(`${path.padEnd(36)}${columns}   ${metrics}`);
    if (scores.every((score) => score >= minScore)) continue;
    failed = true;
    for (const audit of failedAudits) console.log(`  ${audit}`);
  }
} finally {
  await browser.close();
  await server.stop();
}
if (failed) process.exit(1);

async function bestOf(path: string) {
  let best = await measure(path);
  for (let run = 1; run < maxRuns && best.scores[0]! < minScore; run += 1) {
    const next = await measure(path);
    if (next.scores[0]! > best.scores[0]!) best = next;
  }
  return best;
}

async function measure(path: string) {
  const result = await lighthouse(server.url + path, {
    port,
    logLevel: "error",
    onlyCategories: categories,
  });
  const { lhr } = result!;
  const scores = categories.map((name) => Math.round((lhr.categories[name]!.score ?? 0) * 100));
  const metrics = ["largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift"]
    .map((id) => `${lhr.audits[id]!.title} ${lhr.audits[id]!.displayValue}`)
    .join(", ");
  const failedAudits = Object.values(lhr.audits)
    .filter(({ score }) => score !== null && score < 0.9)
    .map(({ id, title, displayValue = "" }) => `${id}: ${title} ${displayValue}`);
  return { scores, metrics, failedAudits };
}
