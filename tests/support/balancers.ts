/** The load balancers of docs/scaling.md. */
import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { atEnd } from "./at-end.ts";
import { freePort } from "./free-port.ts";
import { isOk } from "./is-ok.ts";
import { newFolder, type Server, until } from "./server.ts";

const docs = path.join(import.meta.dirname, "../../docs");
const guide = readFileSync(path.join(docs, "scaling.md"), "utf8");

/** For root, an account other than root. */
const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Runs a program of a Debian package, not as root, until the end of the test. Installs the package if it is missing. */
export function runPackaged(t: TestContext, name: string, args: string[]): void {
  const program = `/usr/sbin/${name}`;
  if (!existsSync(program)) {
    execFileSync("apt-get", ["install", "-y", "--no-install-recommends", name]);
  }
  const child = spawn(program, args, { ...account, stdio: ["ignore", "ignore", "inherit"] });
  atEnd(t, () => child.kill("SIGKILL"));
}

/** Starts HAProxy in front of two servers; returns its URL once one is ready. */
export async function startHaproxy(t: TestContext, servers: Server[]): Promise<string> {
  const [, configuration] = /```haproxy\n(.*?)```/s.exec(guide)!;
  const port = await freePort();
  const text = withServers(configuration!, servers).replace("bind :80", `bind 127.0.0.1:${port}`);
  runPackaged(t, "haproxy", ["-f", writeConfiguration(t, text)]);
  return await whenReady(port);
}

/** Starts nginx in front of two servers, with the location of docs/operating.md. */
export async function startNginx(t: TestContext, servers: Server[]): Promise<string> {
  const [, upstream] = /```nginx\n(.*?)```/s.exec(guide)!;
  const operating = readFileSync(path.join(docs, "operating.md"), "utf8");
  const [location] = / {4}location \/ \{[^}]*\}/.exec(operating)!;
  const port = await freePort();
  const folder = newFolder(t);
  // The temporary folders of Debian's nginx belong to another account, so nginx gets folders of its own.
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const file = writeConfiguration(
    t,
    `
daemon off;
pid ${folder}/pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n  ")}
${withServers(upstream!, servers)}
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 512m;
${location.replace("http://127.0.0.1:3000", "http://servers")}
  }
}`,
  );
  if (account.uid) chownSync(folder, account.uid, account.gid);
  runPackaged(t, "nginx", ["-c", file]);
  return await whenReady(port);
}

const withServers = (configuration: string, servers: Server[]) =>
  servers.reduce(
    (text, { url }, index) => text.replaceAll(`10.0.0.${index + 1}:3000`, new URL(url).host),
    configuration,
  );

function writeConfiguration(t: TestContext, text: string): string {
  const folder = newFolder(t);
  const file = path.join(folder, "balancer.conf");
  writeFileSync(file, text);
  if (account.uid) chownSync(folder, account.uid, account.gid);
  return file;
}

async function whenReady(port: number): Promise<string> {
  const url = `http://127.0.0.1:${port}`;
  await until(() => isOk(`${url}/readyz`));
  return url;
}
