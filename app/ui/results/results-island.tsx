/**
 * What script adds to results, loaded on demand: the sample opened in place, and a dialog for each learner.
 * The page works without it.
 */
import { QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { sampleToken } from "../../domain/result.ts";
import { newQueryClient } from "../query.ts";
import { LearnerDialog } from "./learner-dialog.tsx";
import { SampleArea } from "./sample-area.tsx";

const queryClient = newQueryClient();

/** @param link gets the focus back when the sample is closed */
export function openSample(link: HTMLElement): void {
  const container = document.getElementById("sample")!;
  if (container.firstChild) {
    container.querySelector("h3")?.focus();
    return;
  }
  const root = createRoot(container);
  root.render(
    <QueryClientProvider client={queryClient}>
      <SampleArea
        onShown={() => addDialogs(container, sampleToken)}
        onClose={() => {
          root.unmount();
          link.focus();
        }}
      />
    </QueryClientProvider>,
  );
}

/** Makes each learner in a list open in a dialog, instead of details in the list. */
export function addDialogs(container: HTMLElement, token: string): void {
  const list = container.querySelector(".results")!;
  list.classList.add("scripted");
  for (const button of list.querySelectorAll<HTMLElement>("[data-learner]")) button.hidden = false;
  list.addEventListener("click", ({ target }) => {
    const button = (target as Element).closest<HTMLElement>("[data-learner]");
    if (button) openDialog(token, Number(button.dataset.learner));
  });
}

function openDialog(token: string, first: number): void {
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  const close = () => {
    root.unmount();
    container.remove();
  };
  const show = (learner: number) =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <LearnerDialog token={token} index={learner} onMove={show} onClose={close} />
      </QueryClientProvider>,
    );
  show(first);
}
