import { type RecordValue, inBatches } from '../../core/values/value.js';
import { opt, recordWithoutPresence, req, type RecordType } from '../../contract/build.js';
import { guid, string } from '../../contract/scalars.js';
import { IdSet } from '../../client/ids/id-set.js';
import type { Claim, Page } from '../../client/pages.js';
import { leadRow, recordOfRow, rowId, type IdOf, type Row } from '../../client/rows/row.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { contentDigest } from './digest.js';
import {
  writeBookmarkFile,
  type Job,
  checkBookmarkName,
  checkJob,
  filesFor,
  jobOf,
  lockName,
} from './bookmark-file.js';
import { openBookmarkFile } from './read-bookmark.js';
import { openTemporaryFile } from '../../state/temporary-file.js';
import { BitSet } from '../../core/values/bit-set.js';
import { chosenColumns, allOthers, columnNames } from '../../formats/columns.js';
import { refuseShrink } from '../export/shrink.js';
import { noRows, RowIndex, SnapshotRows } from './snapshot-rows.js';
import { commandOf } from '../../kit/host/environment.js';
import type { ChangesFlags } from '../list-flags.js';
import { refuseWith } from '../../kit/flags/define.js';
import { overflowFor } from '../rendering.js';
import {
  itemType,
  idIn,
  type ListMiddleware,
  type ListFlags,
  type ListPlan,
  type ListRun,
  type Walk,
} from '../plan.js';

const changeColumn = '_change';

/** What a run compares its list with, and what it keeps for the next one. */
interface Snapshot {
  readonly run: ListRun;
  readonly name: string;
  readonly file: string;
  readonly job: Job;
  readonly prior: RowIndex;
  readonly idOf: IdOf;
  /** What the run before kept of records. */
  readonly before: () => Iterable<readonly [id: string, kept: RecordValue]>;
  /** What is kept of a record for the next run; undefined where nothing is. */
  readonly keeps: ((record: RecordValue) => RecordValue) | undefined;
  readonly isPaged: boolean;
}

const goneBatch = 1000;

class SnapshotMiddleware implements ListMiddleware {
  readonly #snapshot: Snapshot;
  readonly #now: SnapshotRows;
  #isWhole = false;

  constructor(snapshot: Snapshot) {
    const { run, prior, keeps } = snapshot;
    const { context } = run;
    this.#snapshot = snapshot;
    const records = keeps && openTemporaryFile();
    context.onClose(() => records?.close());
    this.#now = new SnapshotRows(prior, () => overflowFor(context), records);
  }

  #idOf(record: Row): string {
    const id = rowId(record, this.#snapshot.idOf);
    if (id !== undefined) return id;
    throw new RelctlError('bad-answer', 'relctl cannot follow a record without Id from run to run', {
      facts: { code: 'no-id' },
    });
  }

