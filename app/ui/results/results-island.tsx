/**
 * What script adds to results, loaded apart from the page's own: the sample opened in place, and a
 * dialog for each student. The page stays whole where it does not load.
 */
import { QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { sampleToken } from "../../domain/result.ts";
import { newQueryClient } from "../query.ts";
import { LearnerDialog } from "./learner-dialog.tsx";
import { SampleArea } from "./sample-area.tsx";

const fetched = newQueryClient();

/** @param link the focus goes back to it */
export function openSample(link: HTMLElement): void {
  const place = document.getElementById("sample")!;
  if (place.firstChild) {
    place.querySelector("h3")?.focus();
    return;
  }
  const root = createRoot(place);
  root.render(
    <QueryClientProvider client={fetched}>
      <SampleArea
        onShown={() => addDialogs(place, sampleToken)}
        onClose={() => {
          root.unmount();
          link.focus();
        }}
      />
    </QueryClientProvider>,
  );
}

/** Lets each student of a list open in a dialog, in place of the details that open in the list. */
export function addDialogs(around: HTMLElement, token: string): void {
  const list = around.querySelector(".results")!;
  list.classList.add("scripted");
  for (const button of list.querySelectorAll<HTMLElement>("[data-student]")) button.hidden = false;
  list.addEventListener("click", ({ target }) => {
    const button = (target as Element).closest<HTMLElement>("[data-student]");
    if (button) openDialog(token, Number(button.dataset.student));
  });
}

function openDialog(token: string, first: number): void {
  const place = document.createElement("div");
  document.body.append(place);
  const root = createRoot(place);
  const close = () => {
    root.unmount();
    place.remove();
  };
  const show = (student: number) =>
    root.render(
      <QueryClientProvider client={fetched}>
        <LearnerDialog token={token} place={student} onMove={show} onClose={close} />
      </QueryClientProvider>,
    );
  show(first);
}
