import { useLayoutEffect, useRef, useState } from "react";
import { storedName } from "../../domain/file-name.ts";
import type { UploadDraft } from "../../domain/upload.ts";
import { confirmationField } from "../../forms/confirmation.ts";
import { keepAwake } from "./keep-awake.ts";
import { removeServerProblem, updatePage } from "./page.ts";
import { focusSummary } from "./problem-summary.tsx";
import { sendFiles } from "./send-files.ts";
import type { UploadFormProps } from "./upload-form.tsx";
import { identityOf, newUploadSession, outgoingOf, type UploadSession } from "./upload-session.ts";
import { type Send, useForm } from "./use-form.ts";
import { useLeaveQuestion } from "./use-leave-question.ts";
import { useSectionDrop } from "./use-section-drop.ts";

export type UploadState = ReturnType<typeof useUpload>;

export function useUpload(props: UploadFormProps) {
  const files = useFiles(props);
  const { send, arrived } = useSending(props, files.draft);
  const form = useForm({ ...props, success: props.confirmation?.toast }, send);
  const hasFiles = files.files.length > 0 && form.state.status !== "received";
  const allowLeaving = useLeaveQuestion(hasFiles);
  const dialog = useDialog(props, form, files);
  const drop = useSectionDrop(form.ref, form.onUse.onDragEnter);
  const [isHydrated, setIsHydrated] = useState(false);
  useLayoutEffect(() => setIsHydrated(true), []);
  const { state, dispatch } = form;
  return {
    ...form,
    ...files,
    ...dialog,
    ...drop,
    isHydrated,
    hasArrived: (file: File) => arrived.has(identityOf(file)),
    arrivedCount: arrived.size,
    /** The problem to show at the top of the page, unless the server has rendered it there. */
    pageProblem:
      state.status === "rejected" && state.problem !== props.returned?.problem && !dialog.hasErrors
        ? state.problem
        : undefined,
    sendPlainly() {
      allowLeaving();
      form.sendPlainly();
    },
    chooseFiles(field: string, chosen: File[]) {
      files.setFiles(field, chosen);
      if ("problem" in state && state.problem.fields[field]) removeServerProblem();
      dispatch({ type: "file chosen", field });
    },
    onSubmit(event: React.SubmitEvent<HTMLFormElement>) {
      const { submitter } = event.nativeEvent;
      // Removing a draft file is a plain post, which leaves the page.
      if (submitter?.getAttribute("name") === "remove") {
        allowLeaving();
        return;
      }
      event.preventDefault();
      if (!dialog.isModal()) dialog.open();
      else if (submitter?.id !== "process" && state.status !== "received") void dialog.send();
    },
  };
}

/** Sends the form as an upload, which continues where an earlier attempt has ended. */
function useSending({ form }: UploadFormProps, draft: UploadDraft | undefined) {
  const session = useRef<UploadSession>(undefined);
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set());
  const send: Send = async (body, signal, onProgress) => {
    session.current ??= newUploadSession(draft?.token);
    const outgoing = outgoingOf(body, session.current, draft, form.fileFields);
    const release = keepAwake();
    const response = await sendFiles({
      path: form.endpoint,
      session: session.current,
      outgoing,
      signal,
      onProgress,
      onArrived: (files) => setArrived(new Set(files.map(identityOf))),
    }).finally(release);
    if (response.kind !== "received") return response;
    // The next upload gets a token of its own, and sends all of its files.
    session.current = undefined;
    setArrived(new Set());
    const sent = outgoing.files.map(({ field, file: { name, size } }) => ({
      field,
      name: storedName(name),
      size,
    }));
    return { ...response, files: [...outgoing.kept, ...sent] };
  };
  return { send, arrived };
}

/** The files that are chosen, or on the server as a draft. */
function useFiles({ form, returned }: UploadFormProps) {
  const [filesByField, setFilesByField] = useState<Record<string, File[]>>({});
  /** Whether the visitor wanted to go on without all required files. */
  const [isMissing, setIsMissing] = useState(false);
  /** A key of the pickers and text fields: the next number mounts them again, empty. */
  const [round, setRound] = useState(0);
  const draft = round === 0 ? returned?.draft : undefined;
  const draftFilesIn = (field: string) => draft?.files.filter((file) => file.field === field) ?? [];
  const missingLabels = Object.entries(form.fileFields)
    .filter(
      ([field, { missing }]) =>
        missing && !filesByField[field]?.length && draftFilesIn(field).length === 0,
    )
    .map(([, { label }]) => label);
  return {
    files: Object.values(filesByField).flat(),
    draft,
    draftFilesIn,
    missingLabels,
    isComplete: missingLabels.length === 0,
    isMissing,
    setIsMissing,
    setFiles(field: string, chosen: File[]) {
      setIsMissing(false);
      setFilesByField((before) => ({ ...before, [field]: chosen }));
    },
    round,
    startAgain() {
      setFilesByField({});
      setRound(round + 1);
    },
  };
}

function useDialog(
  { form, confirmation }: UploadFormProps,
  { state, dispatch, submit }: ReturnType<typeof useForm>,
  { isComplete, setIsMissing, startAgain }: ReturnType<typeof useFiles>,
) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const isModal = () => dialog.current!.matches(":modal");
  return {
    dialog,
    isOpen,
    isModal,
    hasErrors: [...Object.keys(form.fields), confirmationField].some(
      (field) => state.errors[field]?.length,
    ),
    open() {
      setIsMissing(!isComplete);
      if (!isComplete) return;
      if (state.status === "failed") dispatch({ type: "cancelled" });
      setIsOpen(true);
      // As HTML the dialog may be open inline, and showModal() throws then.
      dialog.current!.close();
      dialog.current!.showModal();
    },
    async send() {
      const event = await submit();
      if (!event) return;
      updatePage(event);
      if (event.type === "invalid" || event.type === "rejected") showProblem(dialog.current!);
    },
    /** `close` fires asynchronously: the dialog may already be open again as a modal. */
    onClose() {
      setIsOpen(isModal());
      if (isModal() || state.status !== "received") return;
      confirmation?.onClosed(state.receipt);
      startAgain();
      dispatch({ type: "reset" });
    },
  };
}

/** Focuses the first wrong field in the dialog, or else closes the dialog, because the problem is on the page. */
function showProblem(dialog: HTMLDialogElement): void {
  const invalid = dialog.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (invalid) {
    invalid.focus();
    return;
  }
  dialog.close();
  focusSummary(document);
}
