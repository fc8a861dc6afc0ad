import type { Command } from '@oclif/core';
import { recordWithoutPresence, type Fields, type Operation, type RecordType } from '../../contract/build.js';
import { findOperation } from '../../contract/service.js';
import { fullResult, recordWithin } from '../../contract/walk.js';

/** A command as it was loaded, with what it says of the records that it prints. */
export type LoadedCommand = Command.Class & {
  readonly operations?: readonly string[];
  prints?(): readonly RecordType[];
};

/** The whole result of an operation, as `call` prints it. */
export const wholeResult = (operation: Operation): RecordType =>
  recordWithoutPresence(operation.name, operation.doc, fullResult(operation));

const operationsOf = ({ operations = [] }: LoadedCommand): readonly Operation[] =>
  operations.map(findOperation).filter((operation) => operation !== undefined);

/** Records that a command may print. */
export interface PrintedRecord {
  readonly type: RecordType;
  readonly operation?: string;
}

function recordsOf(operation: Operation, at: number): readonly PrintedRecord[] {
  const results = Object.entries(operation.result).flatMap(([, { type }]) => recordWithin(type) ?? []);
  const types = results.length > 0 ? results : [wholeResult(operation)];
  return types.map((type) => (at === 0 ? { type } : { type, operation: operation.name }));
}

/** Gives the operation of a name as a profile knows it. */
export type Known = (name: string) => Operation | undefined;

function importedFieldsByRecord(called: readonly Operation[]): ReadonlyMap<string, Fields> {
  const records = called.flatMap((operation) => recordsOf(operation, 0));
  return new Map(
    records.map(({ type: { name, fields } }) => [
      name,
      Object.fromEntries(Object.entries(fields).filter(([, { isExtra }]) => isExtra === true)),
    ]),
  );
}

/** The records that a command may print: its own, or those of its operations, as the profile knows them. */
export function printedRecords(loaded: LoadedCommand, known: Known = findOperation): readonly PrintedRecord[] {
  const called = operationsOf(loaded).map((operation) => known(operation.name) ?? operation);
  const own = loaded.prints?.() ?? [];
  if (own.length === 0) return called.flatMap(recordsOf);
  const extra = importedFieldsByRecord(called);
  return own.map((type) => ({ type: { ...type, fields: { ...type.fields, ...extra.get(type.name) } } }));
}
