import type { OperationName, Operations } from "./store.ts";

/** A call of an operation: its name and its arguments. */
export interface Call {
  name: OperationName;
  args: unknown[];
}

/**
 * The operations of a store, implemented by a function that runs any call.
 * @param names all names: a server does not load the operations themselves, which run in its database's thread
 */
export function operationsVia(
  names: OperationName[],
  call: (call: Call) => Promise<unknown>,
): Operations {
  const methods = names.map((name) => [name, (...args: unknown[]) => call({ name, args })]);
  return Object.fromEntries(methods) as Operations;
}
