import { useEffect, useEffectEvent, useRef, useState } from "react";
import {
  extensionOf,
  fileMessages,
  signatureError,
  tooLargeAmong,
  wrongTypeAdvice,
} from "../../forms/files.ts";
import { identityOf } from "./upload-session.ts";

export interface PickerRejection {
  message: string;
  tooLarge: File[];
  /** Files that are valid, if others were rejected. */
  others: File[];
}

/** The files that a native input holds, which may be taken away one by one. */
export function usePicker(
  { max, maxFileBytes, draftCount }: { max: number; maxFileBytes: number; draftCount: number },
  onChange: (files: File[]) => void,
) {
  const input = useRef<HTMLInputElement>(null);
  const [files, setFiles] = useState<File[]>([]);
  /** The current files. A callback of an earlier render must read them here, because its `files` are outdated. */
  const latest = useRef<File[]>([]);
  const [rejection, setRejection] = useState<PickerRejection>();

  const updateFiles = (next: File[]) => {
    const transfer = new DataTransfer();
    for (const file of next) transfer.items.add(file);
    input.current!.files = transfer.files;
    latest.current = next;
    setFiles(next);
    onChange(next);
  };

  /** Adds all of the chosen or dropped files, or none if a name, a size or their number is wrong. */
  const addFiles = (chosen: File[]) => {
    // Something other than files was dropped.
    if (chosen.length === 0) return;
    const current = latest.current;
    const next = max === 1 ? chosen : withoutDuplicates([...current, ...chosen]);
    const count = max === 1 ? next.length : next.length + draftCount;
    const nextRejection = rejectionOf(chosen, count, { max, maxFileBytes });
    setRejection(nextRejection);
    updateFiles(nextRejection ? current : next);
    if (!nextRejection) void removeInvalid(chosen, current);
  };

  /** Removes chosen files whose content is wrong. In a field for one file, the previous file comes back. */
  const removeInvalid = async (chosen: File[], before: File[]) => {
    const errors = await contentErrors(chosen);
    // Nothing is left to remove if the form was sent meanwhile, or the file taken away.
    if (!input.current || !latest.current.some((file) => errors.has(file))) return;
    setRejection({ message: [...errors.values()].join(". "), tooLarge: [], others: [] });
    updateFiles(max === 1 ? before : latest.current.filter((file) => !errors.has(file)));
  };

  // Files may have been chosen before hydration: add them.
  useEffect(() => {
    const preselected = [...(input.current?.files ?? [])];
    addFiles(preselected);
  }, []);

  // The list still shows the previous file, which the error is not about: the visitor's next action clears the error.
  useNextAction(rejection !== undefined && max === 1 && files.length > 0, () =>
    setRejection(undefined),
  );

  return {
    input,
    files,
    rejection,
    addFiles,
    keepFiles: () => updateFiles(files),
    /** Call it when the input is clicked: if the same file is chosen again, the browser fires no change event. */
    forgetRejection: () => setRejection(undefined),
    removeFile(file: File) {
      setRejection(undefined);
      updateFiles(files.filter((other) => other !== file));
      input.current?.focus();
    },
  };
}

/** Runs `act` at the visitor's next action anywhere on the page, while `isWaiting`. */
function useNextAction(isWaiting: boolean, act: () => void): void {
  const onAction = useEffectEvent(act);
  useEffect(() => {
    if (!isWaiting) return;
    const listening = new AbortController();
    for (const event of ["click", "keyup", "input", "dragenter"]) {
      document.addEventListener(event, onAction, { signal: listening.signal });
    }
    return () => listening.abort();
  }, [isWaiting]);
}

/** Why chosen files are rejected; undefined if they are taken. @param count the field's files, with the chosen ones */
function rejectionOf(
  chosen: File[],
  count: number,
  { max, maxFileBytes }: { max: number; maxFileBytes: number },
): PickerRejection | undefined {
  const message = fileProblem(chosen, maxFileBytes);
  if (message) {
    const tooLarge = chosen.filter(({ size }) => size > maxFileBytes);
    const others = max === 1 ? [] : chosen.filter((file) => !fileProblem([file], maxFileBytes));
    return { message, tooLarge, others };
  }
  if (count <= max) return undefined;
  const tooMany = max === 1 ? "Please choose one file only" : `Please choose at most ${max} files`;
  return { message: tooMany, tooLarge: [], others: [] };
}

/** The error about the names and sizes of files; undefined if all are valid. */
function fileProblem(chosen: File[], maxFileBytes: number): string | undefined {
  const tooLarge = tooLargeAmong(chosen, maxFileBytes);
  if (tooLarge) return tooLarge;
  const wrong = chosen.filter((file) => !extensionOf(file.name));
  if (wrong.length > 0) {
    const names = wrong.map((file) => file.name);
    return `${fileMessages.wrongType} (${names.join(", ")})${wrongTypeAdvice(...names)}`;
  }
  const empty = chosen.filter((file) => file.size === 0);
  if (empty.length > 0) return `${fileMessages.empty}: ${empty.map((f) => f.name).join(", ")}`;
  return undefined;
}

/** The errors of files whose first bytes do not fit their extension. The server checks the rest of a file too. */
async function contentErrors(files: File[]): Promise<Map<File, string>> {
  const errors = new Map<File, string>();
  const check = async (file: File) => {
    const start = new Uint8Array(await file.slice(0, 8).arrayBuffer());
    const error = signatureError(extensionOf(file.name)!, String.fromCharCode(...start));
    if (error) errors.set(file, `${file.name}: ${error}`);
  };
  // A file that cannot be read gets no error here: the server says what is wrong with it.
  await Promise.allSettled(files.map(check));
  return errors;
}

/** Drops files chosen twice, compared by name, size and date. */
const withoutDuplicates = (files: File[]): File[] => [
  ...new Map(files.map((file) => [identityOf(file), file])).values(),
];
