import * as Radix from "@radix-ui/react-toast";

/** The specification's constants; swiping to the right and F8 are Radix's own. */
const shownMs = 5000;
const swipeThresholdPx = 50;

/** One notice that goes by itself. Whatever it says also stands on the page. Loaded when first needed. */
export default function Toast({
  title,
  description,
  onGone,
}: {
  title: string;
  description: string;
  onGone: () => void;
}) {
  return (
    <Radix.Provider duration={shownMs} swipeDirection="right" swipeThreshold={swipeThresholdPx}>
      <Radix.Root className="toast" onOpenChange={(open) => !open && onGone()}>
        <Radix.Title className="toast-title">{title}</Radix.Title>
        <Radix.Description>{description}</Radix.Description>
        <Radix.Close className="link">Close</Radix.Close>
      </Radix.Root>
      <Radix.Viewport className="toasts" />
    </Radix.Provider>
  );
}
