/**
 * Runs the site on a bare Debian by docs/operating.md and its neighbours alone: every command as written, under a booted
 * systemd, without Node and without internet. The test adds only a request's reference, the paths of the archive, the
 * Caddyfile of start.md, and what the administrator provides (certificate, mail server, another machine for backups).
 * Docker's commands are not run, because there is no engine; image.test.ts tests the image, and
 * release-signature.test.ts how a signature is verified.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { writeReleaseFolder } from "../../scripts/release-folder.ts";
import { column } from "../support/columns.ts";
import { latestSchemaVersion, makeOldDatabase } from "../support/database.ts";
import { bootDebian, debianSkipReason } from "../support/debian.ts";
import { resultsFor } from "../support/results.ts";
import { readRunbook } from "../support/runbook.ts";
import { executable, query, until } from "../support/server.ts";
import { installCertificate, startMailServer } from "./runbook-machine.ts";
import { assertAbsenceIsExplained, assertVisitorsAreServed } from "./runbook-visitors.ts";

const site = "https://marking.school.example";
const skipReason = debianSkipReason();

test("the runbook, from installation to removal on a bare machine", {
  skip: skipReason,
}, async (t) => {
  const debian = await bootDebian(t);
  const blocks = readRunbook();
  const executed = new Set<object>();
  let reference = "";

  /** Runs the command blocks under a heading, which must all succeed; returns what they printed. */
  const runBlocks = async (heading: string, tag = "") => {
    const matching = blocks.filter((block) => block.heading === heading && block.tag === tag);
    assert.ok(matching.length > 0, `the runbook has commands under ${heading}`);
    let printed = "";
    for (const block of matching) {
      executed.add(block);
      const script = block.script
        .replaceAll("ABCD-EFGH-JKMN", reference)
        .replaceAll("/usr/share/rubricon", "/usr/local/share/rubricon");
      const { code, out, err } = await debian.run(`cd /root/release\n${script}`);
      assert.equal(code, 0, `${heading}:\n${script}\nprinted:\n${out}\n${err}`);
      printed += `${out}\n${err}`;
    }
    return printed;
  };
  const run = debian.succeed;
  const data = (file = "") => path.join(debian.root, "var/lib/rubricon", file);

  writeReleaseFolder(path.join(debian.root, "root/release"), executable);
  await installCertificate(run);
  const emails = await startMailServer(t, debian);
  assert.equal((await debian.run("command -v node nodejs npm")).code, 127, "there is no Node");

  await t.test("a damaged file is noticed", async () => {
    const check = "sha256sum --check --quiet SHA256SUMS";
    const damage = "cp LICENSE kept && echo >> LICENSE";
    const { code, out } = await debian.run(`cd /root/release && ${damage} && ${check}`);
    assert.equal(code, 1);
    assert.match(out, /LICENSE: FAILED/);
    await run("cd /root/release && mv kept LICENSE");
  });

  await t.test("install", async () => {
    const printed = await runBlocks("With the archive");
    assert.match(printed, /^ready$/m);
    assert.doesNotMatch(printed, /FAIL/);
    assert.match(await run("systemctl is-enabled rubricon"), /enabled/);
    await assertConfined(t, run);
  });

  for (const [proxy, heading] of [
    ["caddy", "Caddy"],
    ["nginx", "nginx"],
  ] as const) {
    await t.test(`TLS behind ${heading}`, async () => {
      // start.md has the Caddyfile.
      if (proxy === "caddy") await run(`apt-get install -y caddy\n${caddyfileOfArchive()}`);
      await runBlocks(heading, proxy);
      const printed = await runBlocks("Check");
      assert.match(printed, /"ready":\s*true/);
      assert.match(printed, new RegExp(`308 ${site}/`));
      await assertVisitorsAreServed(t, run, debian, proxy);
      await assertAbsenceIsExplained(run);
      for (const url of ["/?results=the-secret", "/api/team/the-secret/files/1"]) {
        await run(`curl -s -o /dev/null ${site}${url}`);
      }
      assert.equal(await run("grep -rl the-secret /var/log/nginx /var/log/caddy || true"), "");
      await run(`systemctl disable --now ${proxy}`);
    });
  }

  await t.test("a Unix socket that only the proxies may use", async () => {
    const heading = "A Unix socket instead of a port";
    for (const [proxy, tag, other] of [
      ["nginx", "socket", "caddy"],
      ["caddy", "socketcaddy", "nginx"],
    ] as const) {
      await run(`systemctl stop ${other}`);
      await runBlocks(heading, tag);
      assert.match(await runBlocks("Check"), /"ready":\s*true/, proxy);
      await assertAbsenceIsExplained(run);
    }
    const socket = "/run/rubricon/rubricon.sock";
    assert.equal(await run(`stat -c '%a %U %G' ${socket}`), "660 rubricon rubricon-proxy\n");
    const asNobody = `runuser -u nobody -- curl -s --unix-socket ${socket} http://localhost/healthz`;
    assert.equal((await debian.run(asNobody)).code, 7, "others cannot connect");
    assert.equal((await debian.run("curl -s http://127.0.0.1:3000/healthz")).code, 7);
    assert.doesNotMatch(await run("rubricon-admin doctor"), /FAIL/);
    await run(`sed -i '/^RUBRICON_HOST=/d' /etc/rubricon/rubricon.env
      rm -r /etc/systemd/system/rubricon.service.d
      sed -i 's|http://unix:${socket}|http://127.0.0.1:3000|' /etc/nginx/sites-available/rubricon
      sed -i 's|unix/${socket}|127.0.0.1:3000|' /etc/caddy/Caddyfile
      systemctl daemon-reload
      systemctl disable --now caddy
      systemctl restart rubricon && rubricon-admin health`);
  });

  await t.test("email", async () => {
    const printed = await runBlocks("Email");
    assert.match(printed, /The email to marking@school.example was accepted/);
    assert.match(printed, /ok +mail server/);
    assert.doesNotMatch(printed, /FAIL|^warn {2}(?!brand)/m);
    // The test email, and the pending ones: a message and an upload through each proxy.
    await until(() => emails.length === 5);
    assert.ok(emails.every(({ to }) => to.join() === "marking@school.example"));
    const { out } = await debian.run("rubricon-admin outbox list --json");
    assert.deepEqual(JSON.parse(out), []);
  });

  await t.test("look at requests", async () => {
    const listed = JSON.parse(await run("rubricon-admin requests list --json")) as {
      reference: string;
      files: number;
    }[];
    assert.deepEqual(column(listed, "files"), [52, 0, 52, 0]);
    reference = listed[0]!.reference;
    await runBlocks("Look at requests");
    // As the team's email says.
    const command = `cd /root && rubricon-admin requests files ${reference} --tar - > ${reference}.tar`;
    assert.equal(await run(`${command} && tar -tf ${reference}.tar | wc -l`), "52\n");
    const folder = path.join(debian.root, "srv/rubricon", reference);
    assert.equal(
      readdirSync(folder, { recursive: true }).filter((name) => /\.pdf$/.test(`${name}`)).length,
      52,
    );
    assert.match(
      readFileSync(path.join(debian.root, "root/requests.csv"), "utf8"),
      /Thandi Example/,
    );
  });

  await t.test("monitoring, and access to the metrics behind a proxy", async () => {
    const printed = await runBlocks("Monitor");
    assert.match(printed, /rubricon_http_requests_total/);
    assert.match(printed, /Active: active \(running\)/);
    await run("sed -i 's/^RUBRICON_METRICS_NETWORKS=.*/&,10.9.8.7/' /etc/rubricon/rubricon.env");
    await run("systemctl restart rubricon && rubricon-admin health");
    for (const proxy of ["caddy", "nginx"]) {
      await run(`systemctl start ${proxy}`);
      const metricsStatus = async (curlOptions: string) =>
        run(
          `curl -s -o /dev/null -w '%{http_code}' --retry 9 --retry-connrefused ${curlOptions} ${site}/metrics`,
        );
      assert.equal(
        await metricsStatus("--interface 10.9.8.7"),
        "200",
        `${proxy} forwards the client's address`,
      );
      assert.equal(await metricsStatus("--interface 10.9.8.6"), "404");
      const forged = "--interface 10.9.8.6 -H 'X-Forwarded-For: 10.9.8.7'";
      assert.equal(
        await metricsStatus(forged),
        "404",
        `${proxy} does not forward a forged address`,
      );
      await run(`systemctl stop ${proxy}`);
    }
  });

  await t.test("back up and restore", async () => {
    const printed = await runBlocks("Back up");
    assert.match(printed, /sound {2}4 requests {2}104 files/);
    const storedRequests = () => query(data("rubricon.db"), "SELECT 1 FROM inbox").length;
    await run(`rubricon-admin requests purge ${reference} --yes`);
    assert.equal(storedRequests(), 3);
    assert.doesNotMatch(await runBlocks("Restore"), /FAIL/);
    assert.equal(storedRequests(), 4);
  });

  await t.test("marks go into the school's own sheet", async () => {
    const release = path.join(debian.root, "root/release");
    writeFileSync(path.join(release, "list.csv"), "Number,Name,File\n2026001,Zanele One,2.pdf\n");
    await run(`cd /root/release && rubricon-admin class list ${reference} - < list.csv`);
    const names = Array.from({ length: 50 }, (_, index) => `${2 + index}.pdf`);
    writeFileSync(path.join(release, "marks.json"), JSON.stringify(resultsFor(names)));
    await run(`cd /root/release && rubricon-admin results import ${reference} - < marks.json`);
    for (const answer of ["1.1 20", "1.2 22.5"]) {
      await run(`rubricon-admin results mark ${reference} 2.pdf ${answer}`);
    }
    writeFileSync(path.join(release, "Term 4.xlsx"), "Number,Name,Test 1\n2026001,Zanele One,\n");
    await runBlocks("The school's own sheet");
    const filled = path.join(debian.root, "srv/rubricon/Term 4 - filled - unsigned.xlsx");
    assert.match(readFileSync(filled, "utf8"), /^2026001,Zanele One,42\.5$/m);
    const printed = await runBlocks("Export or erase a person's data", "learner");
    assert.match(printed, /Erased: learner 2026001, Zanele One: 1 file/);
    assert.match(
      readFileSync(path.join(debian.root, "srv/rubricon/learner/learner.json"), "utf8"),
      /Zanele One/,
    );
    assert.equal(query(data("rubricon.db"), "SELECT 1 FROM uploaded_files").length, 103);
  });

  await t.test("upgrade from an older schema version, and back", async () => {
    await run("systemctl stop rubricon && rm /var/lib/rubricon/rubricon.db*");
    makeOldDatabase(data("rubricon.db"), latestSchemaVersion - 1)
      .exec(
        `INSERT INTO contact_requests (name, email, phone, message, created_at, reference)
         VALUES ('Thandi Example', 'thandi@school.example', '+27', 'Hello', '${new Date().toISOString()}', 'ABCD-EFGH-JKMN')`,
      )
      .close();
    await run(
      "chown rubricon: /var/lib/rubricon/rubricon.db* && chmod 600 /var/lib/rubricon/rubricon.db*",
    );
    const printed = await runBlocks("Upgrade");
    assert.match(printed, /Pending:/);
    assert.match(printed, /up to date/);
    const copies = readdirSync(data("backups")).filter((name) => /before-schema.*\.db$/.test(name));
    assert.equal(copies.length, 1);
    // The old executable is the same as the new one here, so it upgrades the copy again.
    const restored = await runBlocks("Roll back");
    assert.match(restored, /1 request and 0 files/);
    assert.match(restored, /older schema/);
    assert.deepEqual(query(data("rubricon.db"), "SELECT email FROM inbox"), [
      { email: "thandi@school.example" },
    ]);
  });

  await t.test("copies of backups on another machine", async () => {
    // In place of rsync, which this Debian lacks, and of the other machine: a copy on this one.
    await run(`mkdir /root/other
      printf '#!/bin/sh\\ncp -a "$4" /root/other\\n' > /usr/local/bin/rsync
      chmod 0755 /usr/local/bin/rsync`);
    await runBlocks("Copies on another machine", "offsite");
    const copied = readdirSync(path.join(debian.root, "root/other"), { recursive: true });
    const kept = readdirSync(data("backups")).filter((name) => name.endsWith(".db"));
    for (const name of kept)
      assert.ok(
        copied.some((copy) => `${copy}`.endsWith(name)),
        name,
      );
    assert.ok(kept.length > 0);
    assert.match(
      await run("systemctl list-timers rubricon-offsite.timer --no-pager"),
      /rubricon-offsite/,
    );
    await run(`systemctl disable --now rubricon-offsite.timer
      rm /usr/local/bin/rsync /etc/systemd/system/rubricon-offsite.* /var/lib/systemd/timers/stamp-rubricon*`);
  });

  await t.test("a person's requests", async () => {
    const printed = await runBlocks("Export or erase a person's data");
    assert.match(printed, /rubricon-before-schema-\S+\.db/);
    assert.deepEqual(query(data("rubricon.db"), "SELECT 1 FROM inbox"), []);
    assert.ok(!readFileSync(data("rubricon.db")).includes("thandi@school.example"));
  });

  await t.test("own name and content", async () => {
    await run(
      "echo \"RUBRICON_BRAND_NAME='Marking at Example High'\" >> /etc/rubricon/rubricon.env",
    );
    await runBlocks("Your words");
    await run("rubricon-admin health");
    const page = await run("curl -s -H 'Host: marking.school.example' http://127.0.0.1:3000/about");
    assert.match(page, /Marking at Example High/);
  });

  await t.test("a crash is followed by a restart, a wrong setting is not", async () => {
    await run(
      "systemctl kill --signal KILL rubricon && sleep 1 && rubricon-admin health --wait 30",
    );
    await run("echo RUBRICON_PRT=1 >> /etc/rubricon/rubricon.env");
    await debian.run("systemctl restart rubricon");
    await until(async () => /failed/.test((await debian.run("systemctl is-failed rubricon")).out));
    assert.match(await run("systemctl show rubricon -p ExecMainStatus"), /=78/);
    assert.match(
      await run("journalctl -u rubricon -n 20 --no-pager"),
      /RUBRICON_PRT is not a setting/,
    );
    const report = await debian.run("rubricon-admin doctor");
    assert.equal(report.code, 1);
    assert.match(report.out, /FAIL +settings .*RUBRICON_PRT/);
  });

  await t.test("uninstall", async () => {
    await runBlocks("Uninstall");
    const leftovers = await run(
      "find / -xdev -name '*rubricon*' -not -path '/root/*' -not -path '/var/log/*'",
    );
    assert.equal(leftovers, "");
  });

  const notExecuted = blocks.filter(
    (block) => !["docker", "signature"].includes(block.tag) && !executed.has(block),
  );
  assert.deepEqual(notExecuted, [], "every command of the runbook was run");
});

