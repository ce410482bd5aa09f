/** Resolves the imports within drizzle-orm without its large package.json, which Node parses anew for each of them. */
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    if (!specifier.startsWith(".") || !parentURL?.includes("/node_modules/drizzle-orm/")) {
      return next(specifier, context);
    }
    return { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true };
  },
});
