import type { UploadStep } from "../../domain/upload.ts";

/** The steps of the uploads in progress, by the id that the client chose. */
export class UploadProgress {
  readonly #steps = new Map<string, UploadStep>();

  /** The upload id in a URL's query, or undefined if it is missing or malformed. */
  static uploadIdIn(query: URLSearchParams): string | undefined {
    const id = query.get("upload");
    return id && /^[\w-]{16,64}$/.test(id) ? id : undefined;
  }

  set(id: string | undefined, step: UploadStep): void {
    if (id) this.#steps.set(id, step);
  }

  delete(id: string | undefined): void {
    if (id) this.#steps.delete(id);
  }

  find(id: string): UploadStep | undefined {
    return this.#steps.get(id);
  }
}
