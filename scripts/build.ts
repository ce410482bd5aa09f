/** Builds the site into build/: the fonts, then the browser's half and the server's half. */
import { execFileSync } from "node:child_process";

for (const command of [
  ["node", "scripts/fonts.ts"],
  ["react-router", "build", "--logLevel", "warn"],
]) {
  const [program, ...args] = command;
  execFileSync(program!, args, { stdio: "inherit" });
}
