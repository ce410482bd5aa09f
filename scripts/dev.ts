/** Serves the site from source and reloads what changes. Reads settings from the environment. */
import { build, createServer } from "vite";
import { threads } from "../db/thread.ts";

const vite = await createServer({ server: { middlewareMode: true }, appType: "custom" });

// A worker thread runs outside Vite's module runner, so it needs a build: Node alone cannot run import.meta.glob, which
// embeds the migrations. After a change to db/, start again. The build comes after createServer, or NODE_ENV would stay
// "production".
await build({
  configFile: false,
  logLevel: "warn",
  build: {
    ssr: true,
    outDir: "build/dev-threads",
    rolldownOptions: { input: threads },
  },
});
const { openProgram } = await vite.ssrLoadModule("./app/server/program.ts");
const { readSettings } = await vite.ssrLoadModule("./app/server/config/settings.ts");
const { loadConfig } = await vite.ssrLoadModule("./app/server/config/load-config.ts");
const { startDatabase } = await vite.ssrLoadModule("./app/server/start-database.ts");
const { openLog } = await vite.ssrLoadModule("./app/server/log.ts");

const settings = readSettings({ file: undefined, flags: [] });
const database = await startDatabase(settings);
const log = openLog(settings.logFormat);
const program = await openProgram(loadConfig(settings), database, vite.middlewares, log);
console.log(`Ready: ${program.address}`);

let isClosing = false;
// Through npm, Ctrl-C arrives twice, so the second signal is ignored.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, close);

async function close(): Promise<void> {
  if (isClosing) return;
  isClosing = true;
  await program.close();
  await vite.close();
}
