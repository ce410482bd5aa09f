/**
 * Installs the Debian package on a bare Debian, serves a post, follows the runbook, upgrades, removes
 * and purges it.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { makeDeb } from "../../scripts/deb.ts";
import { writeReleaseFolder } from "../../scripts/release-folder.ts";
import { bootDebian, debianSkipReason } from "../support/debian.ts";
import { readRunbook } from "../support/runbook.ts";
import { executable, newFolder } from "../support/server.ts";

/** Makes the package, in a folder of its own. */
function packageIn(folder: string): string {
  const release = path.join(folder, "release");
  writeReleaseFolder(release, executable);
  return makeDeb(release, process.arch, folder);
}

test("the Debian package has manual pages, without a name and a time of the build", (t) => {
  const folder = newFolder(t);
  const unpacked = path.join(folder, "unpacked");
  execFileSync("dpkg-deb", ["--extract", packageIn(folder), unpacked]);
  for (const page of ["man1/rubricon.1.gz", "man8/rubricon-admin.8.gz"]) {
    const bytes = readFileSync(path.join(unpacked, "usr/share/man", page));
    assert.match(gunzipSync(bytes).toString(), /^\.TH RUBRICON 1 /, page);
    // The flags and the time of the gzip header.
    assert.deepEqual([bytes.readUInt8(3), bytes.readUInt32LE(4)], [0, 0], page);
  }
});

test("the Debian package names its data folder in the settings file only, which commands read too", (t) => {
  const folder = newFolder(t);
  execFileSync("dpkg-deb", ["--extract", packageIn(folder), folder]);
  const names = (file: string) =>
    readFileSync(path.join(folder, file), "utf8").includes("RUBRICON_DATA_DIR=/var/lib/rubricon\n");
  assert.ok(names("usr/share/rubricon/rubricon.env"));
  assert.ok(!names("usr/lib/systemd/system/rubricon.service"));
});

