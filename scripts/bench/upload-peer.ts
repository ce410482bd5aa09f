/**
 * What `npm run bench -- uploads` compares this program with: Express and busboy, which write each file of an upload
 * to a file with fsync ("files"), or all of them to plain SQLite in one synced transaction ("blobs").
 * GET / responds with the number of files that are stored.
 */
import { mkdirSync, readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import path from "node:path";
import Sqlite from "better-sqlite3";
import busboy from "busboy";
import express from "express";

const [, , kind, folder] = process.argv;
const { store, count } = kind === "files" ? filesIn(folder!) : blobsIn(folder!);

const app = express();
app.get("/", (_request, response) => {
  response.json(count());
});
app.post("/api/demo-request-with-files", (request, response) => {
  const files: Buffer[] = [];
  const parser = busboy({ headers: request.headers });
  parser.on("file", (_field, stream) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => files.push(Buffer.concat(chunks)));
  });
  parser.on("close", async () => {
    await store(files);
    response.status(201).json({ message: "Received." });
  });
  request.pipe(parser);
});
const server = app.listen(0, "127.0.0.1", () => {
  console.log(`Ready: http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

interface FileStore {
  store(files: Buffer[]): Promise<void> | void;
  /** Number of files stored. */
  count(): number;
}

function filesIn(parent: string): FileStore {
  const files = path.join(parent, "files");
  mkdirSync(files);
  let last = 0;
  return {
    async store(uploaded) {
      for (const bytes of uploaded) {
        const file = await open(path.join(files, `${++last}.bin`), "wx");
        await file.write(bytes);
        await file.sync();
        await file.close();
      }
    },
    count: () => readdirSync(files).length,
  };
}

function blobsIn(parent: string): FileStore {
  const client = new Sqlite(path.join(parent, "blobs.db"));
  client.pragma("page_size = 8192");
  client.pragma("journal_mode = WAL");
  client.pragma("synchronous = FULL");
  client.exec("CREATE TABLE files (id INTEGER PRIMARY KEY, bytes BLOB)");
  const insert = client.prepare("INSERT INTO files (bytes) VALUES (?)");
  return {
    store: client.transaction((uploaded: Buffer[]) => {
      for (const bytes of uploaded) insert.run(bytes);
    }),
    count: () => client.prepare("SELECT count(*) FROM files").pluck().get() as number,
  };
}
