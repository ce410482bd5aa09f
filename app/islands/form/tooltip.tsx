import * as Radix from "@radix-ui/react-tooltip";

/** Fixed by the specification. */
const openAfterMs = 700;
const skipWithinMs = 300;
const offsetPx = 4;

export interface TooltipProps {
  hint: string;
  children: React.ReactElement;
}

export default function Tooltip({ hint, children }: TooltipProps) {
  return (
    <Radix.Provider delayDuration={openAfterMs} skipDelayDuration={skipWithinMs}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Content className="tooltip" sideOffset={offsetPx}>
          {hint}
        </Radix.Content>
      </Radix.Root>
    </Radix.Provider>
  );
}
