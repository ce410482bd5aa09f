import { useLayoutEffect, useRef, useState } from "react";
import { apiPaths } from "../../site.ts";
import { removeServerProblem, updatePage } from "./page.ts";
import { focusSummary } from "./problem-summary.tsx";
import { sendFiles } from "./send-files.ts";
import type { UploadFormProps } from "./upload-form.tsx";
import { loadRules, useForm } from "./use-form.ts";

export type UploadState = ReturnType<typeof useUpload>;

/** The state of a form with files: the form, its files and its dialog. */
export function useUpload(props: UploadFormProps) {
  const { form: name, fields, fileFields, action, anchor, confirmation, problem } = props;
  const form = useForm({ ...props, success: confirmation?.toast }, (body, signal, onProgress) =>
    sendFiles(apiPaths[name], body, signal, onProgress),
  );
  const { state, dispatch } = form;
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isHydrated, setIsHydrated] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const [filesByField, setFilesByField] = useState<Record<string, File[]>>({});
  /** A key of the pickers and text fields: the next number mounts them again, empty. */
  const [round, setRound] = useState(0);
  useLayoutEffect(() => setIsHydrated(true), []);

  const draft = round === 0 ? props.draft : undefined;
  const draftFilesIn = (field: string) => draft?.files.filter((file) => file.field === field) ?? [];
  const isComplete = Object.entries(fileFields).every(
    ([field, { missing }]) =>
      !missing || filesByField[field]?.length || draftFilesIn(field).length > 0,
  );
  const hasTextErrors = Object.keys(fields).some((field) => state.errors[field]?.length);

  function chooseFiles(field: string, chosen: File[]) {
    setIsMissing(false);
    setFilesByField((before) => ({ ...before, [field]: chosen }));
    if ("problem" in state && state.problem.fields[field]) removeServerProblem();
    dispatch({ type: "file chosen", field });
  }

  function open() {
    if (!isComplete) {
      setIsMissing(true);
      return;
    }
    if (state.status === "failed") dispatch({ type: "cancelled" });
    setIsOpen(true);
    dialog.current!.close();
    dialog.current!.showModal();
    void loadRules();
  }

  async function send() {
    const event = await form.submit();
    if (!event) return;
    if (event.type === "received" && draft && !confirmation) {
      // Only the server knows the names of draft files: load its receipt.
      const { pathname } = new URL(action, window.location.href);
      window.location.assign(`${pathname}?received=${event.receipt.reference}${anchor}`);
      return;
    }
    updatePage(event);
    if (event.type !== "invalid" && event.type !== "rejected") return;
    const invalid = dialog.current!.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (invalid) {
      invalid.focus();
      return;
    }
    dialog.current!.close();
    focusSummary(document);
  }

  return {
    ...form,
    dialog,
    isOpen,
    isHydrated,
    isMissing,
    isComplete,
    files: Object.values(filesByField).flat(),
    draft,
    draftFilesIn,
    round,
    chooseFiles,
    /** The problem to show at the top of the page, unless the server has rendered it there. */
    pageProblem:
      state.status === "rejected" && state.problem !== problem && !hasTextErrors
        ? state.problem
        : undefined,
    onSubmit(event: React.SubmitEvent<HTMLFormElement>) {
      const submitter = event.nativeEvent.submitter;
      // Removing a draft file is a plain post.
      if (submitter?.getAttribute("name") === "remove") return;
      event.preventDefault();
      if (!dialog.current!.matches(":modal")) open();
      else if (submitter?.id !== "process" && state.status !== "received") void send();
    },
    /** `close` fires asynchronously: the dialog may already be open again as a modal. */
    onClose() {
      const isStillOpen = dialog.current!.matches(":modal");
      setIsOpen(isStillOpen);
      if (isStillOpen || state.status !== "received") return;
      confirmation?.onClosed(state.receipt);
      setFilesByField({});
      setRound(round + 1);
      dispatch({ type: "reset" });
    },
  };
}
