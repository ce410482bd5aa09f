import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { localOrigin } from "../app/server/config/link-origin.ts";
import { parseSettings } from "../app/server/config/settings.ts";
import { settingNames, variableOf } from "../app/server/config/settings-table.ts";
import { findSettingsFile } from "../app/server/config/sources.ts";
import { succeeded } from "./support/output-of.ts";
import { newFolder, runCommand, startServer } from "./support/server.ts";

interface Row {
  name: string;
  value: string | null;
  from: string;
}

/** Returns a folder with a settings file, and functions that run commands there. */
function folderWith(t: TestContext, file: string | Buffer) {
  const folder = newFolder(t);
  writeFileSync(path.join(folder, "site.env"), file);
  const run = (args: string[], env: Record<string, string> = {}) =>
    runCommand(folder, [...args, "--config", "site.env"], env);
  const show = async (args: string[] = [], env: Record<string, string> = {}) => {
    const { code, out, err } = await run(["config", "show", "--json", ...args], env);
    const rows = JSON.parse(out) as Row[];
    const find = (name: string) => {
      const { value, from } = rows.find((row) => row.name === `RUBRICON_${name}`)!;
      return [value, from];
    };
    return { code, err, find };
  };
  return { folder, run, show };
}

/** Tests which settings flags and the environment set, as `NAME source`, and which errors they have. */
function testParsed(
  promise: string,
  environment: Record<string, string>,
  errors: string[],
  { given = [], flags = {} }: { given?: string[]; flags?: Record<string, string> } = {},
): void {
  test(`in settings, ${promise}`, () => {
    const result = parseSettings({ file: undefined, environment, flags });
    assert.deepEqual(
      [...result.given].map(([name, { from }]) => `${name} ${from}`),
      given,
    );
    assert.deepEqual(result.errors, errors);
  });
}

testParsed("without flags and variables there is nothing to report", {}, []);
testParsed("a prefixed variable wins over a bare one", { PORT: "1", RUBRICON_PORT: "2" }, [], {
  given: ["PORT environment: RUBRICON_PORT"],
});
testParsed(
  "an invalid flag is rejected by its name",
  {},
  ["--port must be a whole number from 0 to 65535."],
  { flags: { PORT: "99999" } },
);
testParsed(
  "an unknown variable is rejected, but not one of another program",
  { PROT: "1", RUBRICON_PROT: "1" },
  [
    "RUBRICON_PROT is not a setting; `rubricon help settings` lists all. Perhaps you mean RUBRICON_PORT.",
  ],
);
testParsed(
  "the name of an unknown variable that is near none is not guessed",
  { RUBRICON_SMTPHOST: "1" },
  ["RUBRICON_SMTPHOST is not a setting; `rubricon help settings` lists all."],
);
testParsed(
  "an invalid value is rejected beside a valid one",
  { PORT: "1", RUBRICON_SPAM_SECONDS: "-1" },
  ["RUBRICON_SPAM_SECONDS must be a whole number from 0 to 3600."],
  { given: ["PORT environment: PORT"] },
);
const noScanner = "clamd clamd: run/clamd.ctl clamd:99999 http://clamd:3310 clamd:0";
for (const RUBRICON_CLAMD of noScanner.split(" ")) {
  testParsed(`${RUBRICON_CLAMD} is rejected as the virus scanner`, { RUBRICON_CLAMD }, [
    "RUBRICON_CLAMD must be host:port or the absolute path of a Unix socket.",
  ]);
}
for (const RUBRICON_HOST of ["unix:/run/rubricon.sock", "run/rubricon.sock", "/run/rubricon/"]) {
  testParsed(`${RUBRICON_HOST} is rejected as the address to listen on`, { RUBRICON_HOST }, [
    "RUBRICON_HOST must be an address, a host name, or the absolute path of a Unix socket, such as /run/site/site.sock (without unix:).",
  ]);
}
testParsed("an IPv6 address in brackets is rejected", { RUBRICON_HOST: "[::1]" }, [
  "RUBRICON_HOST must be an IPv6 address without brackets, such as ::1.",
]);
const longest = `/${"é".repeat(53)}`;
testParsed("a socket path of 107 bytes is accepted", { RUBRICON_HOST: longest }, [], {
  given: ["HOST environment: RUBRICON_HOST"],
});
testParsed("a socket path over 107 bytes is rejected", { RUBRICON_HOST: `${longest}a` }, [
  "RUBRICON_HOST must have 107 bytes or fewer if it is the path of a Unix socket.",
]);
const mailServer = { RUBRICON_MAIL_URL: "smtp://mail.example" };
const mailGiven = "MAIL_URL environment: RUBRICON_MAIL_URL";
const recipientsNeeded = "RUBRICON_MAIL_TO is needed with RUBRICON_MAIL_URL.";
testParsed("a mail server needs recipients", mailServer, [recipientsNeeded], {
  given: [mailGiven],
});
testParsed(
  "each setting that another one needs is reported",
  { ...mailServer, RUBRICON_WEBHOOK_URL: "https://tickets.example" },
  [recipientsNeeded, "RUBRICON_WEBHOOK_URL and RUBRICON_WEBHOOK_SECRET are needed together."],
  { given: [mailGiven, "WEBHOOK_URL environment: RUBRICON_WEBHOOK_URL"] },
);
testParsed("a folder for emails needs no recipients", { RUBRICON_MAIL_URL: "file:emails" }, [], {
  given: [mailGiven],
});
testParsed("a sender must be an email address", { RUBRICON_MAIL_FROM: "no-address" }, [
  "RUBRICON_MAIL_FROM must be an email address.",
]);
testParsed(
  "a mail server and the file of one cannot both be set",
  { ...mailServer, RUBRICON_MAIL_URL_FILE: "secret" },
  ["Set RUBRICON_MAIL_URL or RUBRICON_MAIL_URL_FILE, not both."],
);

