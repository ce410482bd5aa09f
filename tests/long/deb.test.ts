/** Installs the Debian package on a bare Debian, serves a post, upgrades, removes and purges it. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { makeDeb } from "../../scripts/deb.ts";
import { writeReleaseFolder } from "../../scripts/release-folder.ts";
import { bootDebian, debianSkipReason } from "../support/debian.ts";
import { executable, newFolder } from "../support/server.ts";

test("the Debian package installs, serves, upgrades, and keeps the data when it is purged", {
  skip: debianSkipReason(),
}, async (t) => {
  const folder = newFolder(t);
  const release = path.join(folder, "release");
  writeReleaseFolder(release, executable);
  const deb = makeDeb(release, process.arch, folder);
  const debian = await bootDebian(t);
  const run = async (script: string) => {
    const { code, out, err } = await debian.run(script);
    assert.equal(code, 0, `${script}\nprinted:\n${out}\n${err}`);
    return out;
  };
  copyFileSync(deb, path.join(debian.root, "root/rubricon.deb"));

  const installed = await run("apt-get install -y /root/rubricon.deb");
  assert.match(installed, /Then: systemctl enable --now rubricon/);
  assert.equal(await run("stat -c '%a %U %G' /etc/rubricon/rubricon.env"), "640 root rubricon\n");
  assert.equal(await run("systemctl is-active rubricon || true"), "inactive\n");
  await run(
    "echo RUBRICON_PUBLIC_URL=https://marking.school.example >> /etc/rubricon/rubricon.env",
  );
  await run("systemctl enable --now rubricon && rubricon-admin health --wait 30");
  const typed =
    '{"name":"Thandi","email":"t@school.example","phone":"1","message":"From a package."}';
  const post = `curl -sf -H 'Host: marking.school.example' -H 'Content-Type: application/json' -d '${typed}' http://127.0.0.1:3000/api/contact`;
  const { reference } = JSON.parse(await run(post));
  assert.match(await run("rubricon-admin requests list"), new RegExp(reference));
  assert.equal(await run("systemd-analyze verify rubricon.service 2>&1"), "");

  // This Debian has no man.
  const unpacked = path.join(folder, "unpacked");
  execFileSync("dpkg-deb", ["--extract", deb, unpacked]);
  for (const page of ["man1/rubricon.1.gz", "man8/rubricon-admin.8.gz"]) {
    const bytes = readFileSync(path.join(unpacked, "usr/share/man", page));
    assert.match(gunzipSync(bytes).toString(), /^\.TH "RUBRICON" "1"/, page);
    // No name, no time: a package built again has the same bytes.
    assert.equal(bytes.readUInt8(3), 0);
    assert.equal(bytes.readUInt32LE(4), 0);
  }

  assert.match(await run("cat /usr/share/rubricon/unavailable.html"), /cannot be reached/);

  const completions = "/usr/share/bash-completion/completions";
  assert.match(await run(`cat ${completions}/rubricon-admin`), /^complete .* rubricon-admin$/m);

  const before = await run("systemctl show rubricon -p MainPID --value");
  await run("apt-get install -y --reinstall /root/rubricon.deb");
  await run("rubricon-admin health --wait 30");
  assert.notEqual(await run("systemctl show rubricon -p MainPID --value"), before, "restarted");
  assert.match(await run("rubricon-admin requests list"), new RegExp(reference));
  assert.match(await run("cat /etc/rubricon/rubricon.env"), /marking\.school\.example/);

  // The group of the proxy must not keep the program from its settings, which the group rubricon may read.
  const dropIn = "/etc/systemd/system/rubricon.service.d";
  await run(`groupadd --system rubricon-proxy
    install -d ${dropIn}
    printf '[Service]\\nGroup=rubricon-proxy\\nSupplementaryGroups=rubricon\\n' > ${dropIn}/socket.conf
    echo RUBRICON_HOST=/run/rubricon/rubricon.sock >> /etc/rubricon/rubricon.env
    systemctl daemon-reload
    systemctl restart rubricon && rubricon-admin health --wait 30`);
  const owners = await run("stat -c '%a %U %G' /run/rubricon /run/rubricon/rubricon.sock");
  assert.equal(owners, "750 rubricon rubricon-proxy\n660 rubricon rubricon-proxy\n");
  await run(`rm -r ${dropIn} && systemctl daemon-reload`);

  const purged = await run("apt-get purge -y rubricon");
  assert.match(purged, /\/var\/lib\/rubricon are kept/);
  assert.ok(existsSync(path.join(debian.root, "var/lib/rubricon/rubricon.db")));
  const left = "find / -xdev -name '*rubricon*' -not -path '/root/*' -not -path '/var/l*'";
  assert.equal(await run(left), "");
});
