import { QueryClient, type QueryFunction } from "@tanstack/react-query";
import { RequestFailed, request } from "../form/http-request.ts";

/** A TanStack Query client with this site's defaults. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchInterval: false,
      retry: false,
      // By default a query waits silently while the browser believes that it is offline.
      networkMode: "always",
    },
  },
});

/**
 * Fetches JSON from a path: the parts of the query key, joined with slashes.
 * @param on401 "null" turns a 401 response into null; "throw" treats it as any other error
 * @throws RequestFailed
 */
export function getByKey<Data>(on401: "throw" | "null" = "throw"): QueryFunction<Data | null> {
  return async ({ queryKey }) => {
    try {
      const response = await request("GET", queryKey.join("/"));
      return await response.json();
    } catch (error) {
      const isEmpty = on401 === "null" && error instanceof RequestFailed && error.status === 401;
      if (isEmpty) return null;
      throw error;
    }
  };
}
