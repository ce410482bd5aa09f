import "./drizzle.ts";
import { after } from "node:test";
import { createServer, type ViteDevServer } from "vite";

let vite: Promise<ViteDevServer> | undefined;

after(async () => (await vite)?.close());

/** Loads a module of the program from source, into this process, as Vite does in development. */
export async function loadSource<Module>(file: string): Promise<Module> {
  vite ??= createServer({
    configFile: false,
    appType: "custom",
    logLevel: "error",
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
    ssr: { external: ["better-sqlite3", "pg"] },
  });
  return (await (await vite).ssrLoadModule(file)) as Module;
}
