/** Decisions while a server is killed, on PostgreSQL: the test is the same. */
process.env.TEST_ENGINE = "postgres";
await import("./decisions.test.ts");

export {};
