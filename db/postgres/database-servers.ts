/** What commands do with database servers beside the store; `postgresServers` of ../engine.ts loads it. */
export { describeAddress } from "./address.ts";
export { copyIntoServer } from "./copy-in.ts";
export { examineServer } from "./examine.ts";
