import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { atEnd } from "../support/at-end.ts";
import { newFolder, startServer } from "../support/server.ts";

const toolFolder = path.join(import.meta.dirname, "../../.cache/observatory");
const version = "1.4.8";
const host = "localhost";

/**
 * Runs Mozilla's HTTP Observatory over TLS, as for a site behind a proxy. It has 233 packages, so it is
 * installed by this test instead of being a dependency.
 */
test("Mozilla's HTTP Observatory deducts no points", async (t) => {
  installObservatory();
  const folder = newFolder(t);
  const key = path.join(folder, "key.pem");
  const certificate = path.join(folder, "certificate.pem");
  const names = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
  const newKey = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  execFileSync("openssl", ["req", ...newKey, "-keyout", key, "-out", certificate, ...names], {
    stdio: "ignore",
  });
  const ports = await startProxy(t, readFileSync(key), readFileSync(certificate));

  for (const pagePath of ["/", "/contact", "/blog", "/privacy-policy", "/nowhere"]) {
    const { score, deductions } = await scan(pagePath, ports, certificate);
    t.diagnostic(`${pagePath}: ${score} points`);
    assert.deepEqual(deductions, [], pagePath);
    // 100, plus 10 for the content security policy, 10 for the resource policy, 5 each for framing and the
    // referrer policy. The other 15 of 145 are for cookies, a preloaded domain and hashes of our own scripts.
    assert.ok(score >= 130, `${pagePath}: ${score}`);
  }
});

function installObservatory(): void {
  const name = `@mdn/mdn-http-observatory`;
  const installed = path.join(toolFolder, "node_modules", name);
  if (!existsSync(path.join(installed, "conf/hsts-preload.json"))) {
    mkdirSync(toolFolder, { recursive: true });
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    execFileSync("npm", ["install", "--prefix", toolFolder, ...quiet, `${name}@${version}`]);
    // An empty list keeps it from downloading the preloaded domains; ours is not one.
    writeFileSync(path.join(installed, "conf/hsts-preload.json"), "{}");
  }
  writeFileSync(
    path.join(toolFolder, "scan.mjs"),
    `import { retrieve } from "${name}/src/retriever/retriever.js";
import { ALL_TESTS } from "${name}/src/constants.js";
import { getScoreModifier } from "${name}/src/grader/grader.js";
const [host, path, httpPort, httpsPort] = process.argv.slice(2);
const requests = await retrieve(host, { path, httpPort, httpsPort });
const results = ALL_TESTS.map((one) => one(requests));
console.log(JSON.stringify(results.map((one) =>
  ({ name: one.constructor.name, result: one.result, points: getScoreModifier(one.result) }))));
`,
  );
}

/** The setup of docs/operating.md: a TLS proxy, and plain HTTP that redirects to it. */
async function startProxy(t: TestContext, key: Buffer, cert: Buffer) {
  let target = "";
  const tls = createTlsServer({ key, cert }, (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const proxied = request(target + url, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode!, response.rawHeaders);
      response.pipe(outgoing);
    });
    incoming.pipe(proxied);
  });
  const httpsPort = await listen(tls);
  const plain = createServer((incoming, outgoing) => {
    outgoing.writeHead(308, { Location: `https://${host}:${httpsPort}${incoming.url}` }).end();
  });
  const httpPort = await listen(plain);
  atEnd(t, () => {
    for (const server of [tls, plain]) {
      server.closeAllConnections();
      server.close();
    }
  });
  const publicUrl = `https://${host}:${httpsPort}`;
  target = (await startServer(t, { env: { RUBRICON_PUBLIC_URL: publicUrl } })).url;
  return { httpPort, httpsPort };
}

function listen(server: ReturnType<typeof createServer | typeof createTlsServer>) {
  return new Promise<number>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
  );
}

async function scan(
  pagePath: string,
  { httpPort, httpsPort }: { httpPort: number; httpsPort: number },
  certificate: string,
) {
  const child = spawn(
    process.execPath,
    ["scan.mjs", host, pagePath, String(httpPort), String(httpsPort)],
    {
      cwd: toolFolder,
      env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const results = JSON.parse(Buffer.concat(await child.stdout.toArray()).toString()) as {
    name: string;
    result: string;
    points: number;
  }[];
  return {
    score: results.reduce((sum, { points }) => sum + points, 100),
    deductions: results.filter(({ points }) => points < 0),
  };
}
