import type { Operation } from '../contract/build.js';
import { findOperation, operations } from '../contract/service.js';
import type { SandboxContext } from './context.js';

/** The operations that a sandbox offers: those of the contract, and those that it was given. */
export const operationsIn = ({ more }: SandboxContext): readonly Operation[] => [
  ...Object.values(operations),
  ...[...(more?.values() ?? [])].map(({ operation }) => operation),
];

/** The operation with this exact name, if the sandbox offers it. */
export const operationIn = ({ more }: SandboxContext, name: string): Operation | undefined =>
  findOperation(name) ?? more?.get(name)?.operation;