test("values are converted, invalid ones to their defaults", () => {
  const environment = {
    RUBRICON_PORT: "many",
    RUBRICON_PUBLIC_URL: "https://Site.example/",
    RUBRICON_TRUSTED_PROXIES: "127.0.0.1, ::1,",
    RUBRICON_TEST_FORMS: "off",
    RUBRICON_CLAMD: "[::1]:3310",
  };
  const { settings } = parseSettings({ file: undefined, flags: {}, environment });
  assert.deepEqual(settings.listenAddress, { host: "127.0.0.1", port: 3000 });
  assert.equal(settings.publicUrl, "https://site.example");
  assert.deepEqual(settings.trustedProxies, ["127.0.0.1", "::1"]);
  assert.equal(settings.testForms, false);
  assert.deepEqual(settings.scannerAddress, { host: "::1", port: 3310 });
});

test("without a public URL links begin with an address that the server listens on", () => {
  for (const [host, name] of [
    ["127.0.0.1", "localhost"],
    ["::", "localhost"],
    ["192.168.1.5", "192.168.1.5"],
    ["fd00::5", "[fd00::5]"],
  ] as const) {
    assert.equal(localOrigin({ listenAddress: { host, port: 3000 } }), `http://${name}:3000`);
  }
});

test("the test page is off once the public URL is set, unless it is switched on", () => {
  const isOn = (environment: Record<string, string>) =>
    parseSettings({ file: undefined, flags: {}, environment }).settings.testForms;
  const address = { RUBRICON_PUBLIC_URL: "https://site.example" };
  assert.equal(isOn({}), true);
  assert.equal(isOn(address), false);
  assert.equal(isOn({ ...address, RUBRICON_TEST_FORMS: "on" }), true);
});

test("config check reports a host without an address", async (t) => {
  const { run, folder } = folderWith(t, "RUBRICON_HOST=not.a.host.invalid\n");
  const { code, err } = await run(["config", "check"]);
  assert.equal(code, 78);
  assert.match(err, /RUBRICON_HOST has no address/);
  writeFileSync(path.join(folder, "brand.yaml"), "phone: [");
  const both = await run(["config", "check"], { RUBRICON_CONTENT_DIR: folder });
  assert.match(both.err, /RUBRICON_HOST has no address.*brand\.yaml/s);
});

