/** What commands use of database servers beside the store; `postgresServers` of ../engine.ts loads this file. */
export { describeAddress } from "./address.ts";
export { copyIntoServer } from "./copy-in.ts";
export { examineServer } from "./examine.ts";
