import { createContext } from "react";

/** The request id shown on error pages. Set on the server only; error pages are not hydrated. */
export const RequestId = createContext("");
