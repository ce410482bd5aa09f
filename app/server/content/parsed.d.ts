/** A content file as vite.config.ts splits it. */
declare module "*?parsed" {
  const file: {
    yaml: string;
    /** The parsed YAML. */
    value: unknown;
    /** What follows the front matter of a Markdown file; undefined for a YAML file. */
    body: string | undefined;
  };
  export default file;
}
