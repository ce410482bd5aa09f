/**
 * Marks go from the loader straight into the page's HTML, on the server alone: among the loader's data
 * they would be sent a second time, for a script that needs them only when a dialog opens.
 */
import { createContext } from "react";
import { createContext as createRouterContext } from "react-router";
import type { Results } from "../../results/results.ts";

/** Set by the loader. */
export const resultsOfPage = createRouterContext<Results | null>(null);

/** Read by what draws them. */
export const ShownResults = createContext<Results | null>(null);
