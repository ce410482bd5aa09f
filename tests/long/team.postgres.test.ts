/** What the team does with requests, on PostgreSQL: the tests are the same. */
process.env.TEST_ENGINE = "postgres";
for (const suite of ["results", "decided-marks", "outbox", "webhook", "subscriptions", "subject"]) {
  await import(`../${suite}.test.ts`);
}

export {};
