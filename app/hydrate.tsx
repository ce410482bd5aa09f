import { type ComponentType, type ReactNode, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";

/**
 * Hydrates what the server rendered into the element; resolves to true once its event handlers are attached. If the
 * island throws, then or later, the element has the server's HTML again, with what was typed and chosen in it.
 */
export function hydrate<Props extends object>(
  element: HTMLElement,
  Island: ComponentType<Props>,
  props: Props,
): Promise<boolean> {
  // React takes them out whole when an island throws.
  const nodes = [...element.childNodes];
  return new Promise((resolve) => {
    hydrateRoot(
      element,
      <Hydrated onHydrated={() => resolve(true)}>
        <Island {...props} />
      </Hydrated>,
      {
        onUncaughtError(error) {
          reportError(error);
          // React has yet to empty the element.
          setTimeout(() => {
            element.replaceChildren(...nodes);
            openForm(element);
            resolve(false);
          });
        },
      },
    );
  });
}

/** Has a form work without script again, whatever state its island was in. */
function openForm(element: HTMLElement): void {
  for (const inert of element.querySelectorAll<HTMLElement>("[inert]")) inert.inert = false;
  for (const dialog of element.querySelectorAll("dialog")) {
    dialog.close();
    dialog.open = true;
  }
}

function Hydrated({ onHydrated, children }: { onHydrated: () => void; children: ReactNode }) {
  useEffect(onHydrated, []);
  return children;
}
