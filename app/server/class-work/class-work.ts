/** What the work on a class has in common, whether a command or the team's page asks for it. */
import { variableOf } from "../config/settings-table.ts";

/** Why nothing was done, as a sentence for the person who asked. */
export interface WorkError {
  error: string;
  /** Whether a setting is to be changed. */
  isSetting?: true;
}

export const noPublicUrl = (): WorkError => ({
  error: `Set ${variableOf("PUBLIC_URL")}: the link begins with it.`,
  isSetting: true,
});
