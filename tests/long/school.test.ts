/** The school of tests/school.test.ts, with all its visitors. */
process.env.TEST_VISITORS = "200";
await import("../school.test.ts");

export {};
