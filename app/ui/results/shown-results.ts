/**
 * Marks go from the loader straight into the page's HTML, on the server alone: among the loader's data
 * they would be sent a second time, for a script that needs them only when a dialog opens. Drawn in
 * entry.server, what draws them is in no script of the page either.
 */
import { createContext } from "react";
import { createContext as createRouterContext } from "react-router";
import type { Results } from "../../domain/result.ts";

/** Set by the loader where the address asks for results; "none" where it opens none. */
export const resultsOfPage = createRouterContext<Results | "none" | null>(null);

/** As they are drawn. */
export const ShownResults = createContext<React.ReactNode>(null);
