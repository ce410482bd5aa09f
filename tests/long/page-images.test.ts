import assert from "node:assert/strict";
import { test } from "node:test";
import { renderFile } from "../../app/desk/render-file.ts";
import { columns } from "../support/columns.ts";
import { hostilePdfs } from "../support/hostile-pdfs.ts";

for (const name of ["flateInFlate", "gigabyteOfFlate", "nestedGroups"] as const) {
  test(`a PDF that would fill the memory ends: ${name}`, async () => {
    assert.deepEqual(await renderFile({ bytes: hostilePdfs[name](), name: "scan.pdf" }), {
      kind: "original",
      reason:
        "needs more memory than one script may use (page 1). It was not rendered; mark it from the original.",
    });
  });
}

for (const name of ["curves", "tilingStep"] as const) {
  test(`a PDF that would render for hours ends after 20 seconds of computing: ${name}`, async () => {
    assert.deepEqual(await renderFile({ bytes: hostilePdfs[name](), name: "scan.pdf" }), {
      kind: "original",
      reason:
        "took more than 20 s of computing (page 1). It was not rendered; mark it from the original.",
    });
  });
}

test("very large images are rendered, more of them than one process has the time for", async () => {
  const rendered = await renderFile({ bytes: hostilePdfs.hugeImages(), name: "scan.pdf" });
  assert.ok(rendered.kind === "pages");
  assert.deepEqual(
    columns(rendered.pages, "page", "warning"),
    [1, 2, 3, 4, 5].map((page) => [
      page,
      `page ${page} came out empty; compare with the original.`,
    ]),
  );
});
