import assert from "node:assert/strict";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import type { Debian } from "../support/debian.ts";
import { maxFileBytes, pdf } from "../support/upload.ts";

const site = "https://marking.school.example";

/**
 * Asserts that through the proxy a page and a form without script work, 105 MB are accepted and more is rejected, and
 * that it redirects to TLS.
 */
export async function assertVisitorsAreServed(
  t: TestContext,
  run: (script: string) => Promise<string>,
  { root }: Debian,
  proxy: string,
) {
  const page = await run(`curl -s --fail --include ${site}/`);
  assert.match(page, /^HTTP\/2 200/);
  assert.match(page, /strict-transport-security/i);
  assert.match(page, /<h1/);

  const typed = Object.entries({
    name: "Thandi Example",
    email: "thandi@school.example",
    phone: "+27 31 555 0100",
    message: `Sent through ${proxy}.`,
  });
  const fields = typed.map(([name, value]) => `--data-urlencode '${name}=${value}'`).join(" ");
  const form = await run(`curl -s --include -H 'Origin: ${site}' ${fields} ${site}/contact`);
  assert.match(form, /^HTTP\/2 303/);
  assert.match(form, /location: \/contact\?received=/);

  const folder = path.join(root, "root/files");
  mkdirSync(folder, { recursive: true });
  for (let number = 0; number < 52; number += 1) {
    writeFileSync(path.join(folder, `${number}.pdf`), pdf(maxFileBytes));
  }
  const upload = (files: number) => {
    const work = Array.from(
      { length: files - 2 },
      (_, i) => `-F submissionFiles=@${2 + (i % 50)}.pdf`,
    );
    const texts = typed.map(([name, value]) => `-F '${name}=${value}'`);
    const all = [
      ...texts,
      "-F requestType=demo",
      "-F questionsFile=@0.pdf",
      "-F rubricFile=@1.pdf",
      ...work,
    ];
    return run(
      `cd /root/files && curl -s -w '\\n%{http_code} %{size_upload} %{time_total}' ${all.join(" ")} ${site}/api/demo-request-with-files`,
    );
  };
  const [, status, bytes, seconds] = /(\d+) (\d+) (\S+)$/.exec(await upload(52))!;
  assert.equal(status, "201", "105 MB are accepted");
  assert.ok(Number(bytes) > 105_000_000);
  t.diagnostic(`${proxy}: ${bytes} bytes in ${seconds} s`);
  const rejected = await upload(64);
  assert.match(rejected, /\n413 /);
  assert.match(rejected, /"error":/, "the site itself reports the error, not the proxy");

  writeFileSync(path.join(folder, "huge"), "");
  truncateSync(path.join(folder, "huge"), 600 * 1_048_576);
  const huge = await run(
    `curl -s -o /dev/null -w '%{http_code} %{size_upload}' -X POST -T /root/files/huge -H 'Content-Type: multipart/form-data; boundary=x' ${site}/api/demo-request-with-files || true`,
  );
  assert.match(huge, /^413 /);
  const plain = await run(`curl -s --include 'http://marking.school.example/blog?q=a'`);
  assert.match(plain, /^HTTP\/1.1 308/);
  assert.match(plain, new RegExp(`location: ${site.replaceAll(".", "\\.")}/blog\\?q=a`, "i"));
}

/** Stops the program, and asserts that visitors see a page that says so until it is started again. */
export async function assertAbsenceIsExplained(
  run: (script: string) => Promise<string>,
): Promise<void> {
  await run("systemctl stop rubricon");
  for (const visit of [`${site}/about`, `-d name=Thandi ${site}/contact`]) {
    const page = await run(`curl -s --include ${visit}`);
    assert.match(page, /^HTTP\/2 503/);
    assert.match(page, /retry-after: 120\r/i);
    assert.match(page, /This site cannot be reached at the moment/);
  }
  const status = await run(`curl -s -o /dev/null -w '%{http_code}' ${site}/api/contact`);
  assert.equal(status, "502", "an upload in progress continues after a 502");
  await run("systemctl start rubricon && rubricon-admin health --wait 30");
  assert.match(await run(`curl -s --include ${site}/about`), /^HTTP\/2 200/);
}
