import { readFileSync } from "node:fs";
import { isIP } from "node:net";

/** The database that a URL names. If it is on several hosts, only one of them takes writes. */
export interface DatabaseAddress {
  hosts: { host: string; port: number }[];
  database: string;
  user: string;
  password: string | undefined;
  /** How the server's certificate is verified: by the authorities in `ca` (PEM) if given. Undefined without TLS. */
  tls: { ca?: string } | undefined;
}

const parts =
  /^postgres(?:ql)?:\/\/(?<user>[^:@/?#]+)(?::(?<password>[^@/?#]*))?@(?<hosts>[^@/?#]+)\/(?<database>[^/?#]+)(?:\?(?<query>[^#]*))?$/;

/** @throws Error whose message continues a sentence that begins with the setting's name */
export function parseAddress(url: string): DatabaseAddress {
  const found = parts.exec(url)?.groups;
  if (!found) {
    throw new Error(
      "must be postgres://user:password@host:port/database, with several hosts separated by commas; in a password, write @ : / # % as %40 %3A %2F %23 %25",
    );
  }
  const { user = "", password, hosts = "", database = "", query } = found;
  const address = {
    hosts: hosts.split(",").map(parseHost),
    database: decoded(database),
    user: decoded(user),
    password: password === undefined ? undefined : decoded(password),
  };
  return { ...address, tls: tlsOf(new URLSearchParams(query), address.hosts) };
}

/** The database's name and hosts, for people: never the password. */
export function describeAddress({ hosts, database }: DatabaseAddress): string {
  const places = hosts.map(({ host, port }) =>
    host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`,
  );
  return `${database} on ${places.join(", ")}`;
}

function parseHost(text: string): { host: string; port: number } {
  const url = `postgres://${text.trim()}`;
  if (!URL.canParse(url) || new URL(url).hostname === "") {
    throw new Error(`has ${JSON.stringify(text)} where a host or host:port must be`);
  }
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 5432) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error("has a % that is not followed by two hexadecimal digits: write % as %25");
  }
}

/**
 * The TLS settings of a URL; undefined without TLS. Another machine is reached by TLS only, because the connection
 * carries the password and visitors' data.
 */
function tlsOf(query: URLSearchParams, hosts: { host: string }[]): DatabaseAddress["tls"] {
  const unknown = [...query.keys()].find((key) => key !== "sslmode" && key !== "sslrootcert");
  if (unknown)
    throw new Error(`has the parameter ${unknown}; it may have only sslmode and sslrootcert`);
  const isLocal = hosts.every(({ host }) => isThisMachine(host));
  const mode = query.get("sslmode") ?? (isLocal ? "disable" : "verify-full");
  if (mode === "disable") {
    if (isLocal) return undefined;
    throw new Error("must not have sslmode=disable for another machine");
  }
  if (mode !== "verify-full") throw new Error("must have sslmode=verify-full or sslmode=disable");
  const file = query.get("sslrootcert");
  if (file === null) return {};
  try {
    return { ca: readFileSync(file, "utf8") };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`has an sslrootcert that cannot be read: ${file} (${code})`);
  }
}

const isThisMachine = (host: string) =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
