import type { Settings } from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";
import { checkScanner } from "../virus-scanner.ts";
import { type Finding, fail, ok } from "./finding.ts";

/** Asks clamd, if it is set, whether it is there. */
export async function checkVirusScanner({ scannerAddress }: Settings): Promise<Finding[]> {
  if (!scannerAddress) return [];
  try {
    await checkScanner(scannerAddress);
    return [ok("virus scanner", "clamd responds")];
  } catch (error) {
    const remedy = `start it (systemctl start clamav-daemon), or correct ${variableOf("CLAMD")}; uploads are rejected meanwhile`;
    return [fail("virus scanner", (error as Error).message, remedy)];
  }
}
