import { createContext } from "react";

/** Known on the server alone; a page that failed carries no script. */
export const RequestId = createContext("");
