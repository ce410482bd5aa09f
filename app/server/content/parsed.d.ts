/** A content file as vite.config.ts splits it. */
declare module "*?parsed" {
  const file: {
    yaml: string;
    /** Of the YAML. */
    value: unknown;
    /** Of a Markdown file: what follows its front matter. */
    body: string | undefined;
  };
  export default file;
}
