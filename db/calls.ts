import type { Operation, OperationName } from "./operation.ts";
import { operations } from "./operations/index.ts";
import type { Operations } from "./store.ts";

export type AnyOperation = Operation<unknown[], unknown>;

/** A call of an operation: its name and its arguments. */
export interface Call {
  name: OperationName;
  args: unknown[];
}

export const operationOf = ({ name }: { name: OperationName }) =>
  operations[name] as unknown as AnyOperation;

/** The operations of a store, implemented by a function that runs any call. */
export function operationsVia(call: (call: Call) => Promise<unknown>): Operations {
  const names = Object.keys(operations) as OperationName[];
  const methods = names.map((name) => [name, (...args: unknown[]) => call({ name, args })]);
  return Object.fromEntries(methods) as Operations;
}
