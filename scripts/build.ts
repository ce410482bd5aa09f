/**
 * Builds the site: fonts and social cards into .cache/; client and server bundles, and the licences, WebAssembly and
 * fonts that the server reads, into build/. Then compresses the client's text assets.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { scriptCharacters, scriptFonts } from "../app/desk/script-fonts.ts";
import { wasmFiles } from "../app/desk/wasm.ts";
import { compress } from "../app/server/http/encoding.ts";

for (const args of [
  ["scripts/fonts.ts"],
  ["scripts/cards.ts"],
  ["node_modules/@react-router/dev/bin.cjs", "build", "--logLevel", "warn"],
  ["scripts/notices.ts"],
]) {
  execFileSync(process.execPath, args, { stdio: "inherit" });
}

const root = path.join(import.meta.dirname, "..");
for (const [name, file] of Object.entries(wasmFiles)) {
  copyFileSync(path.join(root, "node_modules", file), path.join(root, "build/server", name));
}

for (const name of [...scriptFonts, scriptCharacters]) {
  copyFileSync(path.join(root, ".cache/fonts", name), path.join(root, "build/server", name));
}

const assets = path.join(root, "build/client/assets");
const texts = readdirSync(assets).filter((file) => /\.(js|css|svg|txt|vtt)$/.test(file));
await Promise.all(
  texts.map(async (file) => {
    const { identity: _, ...variants } = await compress(readFileSync(path.join(assets, file)));
    for (const [encoding, bytes] of Object.entries(variants)) {
      writeFileSync(path.join(assets, `${file}.${encoding}`), bytes);
    }
  }),
);
