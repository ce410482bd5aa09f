import { useContext, useEffect } from "react";
import { UNSAFE_FrameworkContext as FrameworkContext, Scripts, useMatches } from "react-router";
import { announceHydration } from "./hydration.ts";

/**
 * React Router's <Scripts/>, deferred until the visitor comes near or uses an element with
 * `data-needs-script`. Dispatches "hydrated" on the document afterwards. A form submitted earlier waits for
 * hydration, and is sent as plain HTML if that fails or takes too long.
 */
export function ScriptsOnApproach() {
  useEffect(announceHydration, []);
  return import.meta.env.DEV ? <Scripts /> : <DeferredScripts />;
}

function DeferredScripts() {
  const framework = useContext(FrameworkContext)!;
  const matches = useMatches();
  // Set on the server only; during hydration the browser keeps the script contents.
  const { nonce } = framework;
  let handoffScript = "";
  let loaderScript = "";
  if (import.meta.env.SSR) {
    const { manifest, serverHandoffString, renderMeta } = framework;
    // Makes React Router stream the loaders' data into the page.
    if (renderMeta) renderMeta.didRenderScripts = true;
    handoffScript = `window.__reactRouterContext=${serverHandoffString};window.__reactRouterContext.stream=new ReadableStream({start(controller){window.__reactRouterContext.streamController=controller}}).pipeThrough(new TextEncoderStream())`;
    const routes = matches.map(({ id }) => manifest.routes[id]!);
    const modules = {
      manifest: manifest.url,
      routes: Object.fromEntries(routes.map(({ id, module }) => [id, module])),
      entry: manifest.entry.module,
      preloads: [
        ...new Set([...manifest.entry.imports, ...routes.flatMap(({ imports = [] }) => imports)]),
      ],
    };
    loaderScript = `(${startOnApproach})(${JSON.stringify(modules)})`;
  }
  return (
    <>
      <script
        nonce={nonce}
        suppressHydrationWarning
        dangerouslySetInnerHTML={{ __html: handoffScript }}
      />
      <script
        type="module"
        nonce={nonce}
        suppressHydrationWarning
        dangerouslySetInnerHTML={{ __html: loaderScript }}
      />
    </>
  );
}

interface Modules {
  manifest: string;
  routes: Record<string, string>;
  entry: string;
  preloads: string[];
}

/** Its source is written into the page, so it must not refer to anything outside itself. */
function startOnApproach(modules: Modules): void {
  const timeoutMs = 8000;
  const formSelector = "[data-needs-script]";
  let loading: Promise<unknown> | undefined;

  // Do not hydrate a page altered by translation or an extension: React would render it again and lose what
  // was typed. The page works without script.
  let isAltered = false;
  const watch = new MutationObserver((changes) => {
    isAltered ||= changes.some(
      ({ target, addedNodes, removedNodes }) =>
        target !== document.body &&
        [...addedNodes, ...removedNodes].some(
          // React itself moves scripts and templates while a page streams in.
          ({ nodeName }) => !["#comment", "SCRIPT", "TEMPLATE"].includes(nodeName),
        ),
    );
  });
  watch.observe(document.body, { childList: true, subtree: true });

  const load = () => {
    loading ??= new Promise((resolve, reject) => {
      document.addEventListener("hydrated", resolve);
      for (const href of [...modules.preloads, modules.entry]) {
        const link = document.createElement("link");
        link.rel = "modulepreload";
        link.href = href;
        document.head.append(link);
      }
      const ids = Object.keys(modules.routes);
      Promise.all([
        import(/* @vite-ignore */ modules.manifest),
        ...ids.map((id) => import(/* @vite-ignore */ modules.routes[id]!)),
      ])
        .then(([, ...routeModules]) => {
          const byId = Object.fromEntries(ids.map((id, index) => [id, routeModules[index]]));
          watch.disconnect();
          if (isAltered) throw new Error("The page is not as the server wrote it.");
          Object.assign(window, { __reactRouterRouteModules: byId });
          return import(/* @vite-ignore */ modules.entry);
        })
        .catch(reject);
      setTimeout(reject, timeoutMs);
    });
    return loading;
  };

  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some((entry) => entry.isIntersecting)) {
        observer.disconnect();
        load().catch(() => {});
      }
    },
    { rootMargin: "75%" },
  );
  for (const element of document.querySelectorAll(formSelector)) observer.observe(element);

  const onTouch = (event: Event) => {
    if ((event.target as Element).closest?.(formSelector)) load().catch(() => {});
  };
  for (const type of ["pointerdown", "focusin", "change", "dragenter"]) {
    document.addEventListener(type, onTouch, { capture: true, passive: true });
  }

  let isReady = false;
  let isWaiting = false;
  document.addEventListener("hydrated", () => {
    isReady = true;
  });
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target as HTMLFormElement;
      const submitter = (event as SubmitEvent).submitter as HTMLButtonElement | null;
      // Removing a draft file is a plain post, with and without script.
      if (isReady || !form.closest(formSelector) || submitter?.name === "remove") return;
      event.preventDefault();
      event.stopPropagation();
      // Further clicks while waiting do not submit again.
      if (isWaiting) return;
      isWaiting = true;
      submitter?.setAttribute("aria-busy", "true");
      const resubmit = () => {
        isReady = true;
        submitter?.removeAttribute("aria-busy");
        form.requestSubmit(submitter);
      };
      // In a new task: a form cannot be submitted from within its own submit event.
      load()
        .catch(() => {})
        .then(() => setTimeout(resubmit));
    },
    { capture: true },
  );
}
