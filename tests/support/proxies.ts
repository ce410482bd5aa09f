import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { atEnd } from "./at-end.ts";
import { freePort } from "./free-port.ts";
import { isOk } from "./is-ok.ts";
import { documentText } from "./runbook.ts";
import { newFolder, until } from "./server.ts";

const root = path.join(import.meta.dirname, "../..");
// operating.md has the configuration of nginx, and start.md that of Caddy.
const guide = documentText("operating.md") + documentText("start.md");

/** Returns a part of the guide's configuration. */
function fromGuide(pattern: RegExp, port: string): string {
  const [part] = pattern.exec(guide) ?? [];
  if (!part) throw new Error(`The documents have no ${pattern}`);
  return part
    .replace("127.0.0.1:3000", `127.0.0.1:${port}`)
    .replace("/usr/share/rubricon", path.join(root, "packaging"));
}

const configurations = {
  nginx: (port: string, listen: number, folder: string) => `
daemon off;
pid ${folder}/pid;
error_log ${folder}/error.log;
worker_rlimit_nofile 16384;
events { worker_connections 8192; }
http {
  include /etc/nginx/mime.types;
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  server {
    listen 127.0.0.1:${listen};
    client_max_body_size 512m;
${fromGuide(/ {4}location \/ \{[^}]*\}/, port)}
${fromGuide(/ {4}error_page [\s\S]*?\n {4}\}/, port)}
  }
}`,
  caddy: (port: string, listen: number) => `
{
	admin off
}
http://127.0.0.1:${listen} {
${fromGuide(/\treverse_proxy [^}]*\}/, port)}
${fromGuide(/\thandle_errors \{[\s\S]*?\n\t\}/, port)}
}`,
  /** Caddy, as compose.yaml configures it. */
  compose: (port: string, listen: number) => `
{
	admin off
}
${readFileSync(path.join(root, "packaging/Caddyfile"), "utf8")
  .replace("{$SITE_URL}", `http://127.0.0.1:${listen}`)
  .replace("rubricon:3000", `127.0.0.1:${port}`)
  .replace("/usr/local/share/rubricon", path.join(root, "packaging"))}`,
};

export type ProxyName = keyof typeof configurations;

const programOf = (proxy: ProxyName) => (proxy === "compose" ? "caddy" : proxy);

export const isInstalled = (proxy: ProxyName) => !spawnSync(programOf(proxy), ["version"]).error;

/** Starts a proxy in front of a server, as operating.md, start.md or packaging/Caddyfile configures it, but for TLS. */
export async function startProxy(t: TestContext, proxy: ProxyName, url: string): Promise<string> {
  const folder = newFolder(t);
  const listen = await freePort();
  const file = path.join(folder, "proxy.conf");
  mkdirSync(path.join(folder, "home"));
  writeFileSync(file, configurations[proxy](new URL(url).port, listen, folder));
  const args =
    proxy === "nginx" ? ["-c", file] : ["run", "--adapter", "caddyfile", "--config", file];
  const child = spawn(programOf(proxy), args, {
    stdio: "ignore",
    env: { PATH: process.env.PATH, HOME: path.join(folder, "home") },
  });
  const exited = once(child, "exit");
  atEnd(t, async () => {
    child.kill("SIGTERM");
    await exited;
  });
  const address = `http://127.0.0.1:${listen}`;
  await until(() => isOk(`${address}/healthz`));
  return address;
}
