import { execFileSync } from "node:child_process";
import path from "node:path";
import { program } from "../app/brand.ts";
import { buildVersion, commitTime } from "./commit.ts";
import { packages, sqlite } from "./parts.ts";

/** Node and the libraries in it, each with the name (CPE) under which its vulnerabilities are published. */
const cpeNames: Record<string, string> = {
  ares: "c-ares:c-ares",
  brotli: "google:brotli",
  icu: "unicode:international_components_for_unicode",
  llhttp: "llhttp:llhttp",
  nghttp2: "nghttp2:nghttp2",
  node: "nodejs:node.js",
  openssl: "openssl:openssl",
  undici: "nodejs:undici",
  uv: "libuv:libuv",
  v8: "google:v8",
  zlib: "zlib:zlib",
  zstd: "facebook:zstandard",
};

interface Component {
  /** Name and version of the package. */
  "bom-ref": string;
  [more: string]: unknown;
}

interface Dependency {
  ref: string;
  dependsOn?: string[];
}

/** Returns what is in the executable as CycloneDX JSON: npm's list without build tools, and the native parts. */
export function billOfMaterials(): string {
  const options = ["--sbom-format", "cyclonedx", "--package-lock-only"];
  const { serialNumber: _, ...bill } = JSON.parse(
    execFileSync("npm", ["sbom", ...options], {
      cwd: path.join(import.meta.dirname, ".."),
      encoding: "utf8",
      maxBuffer: 64 * 1_048_576,
    }),
  );
  const components = [
    ...includedIn(bill.components),
    native("sqlite", sqlite().version, "sqlite:sqlite"),
    ...Object.entries(cpeNames).map(([name, cpe]) => native(name, process.versions[name]!, cpe)),
  ];
  const { metadata } = bill;
  const refs = new Set(components.map((one) => one["bom-ref"]));
  return JSON.stringify(
    {
      ...bill,
      metadata: {
        ...metadata,
        timestamp: commitTime().toISOString(),
        component: {
          ...metadata.component,
          type: "application",
          name: program.command,
          version: buildVersion(),
        },
      },
      components,
      dependencies: (bill.dependencies as Dependency[])
        .filter(({ ref }) => refs.has(ref) || ref === metadata.component["bom-ref"])
        .map(({ ref, dependsOn = [] }) => ({
          ref,
          dependsOn: dependsOn.filter((other) => refs.has(other)),
        })),
    },
    null,
    2,
  );
}

/** The packages in the executable, by their real names, as in lists of vulnerabilities. npm's list has aliases. */
function includedIn(components: Component[]): Component[] {
  const included = new Set(packages().map(({ name, version }) => `${name}@${version}`));
  return components
    .filter((one) => included.has(one["bom-ref"]))
    .map((one) => ({
      ...one,
      name: one["bom-ref"].slice(0, one["bom-ref"].lastIndexOf("@")),
      scope: "required",
    }));
}

/**
 * The component of a native part. Versions such as 14.6.202.34-node.34 have a suffix that no list of vulnerabilities
 * knows, so the CPE leaves it out.
 */
const native = (name: string, version: string, cpe: string) => ({
  "bom-ref": `${name}@${version}`,
  type: "library",
  name,
  version,
  scope: "required",
  cpe: `cpe:2.3:a:${cpe}:${version.split("-")[0]}:*:*:*:*:*:*:*`,
});
