/** The router context: what a route may ask of the server. A route is given its world and imports none of it. */
import { createContext } from "react-router";
import type { Brand } from "./brand.ts";
import type { Receipt } from "./forms/receipt.ts";

export interface Services {
  brand: Brand;
  /** Days after which a request is deleted. */
  retentionDays: number;
  demoUpload: {
    /**
     * Reads, judges and stores one upload. Once it says "received", nothing can lose it.
     * @param from "page": the good files of a refused form are held, so that they need not be chosen again
     */
    submit(request: Request, from: "page" | "call"): Promise<Outcome>;
    /** How far an upload is that was posted with this id, for whoever made the id up. */
    findStep(uploadId: string): UploadStep | undefined;
    /** @param typed a reference as somebody typed or followed it */
    findReceipt(typed: string): Promise<Receipt | null>;
  };
}

export type Outcome =
  | { received: true; id: number; reference: string }
  | {
      received: false;
      /** Undefined where the form was posted only to remove a held file. */
      problem: Problem | undefined;
      typed: Record<string, string>;
      held: HeldFiles | undefined;
    };

/** What the server does with an upload whose bytes have all been sent. */
export type UploadStep = "checking" | "storing";

/** Files that are kept for a form that came back. The token is the only key to them. */
export interface HeldFiles {
  token: string;
  files: { id: number; field: string; name: string; size: number }[];
}

/** Why a request was refused, in words for the visitor; the shape of every error answer of the calls. */
export interface Problem {
  status: 400 | 413 | 415 | 422 | 500 | 503;
  /** For programs, stable: "missing_files", "invalid_fields" … */
  code: string;
  error: string;
  /** Reasons by field name; a file's reason starts with the file's name. */
  fields: Record<string, string[]>;
}

export const services = createContext<Services>();
