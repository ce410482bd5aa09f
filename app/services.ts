/** The router context: what a route may ask of the server. A route is given its world and imports none of it. */
import { createContext } from "react-router";
import type { Brand } from "./brand.ts";
import type { Receipt } from "./forms/receipt.ts";

export interface Services {
  brand: Brand;
  /** Days after which a request is deleted. */
  retentionDays: number;
  demoUpload: {
    /** Reads, judges and stores one upload. Once it says "received", nothing can lose it. */
    submit(request: Request): Promise<Outcome>;
    /** @param typed a reference as somebody typed or followed it */
    findReceipt(typed: string): Promise<Receipt | null>;
  };
}

export type Outcome =
  | { received: true; id: number; receipt: Receipt }
  | { received: false; problem: Problem; typed: Record<string, string> };

/** Why a request was refused, in words for the visitor; the shape of every error answer of the calls. */
export interface Problem {
  status: 400 | 413 | 415 | 422 | 503;
  /** For programs, stable: "missing_files", "invalid_fields" … */
  code: string;
  error: string;
  /** Reasons by field name; a file's reason starts with the file's name. */
  fields: Record<string, string[]>;
}

export const services = createContext<Services>();
