import type { UploadStep } from "../../domain/upload.ts";

/** Where the uploads are that are on their way in, by the id that their sender made up; gone when they end. */
export class Steps {
  readonly #steps = new Map<string, UploadStep>();

  /** The id in an upload's address, or undefined where it has none that is worth keeping. */
  static idOf(query: URLSearchParams): string | undefined {
    const id = query.get("upload");
    return id && /^[\w-]{16,64}$/.test(id) ? id : undefined;
  }

  set(id: string | undefined, step: UploadStep): void {
    if (id) this.#steps.set(id, step);
  }

  end(id: string | undefined): void {
    if (id) this.#steps.delete(id);
  }

  find(id: string): UploadStep | undefined {
    return this.#steps.get(id);
  }
}
