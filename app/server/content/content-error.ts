/** One mistake in a content file, an error or a warning, reported as "articles/x.md:3: …". */
export interface FileError {
  file: string;
  /** Undefined if it concerns the file as a whole. */
  line?: number;
  message: string;
}

export const fileMessage = ({ file, line, message }: FileError): string =>
  line === undefined ? `${file}: ${message}` : `${file}:${line}: ${message}`;

/** Thrown for content that cannot be served; one message per mistake. */
export class ContentError extends Error {
  readonly errors: FileError[];
  readonly messages: string[];

  constructor(errors: FileError[]) {
    const messages = errors.map(fileMessage);
    super(messages.join("\n"));
    this.errors = errors;
    this.messages = messages;
  }
}
