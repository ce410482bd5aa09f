/**
 * npm run lighthouse [-- PATH …]: Lighthouse's four categories, as on a phone, of the pages that visitors
 * come to first. Fails where one is below what we hold ourselves to, and says what cost it.
 */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import lighthouse from "lighthouse";
import { chromium } from "playwright-core";
import { findBrowser } from "./find-browser.ts";
import { startExecutable } from "./start-executable.ts";

const least = 98;
const given = process.argv.slice(2);
const paths =
  given.length > 0 ? given : ["/", "/exam-grading-accuracy-comparison", "/demo", "/latest-feature"];
const categories = ["performance", "accessibility", "best-practices", "seo"];
/** Another program on the same processor costs a run some points, and never gives it any. */
const runs = 3;

const server = await startExecutable();
const port = await freePort();
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ["--no-sandbox", `--remote-debugging-port=${port}`],
});
let failed = false;
try {
  console.log(`${"".padEnd(36)}${categories.map((name) => name.padStart(16)).join("")}`);
  for (const path of paths) {
    const { scores, metrics, faults } = await best(path);
    const columns = scores.map((score) => `${score}`.padStart(16)).join("");
    console.log(`${path.padEnd(36)}${columns}   ${metrics}`);
    if (scores.every((score) => score >= least)) continue;
    failed = true;
    for (const fault of faults) console.log(`  ${fault}`);
  }
} finally {
  await browser.close();
  await server.stop();
}
if (failed) process.exit(1);

async function best(path: string) {
  let best = await measure(path);
  for (let run = 1; run < runs && best.scores[0]! < least; run += 1) {
    const again = await measure(path);
    if (again.scores[0]! > best.scores[0]!) best = again;
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
  const faults = Object.values(lhr.audits)
    .filter(({ score }) => score !== null && score < 0.9)
    .map(({ id, title, displayValue = "" }) => `${id}: ${title} ${displayValue}`);
  return { scores, metrics, faults };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
