import type { OperationName, Operations } from "./store.ts";
import { finish } from "./whole-class.ts";

export interface Call {
  name: OperationName;
  args: unknown[];
}

/**
 * The operations of a store, implemented by a function that runs any call.
 * @param names of all operations, because a server's main thread does not load the table of operations
 */
export function operationsVia(
  names: OperationName[],
  call: (call: Call) => Promise<unknown>,
): Operations {
  // Each function takes the result of another operation, so the cast drops their types.
  const finishing = finish as unknown as Record<string, ((result: unknown) => unknown) | undefined>;
  const methods = names.map((name) => {
    const finishResult = finishing[name];
    const run = (...args: unknown[]) => call({ name, args });
    return [name, finishResult ? (...args: unknown[]) => run(...args).then(finishResult) : run];
  });
  return Object.fromEntries(methods) as Operations;
}
