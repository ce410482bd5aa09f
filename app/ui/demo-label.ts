import type { Brand } from "../brand.ts";

/** The label of buttons that lead to the demo. It says “free” only if the brand states a price for other work. */
export const demoLabel = ({ pricing }: Brand): string =>
  pricing ? "Try Free Demo" : "Send a class";
