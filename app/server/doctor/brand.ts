import { loadConfig } from "../config/config.ts";
import type { Settings } from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";
import { ContentError } from "../content/content-error.ts";
import { missingStatements } from "../content/missing-statements.ts";
import { type Finding, ok, warn } from "./finding.ts";

/** Checks that pages publish no placeholder. Errors in the content are reported by checkContent. */
export function checkBrand(settings: Settings): Finding[] {
  try {
    const missing = missingStatements(loadConfig(settings).brand);
    if (missing.length === 0) return [ok("brand", "complete")];
    const remedy = `state it in brand.yaml in the folder of ${variableOf("CONTENT_DIR")}, or by ${variableOf("BRAND_EMAIL")}`;
    return missing.map((statement) => warn("brand", statement, remedy));
  } catch (error) {
    if (error instanceof ContentError) return [];
    throw error;
  }
}
