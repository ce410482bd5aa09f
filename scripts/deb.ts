import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { buildVersion, commitTime } from "./commit.ts";

const root = path.join(import.meta.dirname, "..");
const debianNames: Record<string, string> = { x64: "amd64", arm64: "arm64" };

const debName = (arch: string) => `rubricon_${buildVersion()}_${debianNames[arch]}.deb`;

/**
 * Makes a Debian package of a release: program, account, unit, settings, manual page and documents. Needs dpkg-deb.
 * @param release the folder of the release for this architecture
 * @returns the package's path
 */
export function makeDeb(release: string, arch: string, outputFolder: string): string {
  const folder = path.join(root, "build/deb", arch);
  rmSync(folder, { recursive: true, force: true });
  const write = (target: string, content: string | Buffer, mode = 0o644) => {
    const file = path.join(folder, target);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, mode);
  };
  const put = (source: string, target: string, mode: number) =>
    write(target, readFileSync(source), mode);
  put(path.join(release, "rubricon"), "usr/bin/rubricon", 0o755);
  const settings = readFileSync(path.join(release, "rubricon.env"), "utf8");
  write("usr/share/rubricon/rubricon.env", `${settings}\nRUBRICON_DATA_DIR=/var/lib/rubricon\n`);
  put(path.join(root, "packaging/rubricon-admin"), "usr/sbin/rubricon-admin", 0o755);
  const docs = path.join(folder, "usr/share/doc/rubricon/docs");
  cpSync(path.join(release, "docs"), docs, { recursive: true });
  for (const name of ["README.md", "CHANGELOG.md", "SECURITY.md", "THIRD-PARTY-NOTICES.txt"]) {
    put(path.join(release, name), `usr/share/doc/rubricon/${name}`, 0o644);
  }
  put(path.join(release, "LICENSE"), "usr/share/doc/rubricon/copyright", 0o644);
  symlinkSync(
    "../../rubricon/rubricon.env",
    path.join(folder, "usr/share/doc/rubricon/rubricon.env"),
  );
  put(path.join(release, "unavailable.html"), "usr/share/rubricon/unavailable.html", 0o644);
  write("usr/lib/systemd/system/rubricon.service", unit(release));
  // gzipSync writes no name and no time, like gzip -n.
  const page = gzipSync(readFileSync(path.join(release, "rubricon.1")), { level: 9 });
  write("usr/share/man/man1/rubricon.1.gz", page);
  mkdirSync(path.join(folder, "usr/share/man/man8"));
  symlinkSync("../man1/rubricon.1.gz", path.join(folder, "usr/share/man/man8/rubricon-admin.8.gz"));
  for (const name of ["postinst", "prerm", "postrm"]) {
    put(path.join(root, "packaging/debian", name), `DEBIAN/${name}`, 0o755);
  }
  const control = readFileSync(path.join(root, "packaging/debian/control"), "utf8");
  write(
    "DEBIAN/control",
    control.replace("@VERSION@", buildVersion()).replace("@ARCHITECTURE@", debianNames[arch]!),
  );
  const output = path.join(outputFolder, debName(arch));
  execFileSync("dpkg-deb", ["--root-owner-group", "-Zzstd", "--build", folder, output], {
    stdio: "pipe",
    env: { ...process.env, SOURCE_DATE_EPOCH: String(Math.floor(commitTime().getTime() / 1000)) },
  });
  return output;
}

/** The release's unit with the paths of a package. */
const unit = (release: string) =>
  readFileSync(path.join(release, "rubricon.service"), "utf8")
    .replaceAll("/usr/local/bin/", "/usr/bin/")
    .replaceAll("/usr/local/share/doc/rubricon/", "/usr/share/doc/rubricon/docs/")
    .replaceAll("/usr/local/share/", "/usr/share/");
