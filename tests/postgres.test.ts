import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { parseAddress } from "../db/postgres/address.ts";
import { succeeded } from "./support/output-of.ts";
import { newFolder, runCommand } from "./support/server.ts";

/** What is read from a URL. @param more the TLS options, and what differs from the usual database and account */
const addressOf = (hosts: [host: string, port: number][], more: object) => ({
  hosts: hosts.map(([host, port]) => ({ host, port })),
  ...{ database: "exams", user: "site", password: undefined },
  ...more,
});

const addresses: [url: string, expected: object | RegExp][] = [
  [
    "postgres://site:p%40ss@127.0.0.1/exams",
    addressOf([["127.0.0.1", 5432]], { password: "p@ss", tls: undefined }),
  ],
  [
    "postgresql://site@db1.example:5433,db2.example/exams?sslmode=verify-full",
    addressOf(
      [
        ["db1.example", 5433],
        ["db2.example", 5432],
      ],
      { tls: {} },
    ),
  ],
  ["postgres://site@[2001:db8::1]:5433/exams", addressOf([["2001:db8::1", 5433]], { tls: {} })],
  ["mysql://site@127.0.0.1/exams", /must be postgres:/],
  ["postgres://127.0.0.1/exams", /must be postgres:/],
  ["postgres://site@127.0.0.1", /must be postgres:/],
  ["postgres://site:p@ss@127.0.0.1/exams", /must be postgres:.* write @/],
  ["postgres://site:50%@127.0.0.1/exams", /write % as %25/],
  ["postgres://site@a,,b/exams", /has "" where a host/],
  ["postgres://site@db.example/exams?sslmode=disable", /not have sslmode=disable for another/],
  ["postgres://site@db.example/exams?sslmode=require", /must have sslmode=verify-full/],
  ["postgres://site@db.example/exams?sslrootcert=/none.pem", /cannot be read: .none.pem .ENOENT/],
  ["postgres://site@127.0.0.1/exams?options=-c", /parameter options/],
];

for (const [url, expected] of addresses) {
  test(`the database URL ${url} is ${expected instanceof RegExp ? "rejected" : "read"}`, () => {
    if (expected instanceof RegExp) assert.throws(() => parseAddress(url), expected);
    else assert.deepEqual(parseAddress(url), expected);
  });
}

test("the program's backups cannot be set with a PostgreSQL database", async (t) => {
  const folder = newFolder(t);
  const url = "postgres://site:secret@127.0.0.1:1/exams";
  const both = { RUBRICON_DATABASE_URL: url, RUBRICON_BACKUP_HOURS: "12" };
  const wrong = await runCommand(folder, ["config", "check"], both);
  assert.equal(wrong.code, 78);
  assert.match(wrong.err, /RUBRICON_BACKUP_HOURS cannot be used with RUBRICON_DATABASE_URL/);
});

const withPassword = "postgres://site:secret@127.0.0.1:1/exams";

test("config show replaces the password of a database URL, here of one that is in a file", async (t) => {
  const folder = newFolder(t);
  writeFileSync(path.join(folder, "url"), withPassword);
  const env = { RUBRICON_DATABASE_URL_FILE: path.join(folder, "url") };
  const shown = await succeeded(runCommand(folder, ["config", "show"], env));
  assert.match(
    shown.out,
    /^RUBRICON_DATABASE_URL=postgres:\/\/site:redacted@127\.0\.0\.1:1\/exams /m,
  );
  assert.ok(!`${shown.out}${shown.err}`.includes("secret"));
});

test("an error of a database that cannot be reached names its URL without the password", async (t) => {
  const env = { RUBRICON_DATABASE_URL: withPassword };
  const listed = await runCommand(newFolder(t), ["requests", "list"], env);
  assert.equal(listed.code, 75, listed.err);
  assert.match(listed.err, /The database exams on 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/);
  assert.ok(!listed.err.includes("secret"));
});

test("both engines have migrations of the same names", () => {
  const steps = (engine: string) =>
    readdirSync(path.join(import.meta.dirname, `../db/${engine}/migrations`))
      .filter((file) => file.endsWith(".sql"))
      .sort()
      .map((file) => file.replace(/^\d+_/, ""));
  assert.deepEqual(steps("postgres"), steps("sqlite"));
});
