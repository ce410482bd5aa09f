import { useQuery } from "@tanstack/react-query";
import type { Results } from "../../domain/result.ts";
import { resultsApiPrefix } from "../../site.ts";
import { getByKey, queryClient } from "./query.ts";

/** The results behind a token, fetched once; null if the token no longer opens any. */
export const useResults = (token: string) =>
  useQuery(
    { queryKey: [resultsApiPrefix + token], queryFn: getByKey<Results>("null") },
    queryClient,
  );
