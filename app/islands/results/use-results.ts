import { useQuery } from "@tanstack/react-query";
import type { Results } from "../../domain/result.ts";
import { resultsApiPrefix } from "../../site.ts";
import { getByKey, queryClient } from "./query.ts";

const resultsQuery = (token: string) => ({
  queryKey: [resultsApiPrefix + token],
  queryFn: getByKey<Results>("null"),
});

/** The results behind a token, fetched once; null if the token no longer opens any. */
export const useResults = (token: string) => useQuery(resultsQuery(token), queryClient);

/** Fetches the results before they are shown. If that fails, `useResults` tries again. */
export const prefetchResults = (token: string) =>
  void queryClient.prefetchQuery(resultsQuery(token));
