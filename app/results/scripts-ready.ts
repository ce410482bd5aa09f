import type { ScriptsReady } from "../domain/class-jobs.ts";

/** Says how many scripts can be shown while others are being rendered. */
export const scriptsReadySentence = ({ ready, total }: ScriptsReady) =>
  `${ready} of ${total} scripts ${ready === 1 ? "is" : "are"} ready. The pages of the others appear beside the marks within minutes.`;
