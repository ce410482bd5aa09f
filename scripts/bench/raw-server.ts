/**
 * The baseline of the benchmarks: node:http and nothing else. Writes a fixed response; if there is
 * a database file, first inserts one row per request, synced to disk.
 */
import { createServer } from "node:http";
import Sqlite from "better-sqlite3";

/** Passed as JSON in the first argument. */
export interface RawResponse {
  status: number;
  headers: string[];
  /** The bytes in Base64. */
  body: string;
  databaseFile?: string;
}

const { status, headers, body, databaseFile } = JSON.parse(process.argv[2]!) as RawResponse;
const bytes = Buffer.from(body, "base64");
const insert = databaseFile && prepareInsert(databaseFile);

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

function prepareInsert(file: string) {
  const db = new Sqlite(file);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec("CREATE TABLE messages (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
  return db.prepare("INSERT INTO messages (text) VALUES (?)");
}
