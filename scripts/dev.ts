/** Serves the site from source, with what is changed shown at once. Settings as for the program itself. */
import { createServer } from "vite";

const vite = await createServer({ server: { middlewareMode: true }, appType: "custom" });
const { openProgram } = await vite.ssrLoadModule("./app/server/program.ts");
const { configFrom, readSettings } = await vite.ssrLoadModule("./app/server/config/config.ts");
const { openLog } = await vite.ssrLoadModule("./app/server/log.ts");

const config = configFrom(readSettings({ file: undefined, values: new Map() }));
const program = await openProgram(config, () => vite.middlewares, openLog(config.logFormat));
console.log(`Ready: ${program.address}`);
process.once("SIGINT", async () => {
  await program.close();
  await vite.close();
});
