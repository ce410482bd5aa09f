import { useQuery } from "@tanstack/react-query";
import type { Results } from "../../domain/result.ts";
import { getByKey } from "../query.ts";

/** The results behind a token; null where it opens nothing any more. Fetched once, whoever asks. */
export const useResults = (token: string) =>
  useQuery({ queryKey: ["/api/results", token], queryFn: getByKey<Results>("null") });
