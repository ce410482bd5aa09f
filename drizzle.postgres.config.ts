import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "./db/postgres/schema-exports.cjs",
  out: "./db/postgres/migrations",
});