test("the Debian package keeps the data through installation, upgrade and purge", {
  skip: debianSkipReason(),
}, async (t) => {
  const folder = newFolder(t);
  const deb = packageIn(folder);
  const debian = await bootDebian(t);
  const run = debian.succeed;
  /** Puts a changed copy of the package into the machine. */
  const repack = (name: string, change: string) => {
    const unpacked = path.join(folder, name);
    execFileSync("dpkg-deb", ["--raw-extract", deb, unpacked]);
    execFileSync("sh", ["-euc", change], { cwd: unpacked });
    const output = path.join(debian.root, `root/${name}.deb`);
    const options = ["--root-owner-group", "-Znone", "--build", unpacked, output];
    execFileSync("dpkg-deb", options, { stdio: "pipe" });
  };
  copyFileSync(deb, path.join(debian.root, "root/rubricon.deb"));
  // As 1.0.0 was: the settings file is in the package, as a conffile.
  repack(
    "old",
    `install -D -m 0644 usr/share/rubricon/rubricon.env etc/rubricon/rubricon.env
    rm usr/share/rubricon/rubricon.env usr/share/doc/rubricon/rubricon.env
    echo /etc/rubricon/rubricon.env > DEBIAN/conffiles
    sed -i '/share.rubricon.rubricon.env/d' DEBIAN/postinst
    sed -i 's/^Version: .*/Version: 0.9/' DEBIAN/control`,
  );
  repack(
    "next",
    `sed -i 's/# Settings of/# The settings of/' usr/share/rubricon/rubricon.env
    sed -i 's/^Version: .*/Version: 99/' DEBIAN/control`,
  );
  const settings = "/etc/rubricon/rubricon.env";
  const install = (name: string) =>
    run(`apt-get install -y --allow-downgrades /root/${name}.deb < /dev/null 2>&1`);

  assert.match(await install("old"), /Then: systemctl enable --now rubricon/);
  await run(`sed -i '1s/.*/# Ours./' ${settings}`);
  assert.doesNotMatch(await install("rubricon"), /conffile|Configuration file/);
  assert.equal(await run(`head -n 1 ${settings}`), "# Ours.\n", "an edited conffile stays");
  await run("apt-get purge -y rubricon && rm -r /var/lib/rubricon && userdel rubricon");

  assert.match(await install("rubricon"), /Then: systemctl enable --now rubricon/);
  assert.equal(await run(`stat -c '%a %U %G' ${settings}`), "640 root rubricon\n");
  assert.equal(
    await run("stat -c '%a %U' /srv/rubricon /var/lib/rubricon"),
    "700 rubricon\n".repeat(2),
  );
  assert.equal(await run("systemctl is-active rubricon || true"), "inactive\n");
  assert.doesNotMatch(await run("rubricon-admin doctor"), /FAIL/);
  await run(
    "echo RUBRICON_PUBLIC_URL=https://marking.school.example >> /etc/rubricon/rubricon.env",
  );
  await run("systemctl enable --now rubricon && rubricon-admin health");
  assert.doesNotMatch(await run("rubricon-admin doctor"), /FAIL/);
  const typed =
    '{"name":"Thandi","email":"t@school.example","phone":"1","message":"From a package."}';
  const post = `curl -sf -H 'Host: marking.school.example' -H 'Content-Type: application/json' -d '${typed}' http://127.0.0.1:3000/api/contact`;
  const { reference } = JSON.parse(await run(post));
  assert.match(await run("rubricon-admin requests list"), new RegExp(reference));
  for (const heading of ["Back up", "Restore"]) await run(scriptOf(heading));
  assert.equal(await run("systemd-analyze verify rubricon.service 2>&1"), "");

  assert.match(await run("cat /usr/share/rubricon/unavailable.html"), /cannot be reached/);

  const before = await run("systemctl show rubricon -p MainPID --value");
  assert.doesNotMatch(await install("next"), /conffile|Configuration file/);
  await run("rubricon-admin health");
  assert.notEqual(await run("systemctl show rubricon -p MainPID --value"), before, "restarted");
  assert.match(await run("rubricon-admin requests list"), new RegExp(reference));
  assert.match(await run(`cat ${settings}`), /marking\.school\.example/);
  await run("rubricon-admin config check");
  // The way back, as the guide says: a package of an earlier release.
  await install("rubricon");
  await run("rubricon-admin health");

  const wrong = await debian.run(`cp ${settings} /root/right.env
    echo RUBRICON_PORT=3000x >> ${settings}
    systemctl restart rubricon`);
  assert.equal(wrong.code, 1, "a wrong setting is told by the restart");
  const said = await run("journalctl -u rubricon -n 20 --no-pager");
  assert.equal(said.split("must be a whole number").length, 2, said);
  await run(
    `cp /root/right.env ${settings} && systemctl restart rubricon && rubricon-admin health`,
  );
  const secrets = await run(`cat /proc/$(systemctl show rubricon -p MainPID --value)/environ`);
  assert.doesNotMatch(secrets, /PUBLIC_URL/, "settings are not in the environment");

  // The group of the proxy must not keep the program from its settings, which the group rubricon may read.
  const dropIn = "/etc/systemd/system/rubricon.service.d";
  await run(`groupadd --system rubricon-proxy
    install -d ${dropIn}
    printf '[Service]\\nGroup=rubricon-proxy\\nSupplementaryGroups=rubricon\\n' > ${dropIn}/socket.conf
    echo RUBRICON_HOST=/run/rubricon/rubricon.sock >> /etc/rubricon/rubricon.env
    systemctl daemon-reload
    systemctl restart rubricon && rubricon-admin health`);
  const owners = await run("stat -c '%a %U %G' /run/rubricon /run/rubricon/rubricon.sock");
  assert.equal(owners, "750 rubricon rubricon-proxy\n660 rubricon rubricon-proxy\n");
  await run(`rm -r ${dropIn} && systemctl daemon-reload`);

  await run("apt-get remove -y rubricon");
  assert.match(await run(`cat ${settings}`), /marking\.school\.example/, "removed, but not purged");
  const purged = await run("apt-get purge -y rubricon");
  assert.match(purged, /\/var\/lib\/rubricon is kept/);
  assert.match(purged, /\/srv\/rubricon is kept/, "the folder has the runbook's backup");
  assert.ok(existsSync(path.join(debian.root, "var/lib/rubricon/rubricon.db")));
  const left = "find / -xdev -name '*rubricon*' -not -path '/root/*' -not -path '/var/l*'";
  assert.match(await run(left), /^\/srv\/rubricon\n(\/srv\/rubricon\/.*\n)+$/);
});

/** The commands of the runbook under a heading. */
const scriptOf = (heading: string) =>
  readRunbook()
    .filter((block) => block.heading === heading && block.tag === "")
    .map(({ script }) => script)
    .join("\n");
