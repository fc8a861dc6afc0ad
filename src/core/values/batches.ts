import { charactersOf, type RecordValue } from './value.js';

/** Items in arrays of at most so many. */
export function* inBatches<T>(items: Iterable<T>, size: number): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const mostCharactersOfBatch = 4 * 1024 * 1024;

/** Records in arrays of at most so many; fewer where their texts are long. */
export function* recordBatches(records: Iterable<RecordValue>, size: number): Generator<readonly RecordValue[]> {
  let batch: RecordValue[] = [];
  let characters = 0;
  for (const record of records) {
    batch.push(record);
    characters += charactersOf(record);
    if (batch.length < size && characters < mostCharactersOfBatch) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

const rowsAtOnce = 1000;

/** Writes items in batches, so that memory stays bounded, until a write gives false: no more are needed. */
export async function writeInBatches<T>(
  items: Iterable<T> | AsyncIterable<T>,
  write: (batch: readonly T[]) => Promise<unknown>,
): Promise<void> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < rowsAtOnce) continue;
    if ((await write(batch)) === false) return;
    batch = [];
  }
  if (batch.length > 0) await write(batch);
}
