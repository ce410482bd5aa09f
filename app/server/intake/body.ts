import type { IncomingMessage } from "node:http";
import type { Post } from "./form.ts";

/** How a body must come along, so that nobody holds a place for others by sending next to nothing. */
export interface Pace {
  /** How long its sender may be silent. */
  mostIdleMs: number;
  /** On average, once it has been waited for that long; 0 asks for nothing. */
  leastBytesPerSecond: number;
}

/** A request's body, in whichever form it came to the intake. */
export interface Body {
  pace: Pace;
  /** The pieces from where the last reader stopped. */
  pieces(): {
    next(): Promise<IteratorResult<Buffer, undefined>>;
    /** Lets another reader go on. */
    release(): void;
  };
}

/** From the wire where it is to be read there; a request with a body of its own has it in a stream. */
export function bodyOf(
  { request, incoming }: Pick<Post, "request" | "incoming">,
  pace: Pace,
): Body {
  const source = incoming && !request.body ? wireBody(incoming) : streamBody(request);
  return { ...source, pace };
}

function wireBody(incoming: IncomingMessage): Pick<Body, "pieces"> {
  return {
    pieces() {
      const iterator = incoming.iterator({ destroyOnReturn: false });
      return { next: () => iterator.next(), release: () => void iterator.return?.() };
    },
  };
}

function streamBody(request: Request): Pick<Body, "pieces"> {
  return {
    pieces() {
      const reader = request.body?.getReader();
      return {
        async next() {
          if (!reader) return { done: true, value: undefined };
          const { done, value } = await reader.read();
          if (done) return { done, value: undefined };
          return {
            done,
            value: Buffer.from(value.buffer, value.byteOffset, value.byteLength),
          };
        },
        release: () => reader?.releaseLock(),
      };
    },
  };
}