test("config show --set prints only what is set, with its source", async (t) => {
  const { run } = folderWith(t, "RUBRICON_PORT=4711\n");
  const { out } = await run(["config", "show", "--set"]);
  assert.match(out, /^RUBRICON_PORT=4711 {2}\(\S+:1\)\n$/);
});

test("config show hides a key that is the user name of the mail server", async (t) => {
  const { show } = folderWith(t, "RUBRICON_MAIL_URL=smtp://key-4711@mail.example\n");
  assert.equal((await show()).find("MAIL_URL")[0], "smtp://redacted@mail.example");
});

test("a flag overrides the environment, which overrides the file, which overrides the default", async (t) => {
  const { show } = folderWith(
    t,
    "RUBRICON_UPLOAD_SLOTS=2\nRUBRICON_BACKUPS_KEPT=3\nRUBRICON_PORT=4\nRUBRICON_RETENTION_DAYS=\nRUBRICON_FILE_MB=5\n",
  );
  const { find } = await succeeded(
    show(["--data-dir", "seven"], {
      RUBRICON_DATA_DIR: "eight",
      RUBRICON_UPLOAD_SLOTS: "8",
      RUBRICON_BACKUPS_KEPT: "9",
      RUBRICON_BACKUP_HOURS: "",
      // conda and tcsh export it.
      HOST: "x86_64-conda-linux-gnu",
      PORT: "5",
    }),
  );
  assert.deepEqual(find("DATA_DIR"), ["seven", "--data-dir"]);
  assert.deepEqual(find("UPLOAD_SLOTS"), ["8", "environment: RUBRICON_UPLOAD_SLOTS"]);
  assert.deepEqual(find("BACKUPS_KEPT"), ["9", "environment: RUBRICON_BACKUPS_KEPT"]);
  assert.deepEqual(find("PORT"), ["5", "environment: PORT"]);
  assert.deepEqual(find("HOST"), ["127.0.0.1", "default"]);
  assert.deepEqual(find("BACKUP_HOURS"), ["24", "default"]);
  assert.deepEqual(find("RETENTION_DAYS"), ["90", "default"]);
  assert.deepEqual(find("FILE_MB"), ["5", "site.env:5"]);
});

test("a server has the settings of the file that --config names", async (t) => {
  const { folder } = folderWith(
    t,
    "RUBRICON_DATA_DIR=elsewhere\nRUBRICON_BRAND_NAME=Marking Desk\n",
  );
  const { url } = await startServer(t, { folder, args: ["--config", "site.env"] });
  assert.match(await (await fetch(url)).text(), /Marking Desk/);
  assert.ok(statSync(path.join(folder, "elsewhere/rubricon.db")).isFile());
});

test("a command accepts flags before, between and after its words", async (t) => {
  const { folder } = folderWith(t, "RUBRICON_PORT=4711\n");
  const flags = "--data-dir elsewhere --set --config=site.env".split(" ");
  for (const args of [
    ["config", "show", ...flags],
    [...flags.slice(0, 2), "config", ...flags.slice(3), "show", "--set"],
  ]) {
    const { out } = await succeeded(runCommand(folder, args));
    assert.match(out, /^RUBRICON_PORT=4711 .*\nRUBRICON_DATA_DIR=elsewhere .*\n$/, args.join(" "));
  }
});

test("a settings file is parsed as systemd parses an EnvironmentFile", async (t) => {
  const { show } = folderWith(
    t,
    [
      "\uFEFF# a comment",
      "; another",
      "",
      "  RUBRICON_BRAND_NAME = Mark & 'Mend'  ",
      'RUBRICON_BRAND_COMPANY="A \\"quoted\\" \\$name, # and \\n"',
      "RUBRICON_HOST='::1'",
      "RUBRICON_MAIL_TO=a@school.example, b@school.example",
      "RUBRICON_MAIL_URL='smtp://user:p%23ss@mail.example'",
    ].join("\r\n"),
  );
  const { find } = await succeeded(show());
  assert.deepEqual(find("BRAND_NAME"), ["Mark & 'Mend'", "site.env:4"]);
  assert.equal(find("BRAND_COMPANY")[0], 'A "quoted" $name, # and \\n');
  assert.equal(find("HOST")[0], "::1");
  assert.equal(find("MAIL_TO")[0], "a@school.example, b@school.example");
  assert.equal(find("MAIL_URL")[0], "smtp://user:redacted@mail.example");
});

