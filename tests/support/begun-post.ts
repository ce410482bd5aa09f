import { once } from "node:events";
import { type ClientRequest, request } from "node:http";

/** Begins a post, which has its slot once this resolves: the server then waits for the body. */
export async function beginPost(
  url: string,
  headers: Record<string, string | number>,
): Promise<ClientRequest> {
  const post = request(url, { method: "POST", headers: { ...headers, Expect: "100-continue" } });
  post.on("error", () => {});
  post.flushHeaders();
  await once(post, "continue");
  return post;
}

/** Headers of an upload that no test sends to its end. */
export const longUpload = {
  "Content-Type": "multipart/form-data; boundary=x",
  "Content-Length": 1_000_000,
};
