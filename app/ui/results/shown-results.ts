/**
 * Passes marks from the loader to entry.server.tsx, which renders them. As loader data they would be sent
 * twice, as HTML and as JSON, and the code that renders them would be in the page's script.
 */
import { createContext } from "react";
import { createContext as createRouterContext } from "react-router";
import type { Results } from "../../domain/result.ts";

/** Set by the loader if the URL asks for results; "none" if its token opens none. */
export const resultsOfPage = createRouterContext<Results | "none" | null>(null);

/** The rendered results. */
export const ShownResults = createContext<React.ReactNode>(null);
