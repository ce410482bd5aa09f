/** Parses uploads as the server does and discards them, to measure reading and parsing alone. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { demoUploadFileFields } from "../../app/forms/demo-upload.ts";
import { readMultipart } from "../../app/server/intake/multipart.ts";
import { uploadLimits } from "../../app/server/intake/read-post.ts";

const limits = uploadLimits(demoUploadFileFields);

const server = createServer(async (incoming, response) => {
  const body = { source: incoming, pace: { maxIdleMs: 30_000, minBytesPerSecond: 0 } };
  let parts = 0;
  for await (const _ of readMultipart(incoming.headers["content-type"]!, body, limits)) parts += 1;
  response.statusCode = 201;
  response.end(String(parts));
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`Ready: http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
