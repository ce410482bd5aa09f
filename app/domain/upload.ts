/** What the server does with an upload whose bytes have all been sent. */
export type UploadStep = "checking" | "storing";

/** Files that are kept for a form that came back. The token is the only key to them. */
export interface UploadDraft {
  token: string;
  files: { id: number; field: string; name: string; size: number }[];
}
