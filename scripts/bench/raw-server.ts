/**
 * What the others are measured by: node:http and nothing else. Given an answer it writes just that;
 * given a database it makes one insert for each request, synced to the disk before it answers.
 */
import { createServer } from "node:http";
import Sqlite from "better-sqlite3";

/** Handed over by the benchmark that starts this. */
export interface RawResponse {
  status: number;
  headers: string[];
  /** In base64. */
  body: string;
  databaseFile?: string;
}

const { status, headers, body, databaseFile } = JSON.parse(process.argv[2]!) as RawResponse;
const bytes = Buffer.from(body, "base64");
const insert = databaseFile && open(databaseFile);

const server = createServer((request, response) => {
  if (!insert) {
    response.writeHead(status, headers).end(bytes);
    return;
  }
  let text = "";
  request.on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => {
    insert.run(text);
    response.writeHead(status, headers).end(bytes);
  });
});
server.listen(0, "127.0.0.1", () => {
  console.log(`Ready: http://localhost:${(server.address() as { port: number }).port}`);
});

function open(file: string) {
  const db = new Sqlite(file);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec("CREATE TABLE messages (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
  return db.prepare("INSERT INTO messages (text) VALUES (?)");
}
