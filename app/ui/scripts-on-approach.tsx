import { useContext, useEffect } from "react";
import { UNSAFE_FrameworkContext as FrameworkContext, Scripts, useMatches } from "react-router";
import { announceHydration } from "./hydration.ts";

/**
 * React Router's <Scripts/>, put off until the visitor nears or touches something inside
 * `data-needs-script`: whoever only reads downloads none of it. It announces the hydrated page with a
 * "hydrated" event. A form sent earlier is held until then, and sent as plain HTML if that takes too long.
 */
export function ScriptsOnApproach() {
  useEffect(announceHydration, []);
  return import.meta.env.DEV ? <Scripts /> : <DeferredScripts />;
}

function DeferredScripts() {
  const framework = useContext(FrameworkContext)!;
  const matches = useMatches();
  // On the server only: what the browser finds is left as it is.
  const { nonce } = framework;
  let handOver = "";
  let approach = "";
  if (import.meta.env.SSR) {
    const { manifest, serverHandoffString, renderMeta } = framework;
    // Tells React Router to stream the loaders' data into the page.
    if (renderMeta) renderMeta.didRenderScripts = true;
    handOver = `window.__reactRouterContext=${serverHandoffString};window.__reactRouterContext.stream=new ReadableStream({start(controller){window.__reactRouterContext.streamController=controller}}).pipeThrough(new TextEncoderStream())`;
    const routes = matches.map(({ id }) => manifest.routes[id]!);
    const modules = {
      manifest: manifest.url,
      routes: Object.fromEntries(routes.map(({ id, module }) => [id, module])),
      entry: manifest.entry.module,
      alsoNeeded: [
        ...new Set([...manifest.entry.imports, ...routes.flatMap(({ imports = [] }) => imports)]),
      ],
    };
    approach = `(${startOnApproach})(${JSON.stringify(modules)})`;
  }
  return (
    <>
      <script
        nonce={nonce}
        suppressHydrationWarning
        dangerouslySetInnerHTML={{ __html: handOver }}
      />
      <script
        type="module"
        nonce={nonce}
        suppressHydrationWarning
        dangerouslySetInnerHTML={{ __html: approach }}
      />
    </>
  );
}

interface Modules {
  manifest: string;
  routes: Record<string, string>;
  entry: string;
  alsoNeeded: string[];
}

/** Printed into the page as it stands here, so it may use nothing from outside itself. */
function startOnApproach(modules: Modules): void {
  const timeoutMs = 8000;
  const places = "[data-needs-script]";
  let hydrated: Promise<unknown> | undefined;

  // A page that was translated or filled in by the browser's helpers is not taken over: it works as it is,
  // and React would draw it anew and lose what was typed.
  let altered = false;
  const watch = new MutationObserver((changes) => {
    altered ||= changes.some(
      ({ target, addedNodes, removedNodes }) =>
        target !== document.body &&
        [...addedNodes, ...removedNodes].some(
          // React itself moves scripts and templates about while a page streams in.
          ({ nodeName }) => !["#comment", "SCRIPT", "TEMPLATE"].includes(nodeName),
        ),
    );
  });
  watch.observe(document.body, { childList: true, subtree: true });

  const load = () => {
    hydrated ??= new Promise((resolve, reject) => {
      document.addEventListener("hydrated", resolve);
      for (const href of [...modules.alsoNeeded, modules.entry]) {
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
          if (altered) throw new Error("The page is not as the server wrote it.");
          Object.assign(window, { __reactRouterRouteModules: byId });
          return import(/* @vite-ignore */ modules.entry);
        })
        .catch(reject);
      setTimeout(reject, timeoutMs);
    });
    return hydrated;
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
  for (const place of document.querySelectorAll(places)) observer.observe(place);

  const touched = (event: Event) => {
    if ((event.target as Element).closest?.(places)) load().catch(() => {});
  };
  for (const type of ["pointerdown", "focusin", "change", "dragenter"]) {
    document.addEventListener(type, touched, { capture: true, passive: true });
  }

  let done = false;
  let holding = false;
  document.addEventListener("hydrated", () => {
    done = true;
  });
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target as HTMLFormElement;
      const submitter = (event as SubmitEvent).submitter as HTMLButtonElement | null;
      // Removing a held file is a plain post, with script and without.
      if (done || !form.closest(places) || submitter?.name === "remove") return;
      event.preventDefault();
      event.stopPropagation();
      // Clicked again while it waits, it is still one submit.
      if (holding) return;
      holding = true;
      submitter?.setAttribute("aria-busy", "true");
      const goOn = () => {
        done = true;
        submitter?.removeAttribute("aria-busy");
        form.requestSubmit(submitter);
      };
      // Not at once, if loading has failed already: a form cannot be submitted from its own submit event.
      load()
        .catch(() => {})
        .then(() => setTimeout(goOn));
    },
    { capture: true },
  );
}