const invalidLines: [line: string, error?: string][] = [
  ["export RUBRICON_PORT=1", "must be KEY=VALUE, without export."],
  ["RUBRICON_PROT=1", "RUBRICON_PROT is not a setting; `rubricon help settings` lists all."],
  ["rubricon_port=1", "rubricon_port is not a setting;"],
  ["RUBRICON_PORT=80 # the port", "RUBRICON_PORT has a # in its value"],
  ["RUBRICON_BRAND_NAME='it's'", "RUBRICON_BRAND_NAME has text after its closing quote."],
  ['RUBRICON_HOST="::1', 'RUBRICON_HOST has no closing " on its line.'],
  ["RUBRICON_BRAND_COMPANY=a\\b", "RUBRICON_BRAND_COMPANY has a backslash in its value"],
  ["just words", "must be KEY=VALUE, or a comment that begins with #."],
  ["RUBRICON_BACKUPS_KEPT=130"],
  ["RUBRICON_BACKUPS_KEPT=140", "RUBRICON_BACKUPS_KEPT is already set on line 9."],
  [
    "RUBRICON_RETENTION_DAYS=many",
    "RUBRICON_RETENTION_DAYS must be a whole number from 1 to 9999.",
  ],
  ["RUBRICON_PUBLIC_URL= # none yet", "RUBRICON_PUBLIC_URL has a # in its value"],
];

test("each invalid line of a settings file is reported with its number", (t) => {
  const { folder } = folderWith(t, invalidLines.map(([line]) => line).join("\n"));
  const file = path.join(folder, "site.env");
  const { errors } = parseSettings({ file, environment: {}, flags: {} });
  for (const [index, [, error]] of invalidLines.entries()) {
    const message = `/site.env:${index + 1}: ${error}`;
    if (error) assert.ok(errors.join("\n").includes(message), `${message}\n${errors.join("\n")}`);
  }
  assert.equal(errors.length, invalidLines.length - 1);
});

test("a settings file that cannot be read is reported with the reason", async (t) => {
  const latin = folderWith(t, Buffer.from("RUBRICON_BRAND_NAME=Caf\xe9\n", "latin1"));
  assert.match(
    (await latin.run(["config", "check"])).err,
    /site\.env, which cannot be read: it is not UTF-8/,
  );
  const missing = await runCommand(newFolder(t), ["config", "check", "--config", "none.env"]);
  assert.equal(missing.code, 78);
  assert.match(missing.err, /--config names none\.env, which cannot be read: ENOENT/);
});

test("a setting of 1.0.0 that is a constant now only causes a warning", async (t) => {
  const { folder, run } = folderWith(t, "RUBRICON_STAGED_MB=many\nRUBRICON_BRAND_NAME=Desk\n");
  const warning = "site.env:1: RUBRICON_STAGED_MB is no longer a setting; it is ignored.";
  const server = await startServer(t, { folder, args: ["--config", "site.env"] });
  assert.equal(server.log().split(warning).length, 2, server.log());
  const check = await succeeded(run(["config", "check"], { RUBRICON_CONNECTIONS: "20" }));
  assert.ok(check.err.includes(`Warning: ${warning}`));
  assert.match(check.err, /Warning: RUBRICON_CONNECTIONS is no longer a setting/);
  assert.equal(check.err.split("no longer").length, 3);
  assert.match(
    (await run(["doctor"])).out,
    /^warn +settings +site\.env:1: .*What to do: delete it/m,
  );
});

test("a flag without a valid value ends a command", async (t) => {
  const folder = newFolder(t);
  for (const [args, code, message] of [
    [["requests", "list", "--host", " "], 78, /^rubricon: --host needs a value\.\n$/],
    [["--port"], 2, /option '--port <number>' argument missing/],
    [["config", "check", "--config", ""], 2, /argument '' is invalid\. It must not be empty\./],
  ] as const) {
    const ended = await runCommand(folder, [...args]);
    assert.equal(ended.code, code, args.join(" "));
    assert.match(ended.err, message);
  }
});

