/** What the pages of a server say of its installation. */
import assert from "node:assert/strict";
import { wordsOf } from "./html-forms.ts";
import { getWithHost } from "./send-request.ts";

const paths = [
  "/",
  "/about",
  "/features",
  "/demo",
  "/contact",
  "/latest-feature",
  "/figures",
  "/blog",
  "/privacy-policy",
  "/security-policy",
  "/terms-conditions",
  "/paia-manual",
  "/marking",
  "/team",
];

export const host = "marking.school.example";

/** The texts of all pages, by path, with single spaces. */
export async function readPages({ url }: { url: string }) {
  const texts = await Promise.all(
    paths.map(async (path) => {
      const { body } = await getWithHost(url, path, host);
      return [path, wordsOf(body)] as const;
    }),
  );
  return new Map(texts);
}

export interface Sentences {
  /** Sentences that are true, with their page. */
  says: [path: string, text: RegExp][];
  /** Sentences that are false, wherever they stand. */
  never: RegExp[];
}

/** What a placeholder looks like to which a page gives no value, with what is before it. */
const placeholder = /.{9}[{}\uE000\uE001]/;

export function assertTrue(pages: Map<string, string>, { says, never }: Sentences): void {
  const missing = says.filter(([path, text]) => !text.test(pages.get(path)!));
  assert.deepEqual(missing, []);
  for (const [path, text] of pages) {
    for (const one of [...never, placeholder]) {
      assert.equal(one.exec(text)?.[0], undefined, path);
    }
  }
}