/** The Caddyfile of start.md, with the paths of the archive. */
const caddyfileOfArchive = () =>
  readRunbook("start.md")
    .find(({ script }) => script.includes("/etc/caddy/Caddyfile"))!
    .script.replaceAll("/usr/share/", "/usr/local/share/");

/**
 * Asserts that the unit is valid and scores well, and that its restrictions apply to the process.
 */
async function assertConfined(t: TestContext, run: (script: string) => Promise<string>) {
  assert.equal(await run("systemd-analyze verify /etc/systemd/system/rubricon.service 2>&1"), "");
  const assessment = await run(
    "systemd-analyze security --offline=true /etc/systemd/system/rubricon.service --no-pager",
  );
  const exposure = /Overall exposure level for rubricon.service: ([\d.]+)/.exec(assessment)![1]!;
  t.diagnostic(`systemd-analyze security: exposure ${exposure} of 10`);
  assert.ok(Number(exposure) <= 1.5, assessment);
  const status = await run("cat /proc/$(systemctl show rubricon -p MainPID --value)/status");
  assert.match(status, /NoNewPrivs:\t1/);
  assert.match(status, /Seccomp:\t2/);
  assert.match(status, /CapBnd:\t0+\n/);
  assert.doesNotMatch(status, /Uid:\t0/);
}