test("RUBRICON_CONFIG names the settings file of a command", async (t) => {
  const { folder } = folderWith(t, "RUBRICON_PORT=3777\n");
  const env = { RUBRICON_CONFIG: "site.env" };
  const { out } = await succeeded(runCommand(folder, ["config", "show"], env));
  assert.match(out, /^RUBRICON_PORT=3777 {2}\(site\.env:1\)$/m);
});

test("the settings file is that of --config, of RUBRICON_CONFIG, or the default one if there is one", (t) => {
  const { folder } = folderWith(t, "RUBRICON_PORT=3777\n");
  const file = path.join(folder, "site.env");
  const notes: string[] = [];
  const note = (message: string) => notes.push(message);
  const named = { RUBRICON_CONFIG: "b.env" };
  assert.equal(findSettingsFile("a.env", note, named, file), "a.env");
  assert.equal(findSettingsFile(undefined, note, named, file), "b.env");
  assert.equal(findSettingsFile(undefined, note, {}, file), file);
  assert.equal(findSettingsFile(undefined, note, {}, path.join(folder, "none.env")), undefined);
  assert.deepEqual(notes, []);
});

/** A folder with a file of settings, and one with a secret: the URL of a mail server. */
function folderWithSecret(t: TestContext) {
  const { folder, run, show } = folderWith(t, "RUBRICON_MAIL_TO=team@school.example\n");
  const url = "smtp://site:hunter%232@mail.example:587";
  writeFileSync(path.join(folder, "secret"), `${url}\n`);
  return { folder, run, show, url, named: { RUBRICON_MAIL_URL_FILE: "secret" } };
}

test("a secret may be in a file of its own", async (t) => {
  const { show, named } = folderWithSecret(t);
  const { find } = await succeeded(show([], named));
  assert.deepEqual(find("MAIL_URL"), [
    "smtp://site:redacted@mail.example:587",
    "secret, by environment: RUBRICON_MAIL_URL_FILE",
  ]);
});

test("a file of a secret that is empty or cannot be read is reported", (t) => {
  const errorsOf = (file: string) =>
    parseSettings({
      file: undefined,
      flags: {},
      environment: { RUBRICON_MAIL_URL_FILE: file },
    }).errors.join();
  const empty = path.join(newFolder(t), "secret");
  writeFileSync(empty, "\n");
  assert.match(errorsOf(empty), /RUBRICON_MAIL_URL_FILE names \S+secret, which is empty/);
  assert.match(errorsOf(`${empty}-gone`), /names \S+gone, which cannot be read: ENOENT/);
});

test("config prints no secret, not even of a setting that is wrong", async (t) => {
  const { run, url, named } = folderWithSecret(t);
  const shown = await succeeded(run(["config", "show"], named));
  const checked = await run(["config", "check"], { RUBRICON_MAIL_URL: url, ...named });
  assert.equal(checked.code, 78);
  assert.match(checked.err, /Set RUBRICON_MAIL_URL or RUBRICON_MAIL_URL_FILE, not both\./);
  for (const { out, err } of [shown, checked])
    assert.ok(!`${out}${err}`.includes("hunter"), out + err);
});

test("the error of a wrong mail server does not quote it", () => {
  for (const RUBRICON_MAIL_URL of [
    "smtp://site:hunter%232@mail.example:587/a#b",
    "http://site:hunter%232@x",
  ]) {
    const environment = { RUBRICON_MAIL_URL, RUBRICON_MAIL_TO: "team@school.example" };
    const { errors } = parseSettings({ file: undefined, flags: {}, environment });
    assert.match(errors[0]!, /RUBRICON_MAIL_URL must be smtp:\/\/ or smtps:\/\/ with a host/);
    assert.doesNotMatch(errors.join(), /hunter/);
  }
});

