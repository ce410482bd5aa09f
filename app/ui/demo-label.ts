import type { Brand } from "../brand.ts";

/** The label of the buttons that lead to the demo: only who states what other work costs calls it free. */
export const demoLabel = ({ pricing }: Brand): string =>
  pricing ? "Try Free Demo" : "Send a class";
