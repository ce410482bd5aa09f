import { useEffect, useRef, useState } from "react";
import { droppedFiles } from "./dropped-files.ts";

/**
 * Takes files that are dropped in the form's section but not on a picker. Without this the browser would open
 * them, and leave the page.
 * @param onDragEnter called when something is dragged into the section
 */
export function useSectionDrop(
  form: React.RefObject<HTMLFormElement | null>,
  onDragEnter: () => void,
) {
  const [dropped, setDropped] = useState<File[]>();
  /** Functions that add files to a picker, by field. */
  const pickers = useRef<Record<string, (files: File[]) => void>>({});
  useEffect(() => {
    const section = form.current!.closest("section")!;
    const listening = new AbortController();
    const { signal } = listening;
    const isElsewhere = ({ target }: Event) =>
      !(target as Element).closest(".file-picker") && !section.querySelector(":modal");
    const onDragOver = (event: DragEvent) => {
      if (isElsewhere(event)) event.preventDefault();
    };
    const onDrop = async (event: DragEvent) => {
      const { dataTransfer } = event;
      if (!dataTransfer?.files.length || !isElsewhere(event)) return;
      event.preventDefault();
      const files = await droppedFiles(dataTransfer);
      if (files.length > 0) setDropped(files);
    };
    section.addEventListener("dragenter", onDragEnter, { signal });
    section.addEventListener("dragover", onDragOver, { signal });
    section.addEventListener("drop", onDrop, { signal });
    return () => listening.abort();
  }, [form, onDragEnter]);
  return {
    dropped,
    registerPicker(field: string, addFiles: (files: File[]) => void) {
      pickers.current[field] = addFiles;
    },
    /** Adds the dropped files to a field, or discards them if no field is given. */
    takeDrop(field?: string) {
      if (field) pickers.current[field]!(dropped!);
      setDropped(undefined);
    },
  };
}
