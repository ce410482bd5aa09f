import assert from "node:assert/strict";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { contactTyped } from "./support/forms.ts";
import { startServer } from "./support/server.ts";
import { uploadForm } from "./support/upload.ts";

const visitors = Number(process.env.TEST_VISITORS ?? 20);
/** The default settings: how many of each one address may post within ten minutes. */
const [maxMessages, maxUploads] = [60, 20];
const messages = maxMessages - 5;
/** Three are read at once, and twelve wait. */
const uploads = 10;

interface Post {
  type: string;
  bytes: Buffer;
}

/** Sends a request over one of a browser's connections, and reads the response to its end. */
function send(url: string, agent: Agent, post?: Post): Promise<{ status: number; body: string }> {
  const headers = post ? { "Content-Type": post.type, "Content-Length": post.bytes.length } : {};
  const method = post ? "POST" : "GET";
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { agent, localAddress: "127.0.0.2", method, headers },
      async (response: IncomingMessage) =>
        resolve({ status: response.statusCode!, body: await text(response) }),
    );
    sent.once("error", reject);
    sent.end(post?.bytes);
  });
}

async function postOf(form: FormData | URLSearchParams): Promise<Post> {
  const body = new Response(form);
  const type = body.headers.get("Content-Type")!;
  return { type, bytes: Buffer.from(await body.arrayBuffer()) };
}

const messageOf = (number: number) =>
  postOf(new URLSearchParams({ ...contactTyped, message: `Question ${number}.` }));

/** Reads, searches and sends a share of all forms, as a visitor. Returns the responses that are not as expected. */
async function visit(url: string, number: number): Promise<string[]> {
  const unexpected: string[] = [];
  // As many connections as a browser opens to one host.
  const agent = new Agent({ keepAlive: true, maxSockets: 6 });
  const expect = async (wanted: number, path: string, post?: Post) => {
    const { status, body } = await send(url + path, agent, post);
    if (status !== wanted) unexpected.push(`${path}: ${status} ${body.slice(0, 200)}`);
    return body;
  };
  const page = await expect(200, "/");
  const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:css|js|woff2|png))"/g)];
  assert.ok(files.length > 3, `home has only ${files.length} files`);
  await Promise.all(files.map(([, file]) => expect(200, file!)));
  await expect(200, "/?results=sample&utm_source=newsletter");
  await expect(200, `/blog?q=word+${number}`);
  for (let own = number; own < messages; own += visitors) {
    await expect(303, "/contact", await messageOf(own));
  }
  for (let own = number; own < uploads; own += visitors) {
    const scripts = uploadForm(undefined, { ...contactTyped, message: `Scripts ${own}.` });
    await expect(201, "/api/demo-request-with-files", await postOf(scripts));
  }
  agent.destroy();
  return unexpected;
}

test(`a school of ${visitors} visitors behind one address sends ${messages} messages and ${uploads} uploads and meets no limit`, async (t) => {
  const { url, log } = await startServer(t, {
    env: {
      // The defaults, which other tests turn off.
      RUBRICON_POSTS_PER_10_MINUTES: `${maxMessages}`,
      RUBRICON_UPLOADS_PER_10_MINUTES: `${maxUploads}`,
      RUBRICON_SPAM_SECONDS: "3",
    },
  });
  const all = Array.from({ length: visitors }, async (_, number) => {
    // Twenty visitors arrive within a second.
    await new Promise((resolve) => setTimeout(resolve, number * 50));
    return visit(url, number);
  });
  assert.deepEqual((await Promise.all(all)).flat(), []);
  assert.doesNotMatch(log(), /rejected/);
  const agent = new Agent();
  for (let number = messages; number <= maxMessages; number += 1) {
    const { status } = await send(`${url}/contact`, agent, await messageOf(number));
    assert.equal(status, number < maxMessages ? 303 : 429, "the visitors are counted as one");
  }
});
