import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { findSubject } from "#db/operations/subjects.ts";
import { makeFolder } from "#db/sqlite/make-folder.ts";
import type { Db } from "#db/sqlite/open.ts";
import { CommandFailed } from "./exit.ts";
import { print, printJson } from "./print.ts";
import { writeFiles } from "./write-files.ts";

/** Writes subject.json, with every row under its table's name, and the files in a folder for each request. */
export async function subjectExport(
  db: Db,
  email: string,
  { out, json }: { out: string; json?: true },
): Promise<void> {
  const { references, rows } = await findSubject(db, email);
  if (Object.keys(rows).length === 0) {
    throw new CommandFailed("Nothing is kept under this address.");
  }
  if (existsSync(out)) throw new CommandFailed(`${out} is there already; nothing is overwritten.`);
  makeFolder(out, 0o700);
  const written = new Map<number, string>();
  for (const reference of references) {
    for await (const file of writeFiles(db, reference, path.join(out, reference))) {
      written.set(file.id, file.path);
    }
  }
  const files = rows.uploaded_files?.map((row) => ({
    ...row,
    exported_as: path.relative(out, written.get(Number(row.id)) ?? ""),
  }));
  const all = {
    exported_at: new Date().toISOString(),
    ...rows,
    ...(files && { uploaded_files: files }),
  };
  const record = path.join(out, "subject.json");
  await writeFile(record, `${JSON.stringify(all, null, 2)}\n`, { flag: "wx", mode: 0o600 });
  const paths = [record, ...written.values()];
  if (json) printJson(paths);
  else for (const one of paths) print(one);
}
