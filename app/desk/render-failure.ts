/** Why a file is not shown. */
export interface Failure {
  /** The rest of a sentence that begins with the file's name. */
  reason: string;
  /** What a marker does with the file; "" if the reason says that. Not shown for scans, which no person marks. */
  advice: string;
}

/** @param page the page at which rendering stopped */
export const notRendered = (cause: string, page?: number): Failure => ({
  reason: `${cause}${page ? ` (page ${page})` : ""}.`,
  advice: "It was not rendered; mark it from the original.",
});

export const sentenceOf = ({ reason, advice }: Failure) => `${reason} ${advice}`.trim();

export const tooMuchMemory = "needs more memory than one script may use";
export const protectedByPassword: Failure = {
  reason: "is protected by a password; ask for it without.",
  advice: "",
};

/** Ends the rendering of a file that cannot be shown. */
export class RenderFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(sentenceOf(failure));
    this.failure = failure;
  }
}
