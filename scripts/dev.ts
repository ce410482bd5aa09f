/** Serves the site from source and reloads what changes. Reads settings from the environment. */
import { createServer } from "vite";

const vite = await createServer({ server: { middlewareMode: true }, appType: "custom" });
const { openProgram } = await vite.ssrLoadModule("./app/server/program.ts");
const { loadConfig, readSettings } = await vite.ssrLoadModule("./app/server/config/config.ts");
const { openLog } = await vite.ssrLoadModule("./app/server/log.ts");

const config = loadConfig(readSettings({ file: undefined, flags: [] }));
const program = await openProgram(config, () => vite.middlewares, openLog(config.logFormat));
console.log(`Ready: ${program.address}`);
process.once("SIGINT", async () => {
  await program.close();
  await vite.close();
});
