import { useState } from "react";
import { droppedFiles } from "./dropped-files.ts";

export function DropZone({
  onDrop,
  children,
}: {
  onDrop: (files: File[]) => void;
  children: React.ReactNode;
}) {
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the input offers the same by keyboard
    <div
      className={isDraggedOver ? "file-picker sheet dropping" : "file-picker sheet"}
      onDragOver={(event) => {
        event.preventDefault();
        setIsDraggedOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) =>
        setIsDraggedOver(currentTarget.contains(relatedTarget as Node | null))
      }
      onDrop={(event) => {
        event.preventDefault();
        setIsDraggedOver(false);
        void droppedFiles(event.dataTransfer).then(onDrop);
      }}
    >
      {children}
    </div>
  );
}
