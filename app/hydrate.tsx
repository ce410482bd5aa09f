import { type ComponentType, type ReactNode, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";

/**
 * Hydrates what the server rendered into the element. Resolves to true once the event handlers are attached, to false
 * if the island throws before that. Whenever the island throws, even later, the element gets the server's HTML again,
 * with what was typed and chosen in it.
 */
export function hydrate<Props extends object>(
  element: HTMLElement,
  Island: ComponentType<Props>,
  props: Props,
): Promise<boolean> {
  // The server's nodes: React removes them when an island throws.
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
          // React empties the element after this callback, so put the nodes back in a new task.
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

/** Makes the form usable without script again, whatever state the island has left it in. */
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
