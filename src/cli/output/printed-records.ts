import type { Command } from '@oclif/core';
import { recordWithoutPresence, type Field, type Operation, type RecordType, type Type } from '../../contract/build.js';
import { findOperation } from '../../contract/service.js';
import { fieldEntries, fullResult } from '../../contract/walk.js';

/** A command as it was loaded, with what it says of the records that it prints. */
export type LoadedCommand = Command.Class & {
  readonly operations?: readonly string[];
  prints?(): readonly RecordType[];
};

const recordOf = ({ type }: Field): readonly RecordType[] => {
  const inner: Type = type.kind === 'list' ? type.item : type;
  return inner.kind === 'record' ? [inner] : [];
};

/** The whole result of an operation, as `call` prints it. */
export const wholeResult = (operation: Operation): RecordType =>
  recordWithoutPresence(operation.name, operation.doc, fullResult(operation));

/** The operations that a command may call. */
export const operationsOf = ({ operations = [] }: LoadedCommand): readonly Operation[] =>
  operations.map(findOperation).filter((operation) => operation !== undefined);

/** Records that a command may print. */
export interface PrintedRecord {
  readonly type: RecordType;
  /** The operation that it comes from, where that is not the usual one of the command. */
  readonly operation?: string;
}

function recordsOf(operation: Operation, at: number): readonly PrintedRecord[] {
  const results = fieldEntries(operation.result).flatMap(([, field]) => recordOf(field));
  const types = results.length > 0 ? results : [wholeResult(operation)];
  return types.map((type) => (at === 0 ? { type } : { type, operation: operation.name }));
}

/** The records that a command may print: those that it names, or those of the results of its operations. */
export function printedRecords(loaded: LoadedCommand): readonly PrintedRecord[] {
  const own = loaded.prints?.() ?? [];
  return own.length > 0 ? own.map((type) => ({ type })) : operationsOf(loaded).flatMap(recordsOf);
}
