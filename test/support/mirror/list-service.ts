import { rowsAnswered } from '../../../src/client/list-answer.js';
import { readPages } from '../../../src/client/pages.js';
import type { FetchPage } from '../../../src/client/paging.js';
import type { Difference, Mirror, SourceState } from '../../../src/mirror/store.js';
import { tableNamed } from '../../../src/mirror/tables.js';
import type { RecordValue } from '../../../src/plain/value.js';
import { valueAt } from '../../../src/tables/cells.js';

/** A list that a test changes as it likes. */
export interface ListService {
  records: readonly RecordValue[];
  /** Called before each page is given. */
  onPage?: (number: number) => unknown;
}

/** How a list is read. */
export interface Reading {
  readonly pageSize: number;
  /** When the sync begins, as ISO text. */
  readonly at: string;
}

/** Reads the list of a source into its mirror as `mirror sync` does, and makes it visible. */
export async function syncFrom(
  service: ListService,
  mirror: Mirror,
  given: Reading & { readonly source: string },
): Promise<Difference> {
  const { pageSize, at } = given;
  const source = (await mirror.sources()).find(({ name }) => name === given.source) as SourceState;
  const { idColumn } = tableNamed(source.table);
  const fetch: FetchPage = async (number) => {
    await service.onPage?.(number);
    const from = (number - 1) * pageSize;
    return { ...rowsAnswered(service.records.slice(from, from + pageSize)), attempts: 1 };
  };
  const pass = await mirror.openPass(source, { startedAt: at, calls: `pages of ${pageSize}` });
  for (;;) {
    const { resume } = pass;
    const pages = readPages(fetch, {
      firstPage: 1,
      pageSize,
      prefetch: 0,
      idOf: (record) => {
        const id = valueAt(record, idColumn.split('_'));
        return typeof id === 'string' ? id : undefined;
      },
      signal: new AbortController().signal,
      ...(resume === undefined ? {} : { resume }),
    });
    let step = await pages.next();
    for (; step.done !== true; step = await pages.next()) await pass.take(step.value);
    const found = await pass.ended(step.value);
    if (found.missing === 0 && !found.isRestless) break;
  }
  return pass.swap(at);
}
