/** Something in a content file is wrong, told as "articles/x.md:3: …". */
export interface ContentFault {
  file: string;
  /** Left out where it is about the file as a whole. */
  line?: number;
  message: string;
}

/** The content cannot be served as it is; one fault a line. */
export class ContentError extends Error {
  readonly faults: string[];

  constructor(faults: ContentFault[]) {
    const lines = faults.map(({ file, line, message }) =>
      line === undefined ? `${file}: ${message}` : `${file}:${line}: ${message}`,
    );
    super(lines.join("\n"));
    this.faults = lines;
  }
}