  /** The records that are new or changed. What the next run shows of records that are gone then is kept of all. */
  #changes(records: readonly Row[]): readonly Row[] {
    const { keeps } = this.#snapshot;
    if (keeps !== undefined)
      this.#now.keep(records.map((record) => [this.#idOf(record), keeps(recordOfRow(record))] as const));
    return records.flatMap((record) => {
      const change = this.#now.take(this.#idOf(record), contentDigest(recordOfRow(record)));
      return change === undefined ? [] : [leadRow(changeColumn, change, record)];
    });
  }

  *#gone(): Generator<RecordValue> {
    const { prior, before } = this.#snapshot;
    const { there } = this.#now;
    if (there.size === prior.size) return;
    const reported = new BitSet(prior.size);
    for (const [id, earlier] of before()) {
      const position = prior.find(id)?.place;
      if (position === undefined || there.has(position) || !reported.add(position)) continue;
      yield { [changeColumn]: 'gone', Id: prior.idAt(position), ...earlier };
    }
    for (const index of prior.places())
      if (!there.has(index) && !reported.has(index)) yield { [changeColumn]: 'gone', Id: prior.idAt(index) };
  }

  #refuseShrink(): void {
    const { run, name, prior } = this.#snapshot;
    const shrink = {
      before: prior.size,
      now: this.#now.there.size,
      counted: 'of the records of before',
      mostPercent: run.flags['max-shrink'],
    };
    const again = commandOf(run.context.environment, ['--max-shrink']);
    refuseShrink(shrink, `the snapshot ${name}`, (flag) => `${again} ${flag}`);
  }

  /** Of the records of an operation without pages that have the same Id, the first ones. */
  #firsts(records: readonly Row[]): readonly Row[] {
    const ids = new IdSet();
    return records.filter((record) => ids.add(this.#idOf(record)));
  }

  /** Changes of the records that are in the snapshot and not in the first pass: rows may have moved while it read. */
  #lookAgain(records: readonly Row[]): readonly Row[] {
    const missed = records.filter((record) => {
      const row = this.#snapshot.prior.find(this.#idOf(record));
      return row !== undefined && !this.#now.there.has(row.place);
    });
    return this.#changes(missed);
  }

  walk(inner: Walk): Walk {
    return () => this.#walked(inner);
  }

  async *#walked(inner: Walk): AsyncGenerator<Page, Claim> {
    const { isPaged, prior } = this.#snapshot;
    let [rows, last, filled] = [0, 0, 0];
    const pages = inner();
    let step = await pages.next();
    for (; step.done !== true; step = await pages.next()) {
      const all = step.value.records;
      const records = this.#changes(isPaged ? all : this.#firsts(all));
      rows += records.length;
      filled += all.length > 0 ? 1 : 0;
      last = step.value.number;
      yield { ...step.value, records };
    }
    const claim = step.value;
    if (claim.ended !== 'empty page') return claim;
    const mayMiss = filled > 1 && this.#now.there.size < prior.size;
    for await (const records of this.#later(inner, mayMiss)) {
      rows += records.length;
      last += 1;
      yield { number: last, records, duplicates: 0, signature: '', retries: 0 };
    }
    this.#isWhole = true;
    return { ...claim, rows };
  }

  /** What is written after the pages: records that a second pass finds, where one is needed, and those that are gone. */
  async *#later(inner: Walk, mayMiss: boolean): AsyncGenerator<readonly Row[]> {
    if (mayMiss) for await (const { records } of inner()) yield this.#lookAgain(records);
    this.#refuseShrink();
    yield* inBatches(this.#gone(), goneBatch);
  }

  /** Of what is gone only what the run before kept is known; a condition on the change itself is meant. */
  isUnsure(record: RecordValue, looksAt: ReadonlySet<string>): boolean {
    if (record[changeColumn] !== 'gone' || looksAt.has(changeColumn)) return false;
    return [...looksAt].some((name) => !Object.hasOwn(record, name));
  }

  written(): void {
    const { run, name, file, job } = this.#snapshot;
    if (!this.#isWhole) throw new RelctlError('bug', 'a list was written without its end');
    const writtenAt = run.context.clock.date().toISOString();
    writeBookmarkFile(file, { profile: run.session.profile.name, name, job, writtenAt }, this.#now);
  }
}

function withChange(type: RecordType): RecordType {
  return recordWithoutPresence(type.name, type.doc, {
    [changeColumn]: req(string, 'new, changed or gone since the previous run.'),
    ...type.fields,
    ...(Object.hasOwn(type.fields, 'Id') ? {} : { Id: opt(guid, 'Id of the record.') }),
  });
}

function printedWithChange(plan: ListPlan): Pick<Required<ListPlan>, 'table' | 'printed'> {
  const { type, of } = plan.printed ?? { type: itemType(plan), of: (record: RecordValue) => record };
  return { table: [changeColumn, ...plan.table], printed: { type: withChange(type), of } };
}

/** What a snapshot stores of each record for --show: the members that its columns are of. Throws `usage` for a column that is none. */
function membersToStore(plan: ListPlan, showFlag: string | undefined): Snapshot['keeps'] {
  if (showFlag === undefined) return undefined;
  const columns = chosenColumns(itemType(plan), showFlag);
  const members = new Set(columns.map(({ path: [member = ''] }) => member));
  return (record) =>
    showFlag.trim() === allOthers
      ? record
      : Object.fromEntries(Object.entries(record).filter(([name]) => members.has(name)));
}

function columnsWithChange(columns: string | undefined): string | undefined {
  if (columns === undefined) return undefined;
  const isNamed = columnNames(columns)?.some((name) => name === allOthers || name.toLowerCase() === changeColumn);
  return isNamed === true ? columns : `${changeColumn},${columns}`;
}

/**
 * The plan of a list that gives the changes since the run before, as --changes-since asks. Throws `usage`
 * for flags that give a part of the list and for a snapshot of another job, `locked` while another run uses it, and `local`.
 */
export async function changesSince(
  run: ListRun,
  flags: ListFlags & Partial<ChangesFlags>,
  plan: ListPlan,
): Promise<{ readonly run: ListRun; readonly plan: ListPlan }> {
  const name = flags['changes-since'];
  if (name === undefined) throw usage('--show', '--show needs --changes-since', '--changes-since NAME');
  const { context, session } = run;
  refuseWith('--changes-since', { '--limit': flags.limit, '--page': flags.page, '--consistent': flags.consistent });
  checkBookmarkName(name, '--changes-since');
  const files = filesFor(context, session.profile.name, name);
  if (flags.envelope) return { run, plan };
  await lockName(context, { files, name }, run.flags);
  const bookmark = openBookmarkFile(files.kept);
  context.onClose(() => bookmark?.rows.close());
  const job = jobOf(run, plan);
  checkJob(bookmark, { name, job });
  const idOf = idIn(plan);
  const prior = new RowIndex(bookmark?.rows ?? noRows);
  const before = (): ReturnType<Snapshot['before']> => bookmark?.records() ?? [];
  const keeps = membersToStore(plan, flags.show);
  const isPaged = plan.operation.paged !== undefined;
  const middleware = new SnapshotMiddleware({ run, name, file: files.kept, job, prior, idOf, before, keeps, isPaged });
  return {
    run: {
      ...run,
      flags: { ...flags, columns: columnsWithChange(flags.columns) },
      middleware: [...(run.middleware ?? []), middleware],
    },
    plan: { ...plan, ...printedWithChange(plan) },
  };
}
