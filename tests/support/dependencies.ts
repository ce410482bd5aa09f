import packageJson from "../../package.json" with { type: "json" };

/** The packages that the program depends on, by their own names where package.json has an alias. */
export const dependencies = Object.entries(packageJson.dependencies).map(
  ([name, version]) => /^npm:(.+)@/.exec(version)?.[1] ?? name,
);
