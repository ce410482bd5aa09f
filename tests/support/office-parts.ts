import { text as textOf } from "node:stream/consumers";
import { fromBuffer } from "yauzl";

/** Returns the parts of an Office file as texts, by name. */
export async function partsOf(bytes: Buffer): Promise<Map<string, string>> {
  const parts = new Map<string, string>();
  const zip = await new Promise<import("yauzl").ZipFile>((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, (error, opened) =>
      error ? reject(error) : resolve(opened),
    ),
  );
  await new Promise<void>((resolve, reject) => {
    zip.on("entry", (entry) => {
      zip.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error);
        parts.set(entry.fileName, await textOf(stream));
        zip.readEntry();
      });
    });
    zip.on("end", resolve).on("error", reject);
    zip.readEntry();
  });
  return parts;
}
