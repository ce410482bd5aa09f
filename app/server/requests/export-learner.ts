import { writeFile } from "node:fs/promises";
import path from "node:path";
import { makeFolder } from "#db/engine.ts";
import type { Store } from "#db/store.ts";
import type { LearnerData } from "../../domain/data-subject.ts";
import { withoutExtension } from "../../domain/file-name.ts";
import { safeName, writeFiles } from "./request-files.ts";
import { subjectJson } from "./subject-json.ts";

/**
 * Writes what is stored about a learner into a new folder: the files, and learner.json with the replaced marks and
 * every row under its table's name. Of a file that has pages of other learners too, writes only this learner's pages.
 * @returns the paths, and the names of files whose pages cannot be copied
 */
export async function exportLearner(
  store: Store,
  { ids, replaced, files, shared }: LearnerData,
  folder: string,
): Promise<{ paths: string[]; missing: string[] }> {
  makeFolder(folder, 0o700);
  const written = new Map<number, string>();
  for await (const file of writeFiles(store, files, folder)) written.set(file.id, file.path);
  const copied: string[] = [];
  const missing: string[] = [];
  for (const { id, name, pages } of shared) {
    const bytes = await copyPages(store, id, pages);
    if (!bytes) {
      missing.push(name);
      continue;
    }
    const file = path.join(folder, safeName(`pages of file ${id}, ${withoutExtension(name)}.pdf`));
    await writeFile(file, bytes, { flag: "wx", mode: 0o600 });
    copied.push(file);
  }
  const record = path.join(folder, "learner.json");
  const json = subjectJson(store, { ids, replaced }, folder, written);
  await writeFile(record, json, { flag: "wx", mode: 0o600 });
  return { paths: [record, ...written.values(), ...copied], missing };
}

async function copyPages(
  store: Store,
  fileId: number,
  pages: number[],
): Promise<Buffer | undefined> {
  const bytes = await store.readFile(fileId);
  if (!bytes || pages.length === 0) return undefined;
  const { renderPdf } = await import("../../desk/render-file.ts");
  return await renderPdf([{ file: bytes, pages: pages.map((page) => ({ page, turn: 0 })) }]);
}
