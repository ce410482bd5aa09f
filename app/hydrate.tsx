import { type ComponentType, type ReactNode, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";

/** Hydrates what the server rendered into the element; resolves once its event handlers are attached. */
export function hydrate<Props extends object>(
  element: HTMLElement,
  Island: ComponentType<Props>,
  props: Props,
): Promise<void> {
  return new Promise((resolve) => {
    hydrateRoot(
      element,
      <Hydrated onHydrated={resolve}>
        <Island {...props} />
      </Hydrated>,
    );
  });
}

function Hydrated({ onHydrated, children }: { onHydrated: () => void; children: ReactNode }) {
  useEffect(onHydrated, [onHydrated]);
  return children;
}
