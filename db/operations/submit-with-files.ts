import type { NewRequestWithFiles, StoredRequest } from "../../app/domain/new-request.ts";
import type { StagedFile } from "../../app/domain/upload.ts";
import type { Tx } from "../operation.ts";
import type { RequestTable } from "../schema.ts";
import { addRequestNotices } from "./add-to-outbox.ts";
import { insertOnce } from "./duplicates.ts";
import { endDraft, requestOfUpload } from "./upload-drafts.ts";
import { assignFiles } from "./uploaded-files.ts";

/** The values that the tables of both forms with files have in common, and the form's own texts. */
type Columns<Texts> = Texts & {
  reference: string;
  fingerprint: string;
  spam: string | null;
  isTest: boolean;
  noticeVersion: string | null;
  createdAt: string;
};

/** What differs between the forms with files. */
interface FormWithFiles<Texts> {
  table: RequestTable;
  /** Returns nothing if the fingerprint is stored already. */
  insert(columns: Columns<Texts>): Promise<StoredRequest[]>;
  ownerOf(id: number): { contactRequestId: number } | { rubricRequestId: number };
  /** Stores what refers to the files, which belong to the request by then. */
  refer(stored: StoredRequest, createdAt: string): Promise<void>;
}

/** Stores a request with its files and email, or returns the equal one that is stored already. */
export async function submitWithFiles<Texts>(
  tx: Tx,
  request: NewRequestWithFiles<Texts, Record<string, StagedFile[]>>,
  now: Date,
  form: FormWithFiles<Texts>,
): Promise<StoredRequest> {
  const earlier = await requestOfUpload(tx, request);
  if (earlier) return earlier;
  const { typed, files, fingerprint, spam, isTest, noticeVersion } = request;
  const createdAt = now.toISOString();
  const common = { fingerprint, spam, isTest, noticeVersion, createdAt };
  const equal = { fingerprint, since: request.duplicatesSince };
  const { isNew, ...stored } = await insertOnce(tx, form.table, equal, () =>
    form.insert({ ...typed, ...common, reference: request.reference }),
  );
  const { id, reference } = stored;
  if (isNew) await assignFiles(tx, Object.values(files).flat(), form.ownerOf(id));
  await endDraft(tx, request, reference);
  if (!isNew) return stored;
  await form.refer(stored, createdAt);
  await addRequestNotices(tx, request, { reference, createdAt });
  return stored;
}
