import { createContext } from "react";

/** The request id shown on error pages. Set by entry.server.tsx. */
export const RequestId = createContext("");