test("config init writes a private file in which every setting is a comment", async (t) => {
  const folder = newFolder(t);
  const first = await succeeded(runCommand(folder, ["config", "init"]));
  assert.equal(first.out, "rubricon.env\n");
  assert.match(first.err, /--config rubricon\.env/);
  const file = path.join(folder, "rubricon.env");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const text = readFileSync(file, "utf8");
  for (const name of settingNames) assert.match(text, new RegExp(`^#${variableOf(name)}=`, "m"));
  assert.doesNotMatch(text, /^[^#\n]/m, "every line is a comment");
});

test("config init overwrites no file", async (t) => {
  const { folder, run } = folderWith(t, "RUBRICON_PORT=3777\n");
  const again = await run(["config", "init", "site.env"]);
  assert.equal(again.code, 1);
  assert.match(again.err, /site\.env already exists; nothing was overwritten/);
  assert.equal(readFileSync(path.join(folder, "site.env"), "utf8"), "RUBRICON_PORT=3777\n");
});

test("config init says why it cannot write a file", async (t) => {
  const { err } = await runCommand(newFolder(t), ["config", "init", "gone/rubricon.env"]);
  assert.match(err, /^rubricon: gone\/rubricon\.env cannot be used: it does not exist, or /);
});

test("config init - prints the file and writes none", async (t) => {
  const folder = newFolder(t);
  const { out, err } = await succeeded(runCommand(folder, ["config", "init", "-"]));
  assert.match(out, /^#RUBRICON_PORT=3000$/m);
  assert.equal(err, "");
  assert.deepEqual(readdirSync(folder), []);
});

test("the values in the file of config init are the defaults", async (t) => {
  const folder = newFolder(t);
  await succeeded(runCommand(folder, ["config", "init"]));
  const file = path.join(folder, "rubricon.env");
  writeFileSync(file, readFileSync(file, "utf8").replace(/^#(?=RUBRICON_)/gm, ""));
  const none = { file: undefined, environment: {}, flags: {} };
  const { settings, given, errors } = parseSettings({ ...none, file });
  assert.deepEqual(errors, []);
  assert.ok(given.size > 0);
  assert.deepEqual(settings, parseSettings(none).settings);
});

test("config check reports all errors in settings, also as JSON", async (t) => {
  const folder = newFolder(t);
  const check = await runCommand(folder, ["config", "check", "--json"], {
    RUBRICON_PORT: "many",
    RUBRICON_LOG_FORMAT: "xml",
  });
  assert.equal(check.code, 78);
  assert.match(check.err, /RUBRICON_PORT must be a whole number/);
  assert.match(check.err, /RUBRICON_LOG_FORMAT must be text or json\./);
  const { errors } = JSON.parse(check.out) as { errors: string[] };
  assert.equal(errors.map((error) => `rubricon: ${error}\n`).join(""), check.err);
  const good = await succeeded(runCommand(folder, ["config", "check", "--json"]));
  assert.deepEqual(JSON.parse(good.out).errors, []);
});

test("help settings lists every setting", async (t) => {
  const { out } = await runCommand(newFolder(t), ["help", "settings"]);
  for (const name of settingNames) assert.match(out, new RegExp(`^  ${variableOf(name)}$`, "m"));
});

test("the digest of config check differs with settings and content, not with the port or the folder of content", async (t) => {
  const folder = newFolder(t);
  for (const copy of ["one", "two"]) {
    mkdirSync(path.join(folder, copy));
    writeFileSync(path.join(folder, copy, "brand.yaml"), "pricing: Free for public schools.\n");
  }
  const digest = async (env: Record<string, string>) => {
    const { out } = await succeeded(runCommand(folder, ["config", "check", "--json"], env));
    return (JSON.parse(out) as { digest: string }).digest;
  };
  const one = await digest({ RUBRICON_CONTENT_DIR: "one", RUBRICON_PORT: "4001" });
  assert.match(one, /^[0-9a-f]{16}$/);
  assert.equal(await digest({ RUBRICON_CONTENT_DIR: "two", RUBRICON_PORT: "4002" }), one);
  assert.notEqual(await digest({}), one);
  assert.notEqual(
    await digest({ RUBRICON_CONTENT_DIR: "one", RUBRICON_RETENTION_DAYS: "30" }),
    one,
  );
});
