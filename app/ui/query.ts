import { QueryClient, type QueryFunction } from "@tanstack/react-query";
import { RequestFailed, request } from "./http-request.ts";

/** Holds what was fetched. What TanStack Query does by itself is not repeated here: unused data is kept for 5 minutes, and a retry's delay grows to 30 seconds. */
export const newQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchInterval: false,
        retry: false,
        // Without it a query waits silently where the browser thinks that it is offline.
        networkMode: "always",
      },
    },
  });

/**
 * Fetches JSON from the path that the parts of a query's key make, joined with slashes.
 * @param on401 "null": an answer 401 is an empty result; else it is an error as every other
 * @throws RequestFailed
 */
export function getByKey<Data>(on401: "throw" | "null" = "throw"): QueryFunction<Data | null> {
  return async ({ queryKey }) => {
    try {
      const answer = await request("GET", queryKey.join("/"));
      return await answer.json();
    } catch (error) {
      const isEmpty = on401 === "null" && error instanceof RequestFailed && error.status === 401;
      if (isEmpty) return null;
      throw error;
    }
  };
}
