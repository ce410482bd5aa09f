/** Serves the site from source, with what is changed shown at once. Settings as for the program itself. */
import { createServer } from "vite";

const vite = await createServer({ server: { middlewareMode: true }, appType: "custom" });
const { openProgram } = await vite.ssrLoadModule("./app/server/program.ts");
const { readConfig } = await vite.ssrLoadModule("./app/server/config.ts");
const { openLog } = await vite.ssrLoadModule("./app/server/log.ts");

const config = readConfig(process.env);
const program = await openProgram(config, () => vite.middlewares, openLog(config.logFormat));
console.log(`Ready: ${program.address}`);
process.once("SIGINT", async () => {
  await program.close();
  await vite.close();
});
