import Sqlite from "better-sqlite3";

const digits = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/** A valid reference; 0 is AAAA-AAAA-2222. */
export function referenceOf(number: number): string {
  let end = "";
  for (let left = number; end.length < 4; left = Math.floor(left / 32)) {
    end = digits[left % 32] + end;
  }
  return `AAAA-AAAA-${end}`;
}

/**
 * Adds contact requests from reader@school.example, one a second until now, with their emails, to a database
 * that a server may be using. Their messages are "Message 1" and so on.
 */
export function addRequests(databaseFile: string, count: number, message = "Message"): void {
  const db = new Sqlite(databaseFile);
  const insertRequest =
    db.prepare(`INSERT INTO contact_requests (name, email, phone, message, created_at, reference)
    VALUES ('A Reader', 'reader@school.example', '031 555 0100', ?, ?, ?)`);
  const insertEmail =
    db.prepare(`INSERT INTO outbox (reference, contact_request_id, message_id, subject, body, reply_to, status, next_attempt_at, created_at)
    VALUES (?, ?, ?, 'Rubricon message', 'A message has arrived.', 'reader@school.example', 'sent', ?, ?)`);
  const start = Date.now() - count * 1000;
  db.transaction(() => {
    for (let number = 0; number < count; number += 1) {
      const time = new Date(start + number * 1000).toISOString();
      const reference = referenceOf(number);
      const { lastInsertRowid } = insertRequest.run(`${message} ${number + 1}`, time, reference);
      insertEmail.run(reference, lastInsertRowid, `message-${number}`, time, time);
    }
  })();
  db.close();
}
