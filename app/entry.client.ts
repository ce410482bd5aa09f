/**
 * Hydrates the islands of a page: elements with `data-island`, rendered by ui/island.tsx. The rest of the page
 * stays HTML. Results, the marking desk and the form for a scan have scripts of their own, without React.
 */
import type { ComponentType } from "react";

const islands = import.meta.glob<{ default: ComponentType<object> }>("./islands/*.tsx");

/** How near the visitor must come before an island is loaded, as a share of the window's height. */
const approach = "75%";

/** How long an island may take to load, in milliseconds. Then it stays HTML, and a submit that waits for it is sent. */
const timeoutMs = 8000;

// @ts-expect-error a module of React Router's plugin; without it no component loads in development
if (import.meta.env.DEV) await import("virtual:react-router/inject-hmr-runtime");

/** Whether islands can run: without these features their scripts would fail, so the page stays HTML. */
const runsIslands = "at" in Array.prototype && "showModal" in document.createElement("dialog");

const loads = runsIslands
  ? [...document.querySelectorAll<HTMLElement>("[data-island]")].map(loadWhenNeeded)
  : [];

const results = document.querySelector<HTMLElement>(".results");
if (results) void addScript(results);

const scanForm = document.querySelector<HTMLFormElement>("form[data-scan]");
if (scanForm) {
  const { enhanceScanForm } = await import("./islands/team/send-scan.ts");
  enhanceScanForm(scanForm);
}

async function addScript(results: HTMLElement): Promise<void> {
  if (results.classList.contains("marking-desk")) {
    const { enhanceDesk } = await import("./islands/marking/enhance-desk.ts");
    await enhanceDesk(results);
  } else {
    const { enhance } = await import("./islands/results/enhance-results.ts");
    await enhance(results);
  }
  // Tests wait for this class.
  results.classList.add("scripted");
}

/** Loads an island, once; resolves to whether it is hydrated. */
type Load = () => Promise<boolean>;

/**
 * Loads the island once the visitor comes near, or uses any island. A form submitted earlier waits for its island.
 * Returns a function that loads the island now.
 */
function loadWhenNeeded(element: HTMLElement): Load {
  const settled = new AbortController();
  const { signal } = settled;
  const dialog = element.querySelector<HTMLDialogElement>("dialog[data-collapsible]");
  // The dialog is inline until the island opens it as a modal. A dialog that the visitor may have seen stays open, so
  // that nothing moves.
  if (dialog && !isSeen(dialog)) dialog.open = false;
  let loading: Promise<boolean> | undefined;
  const load = () => {
    loading ??= hydrateInTime(element).then((isHydrated) => {
      settled.abort();
      // Without its script the island stays HTML, whose dialog must be open to be used.
      if (dialog && !isHydrated) dialog.open = true;
      return isHydrated;
    });
    return loading;
  };
  loadOnApproach(element, load, signal);
  for (const type of ["pointerdown", "focusin", "change", "dragenter"]) {
    element.addEventListener(type, loadAll, { capture: true, passive: true, signal });
  }
  element.addEventListener("submit", holdSubmits(load, dialog), { capture: true, signal });
  return load;
}

function loadOnApproach(element: HTMLElement, load: Load, signal: AbortSignal): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void load();
    },
    { rootMargin: approach },
  );
  // An island without HTML of its own has nothing to observe, so observe its parent.
  observer.observe(element.firstElementChild ? element : element.parentElement!);
  signal.addEventListener("abort", () => observer.disconnect());
}

/** Returns a listener that holds a submit, and submits the form again once the island is loaded. */
function holdSubmits(load: Load, dialog: HTMLDialogElement | null) {
  let isWaiting = false;
  return (event: SubmitEvent) => {
    const form = event.target as HTMLFormElement;
    const submitter = event.submitter as HTMLButtonElement | null;
    // Removing a draft file is a plain post, with and without script.
    if (submitter?.name === "remove") return;
    event.preventDefault();
    // Further clicks while waiting do not submit again.
    if (isWaiting) return;
    isWaiting = true;
    submitter?.setAttribute("aria-busy", "true");
    const closed = dialog?.open === false ? dialog : undefined;
    const submit = (isHydrated: boolean) => {
      submitter?.removeAttribute("aria-busy");
      // The dialog was closed, so the visitor has not seen its fields: show them first.
      if (closed && !isHydrated) closed.querySelector("input")!.focus();
      else form.requestSubmit(submitter);
    };
    // Submit in a new task, because a form cannot be submitted from within its own submit event.
    void load().then((isHydrated) => setTimeout(submit, 0, isHydrated));
  };
}

function loadAll(): void {
  for (const load of loads) void load();
}

/** Whether the visitor can have seen any of the element. Before the page's first frame the timeline is at 0. */
function isSeen(element: HTMLElement): boolean {
  const { top } = element.getBoundingClientRect();
  return Number(document.timeline.currentTime) > 0 && top < window.innerHeight;
}

/** Resolves to whether the island is hydrated: to false if hydration fails or takes longer than the timeout. */
function hydrateInTime(element: HTMLElement): Promise<boolean> {
  const timeout = new Promise<boolean>((resolve) => setTimeout(resolve, timeoutMs, false));
  return Promise.race([hydrateIsland(element), timeout]).catch(() => false);
}

async function hydrateIsland(element: HTMLElement): Promise<boolean> {
  const [{ hydrate }, { default: Island }] = await Promise.all([
    import("./hydrate.tsx"),
    islands[`./islands/${element.dataset.island}.tsx`]!(),
  ]);
  // React would render an island altered by a translation or an extension again, and lose what was typed.
  if (sizeOf(element) !== element.dataset.size) return false;
  return hydrate(element, Island, JSON.parse(element.nextElementSibling!.textContent!));
}

/** The same counts as `sizeOf` of ui/island.tsx returns. */
const sizeOf = (element: HTMLElement) =>
  `${element.textContent!.length} ${element.querySelectorAll("*").length}`;
