import path from "node:path";
import type { Store } from "#db/store.ts";
import type { LearnerData, Subject } from "../../domain/data-subject.ts";

/** Rows read at a time: few enough for their texts to need little memory. */
const chunkSize = 50;

/**
 * Yields the text of subject.json or learner.json, and reads a few rows at a time.
 * @param files paths of the exported files by their ids
 */
export async function* subjectJson(
  store: Store,
  { ids, replaced = [] }: Pick<Subject, "ids"> & Partial<Pick<LearnerData, "replaced">>,
  folder: string,
  files: Map<number, string>,
): AsyncGenerator<string> {
  yield `{\n  "exported_at": ${JSON.stringify(new Date().toISOString())}`;
  for (const [table, rowIds] of Object.entries(ids)) {
    yield `,\n  "${table}": [`;
    let separator = "\n";
    for (let from = 0; from < rowIds.length; from += chunkSize) {
      const rows = await store.readRows(table, rowIds.slice(from, from + chunkSize));
      // Another command may have deleted the rows meanwhile, so they are left out.
      if (rows.length === 0) continue;
      const items = rows.map((row) => {
        const file = table === "uploaded_files" && files.get(Number(row.id));
        const exported = file ? { ...row, exported_as: path.relative(folder, file) } : row;
        return `    ${JSON.stringify(exported, null, 2).replaceAll("\n", "\n    ")}`;
      });
      yield `${separator}${items.join(",\n")}`;
      separator = ",\n";
    }
    yield "\n  ]";
  }
  if (replaced.length > 0) {
    yield `,\n  "replaced_results": ${JSON.stringify(replaced, null, 2).replaceAll("\n", "\n  ")}`;
  }
  yield "\n}\n";
}
