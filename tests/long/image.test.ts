/**
 * Tests the image without a container engine: runs the steps of the Dockerfile's last stage on a
 * bare Debian, then its command on a read-only root, as its user and without capabilities. The
 * first stage, npm run package, is what every other test starts from.
 */
import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { bootDebian, debianSkipReason } from "../support/debian.ts";
import { executable } from "../support/server.ts";

const project = path.join(import.meta.dirname, "../..");

test("the image serves and is healthy on a root that cannot be written", {
  skip: debianSkipReason(),
}, async (t) => {
  const debian = await bootDebian(t);
  const run = debian.succeed;
  const lines = readFileSync(path.join(project, "Dockerfile"), "utf8").split("\n");
  const stage = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")) + 1);
  const argumentsOf = (instruction: string) =>
    stage
      .filter((line) => line.startsWith(`${instruction} `))
      .map((line) => line.slice(instruction.length + 1));
  for (const step of argumentsOf("RUN")) await run(step);
  const [from, to] = argumentsOf("COPY")[0]!.replace("--from=build ", "").split(" ") as [
    string,
    string,
  ];
  assert.equal(from, "/source/dist/rubricon");
  copyFileSync(executable, path.join(debian.root, to));
  assert.ok(existsSync(path.join(debian.root, argumentsOf("VOLUME")[0]!)));

  const [user] = argumentsOf("USER");
  const imageProperties = [
    ...`-p User=${user!.split(":")[0]} -p Group=${user!.split(":")[1]}`.split(" "),
    `-p WorkingDirectory=${argumentsOf("WORKDIR")[0]}`,
    "-p ReadOnlyPaths=/ -p ReadWritePaths=/data",
    "-p CapabilityBoundingSet= -p NoNewPrivileges=yes",
    ...argumentsOf("ENV")
      .flatMap((line) => line.split(" "))
      .map((one) => `--setenv=${one}`),
  ].join(" ");
  const [command] = JSON.parse(argumentsOf("ENTRYPOINT")[0]!) as string[];
  await run(`systemd-run --quiet --unit=image ${imageProperties} ${command}`);
  const check = JSON.parse(/CMD (\[.*\])$/.exec(argumentsOf("HEALTHCHECK")[0]!)![1]!) as string[];
  const inImage = (args: string[]) =>
    `systemd-run --quiet --wait --pipe ${imageProperties} ${args.join(" ")}`;
  await run(
    `for attempt in 1 2 3 4 5 6 7 8 9; do ${inImage(check)} && exit; sleep 1; done; exit 1`,
  );
  assert.match(
    await run(inImage([command!, "doctor"])),
    /ok +database +\/data\/rubricon\.db is intact, in use/,
  );
  assert.equal(
    await run("find / -xdev -user rubricon -not -path '/data*' -not -path '/proc/*'"),
    "",
  );
  await run("systemctl stop image");
});
