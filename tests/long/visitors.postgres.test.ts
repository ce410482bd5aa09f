/** What visitors send, on PostgreSQL: the tests are the same. */
process.env.TEST_ENGINE = "postgres";
for (const suite of [
  "forms",
  "rubric-request",
  "spam",
  "test-forms",
  "demo-upload",
  "duplicate-posts",
  "upload-drafts",
]) {
  await import(`../${suite}.test.ts`);
}

export {};
