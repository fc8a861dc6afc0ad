import {
  connectionWords,
  connectionFlags,
  outputFlags,
  type CommonFlags,
  maxAgeFlag,
  mirrorFlags,
} from '../../kit/flags/common.js';
import {
  filledBySyncs,
  oldestSync,
  syncOld,
  findMirror,
  noMirror,
  neverRead,
  reportAge,
  syncedText,
} from '../../names/mirror/open.js';
import { locateMirror, serviceOfMirror } from '../../names/mirror/location.js';
import { profileOf } from '../../kit/session/profile-store.js';
import { type Context, canAsk } from '../../kit/host/context.js';
import { confirm, ask, type Choice } from '../../kit/host/prompt.js';
import {
  searchedTables,
  mostLength,
  questionOf,
  type Question,
  type SearchedValue,
} from '../../mirror/search/match.js';
import { sourcesIn, type SourceState, readRecordJson } from '../../mirror/sources.js';
import { tableNamed, damaged as damagedMirror } from '../../mirror/tables.js';
import type { Database } from '../../state/sqlite/open.js';
import { neutralGroup, option, switchFlag, type Values } from '../../kit/flags/define.js';
import { pagingFlags } from '../../lists/list-flags.js';
import { perhaps, usage, RelctlError } from '../../core/errors/relctl-error.js';
import { nearest, shellCommand } from '../../core/text/text.js';
import { note } from '../../kit/host/notes.js';
import { needsAllRecords, printRecords, printUpTo } from '../../kit/output/open-output.js';
import { inRole, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { dateTime, guid, string } from '../../contract/scalars.js';
import { isGuid } from '../../core/text/scalars.js';
import { isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import { truncate } from '../../formats/layout/width.js';
import { findRows, type Hit } from '../../mirror/search/find.js';

const types = searchedTables.map(({ type }) => type);

function typesIn(text: string, flag: string): readonly string[] {
  const names = text.split(',').map((word) => word.trim());
  const unknown = names.find((word) => !types.includes(word));
  if (unknown === undefined) return names;
  throw usage(
    flag,
    `${flag}: there is no type '${unknown}'; the types are ${types.join(', ')}`,
    perhaps(unknown, nearest(unknown, types)),
  );
}

/** Hits that are shown when no limit is given: more are no answer to a question. */
const usualLimit = 20;

/** Flags of `find`. */
export const findFlags = {
  ...connectionFlags,
  ...mirrorFlags,
  ...maxAgeFlag,
  ...neutralGroup('FIND', {
    type: option(typesIn, { helpValue: 'A,B', offers: types })({
      summary: 'Only these types: relation,telephone,product.',
    }),
    gone: switchFlag({ summary: 'Also show records that the service no longer has.' }),
  }),
  limit: {
    ...pagingFlags.limit,
    summary: `Show at most this many; the default is ${usualLimit}, and all for --count and --query.`,
    helpGroup: 'FIND',
  },
  ...outputFlags,
};

type FindFlags = Values<typeof findFlags> & CommonFlags;

interface SearchedMirror {
  readonly database: Database;
  /** When the oldest of what is searched in it was synced; undefined when nothing was. */
  readonly syncedAt: string | undefined;
  readonly sources: readonly SourceState[];
  /** Tables that are searched and that no sync has filled: those of --type, and those that something should fill. */
  readonly unfilled: readonly string[];
}

async function makeMirror(context: Context, flags: FindFlags): Promise<void> {
  const message = 'There is no mirror to search yet. Read the lists of the service into one now?';
  if (!canAsk(context, flags) || !(await confirm(context, message, { initial: true })))
    throw noMirror(locateMirror(context, flags));
  const mirrorFlag = flags.mirror === undefined ? [] : [`--mirror=${flags.mirror}`];
  await context.runCommand('mirror:sync', [...mirrorFlag, ...connectionWords(flags)]);
}

/**
 * Opens the mirror of the profile, after a sync when what is searched is older than --max-age; where there is none, offers in
 * a terminal to make it. Throws `not-found` without a mirror, `profile` for that of another service, `local`, and what a sync
 * throws.
 */
async function openSearched(context: Context, flags: FindFlags): Promise<SearchedMirror> {
  const service = serviceOfMirror(profileOf(context, flags));
  const tables = searchedTables.filter(({ type }) => flags.type?.includes(type) ?? true).map(({ table }) => table);
  const there = findMirror(context, flags, service);
  const sources = there === undefined ? [] : sourcesIn(there);
  const isSynced = await syncOld(context, flags, { sources, tables, mirror: flags.mirror });
  if (there === undefined && !isSynced) await makeMirror(context, flags);
  const database = there === undefined || isSynced ? findMirror(context, flags, service) : there;
  if (database === undefined) throw noMirror(locateMirror(context, flags));
  const filling = sourcesIn(database);
  const question =
    flags.type === undefined ? tables.filter((table) => filling.some((each) => each.table === table)) : tables;
  const unfilled = question.filter((table) => filledBySyncs(filling, tableNamed(table)) === 'none');
  return { database, syncedAt: oldestSync(filling, tables), sources: filling, unfilled };
}

/** What `find` prints. */
export const FindLine = recordWithoutPresence('Found', 'A match in the mirror.', {
  Type: req(string, 'Type of the record: relation, relationship, telephone, product, mark and others.'),
  Name: inRole('name', opt(string, 'Its name; of a telephone number the name of the relation.')),
  Column: opt(string, 'Column of the mirror that matches.'),
  Text: inRole('key', opt(string, 'Value that matches.')),
  Id: req(guid, 'Id of the record; of a telephone number the Id of the relation.'),
  GoneAt: opt(dateTime, 'When the service no longer had it; with --gone.'),
});

/** What matched, of which a name that is shown anyway says least. */
const matchedValue = ({ name, match: { values } }: Hit): SearchedValue | undefined =>
  values.find(({ text }) => text !== name) ?? values[0];

function lineOf(hit: Hit): RecordValue {
  const { type, id, name, goneAt } = hit;
  const value = matchedValue(hit);
  return {
    Type: type,
    Name: name ?? null,
    Column: value?.column ?? null,
    Text: value?.text ?? null,
    Id: id,
    GoneAt: goneAt ?? null,
  };
}

const damaged = ({ mirror }: Pick<FindFlags, 'mirror'>, what: string): RelctlError =>
  damagedMirror(what).but(mirror === undefined ? { hint: 'relctl mirror remove --all' } : {});

/** Throws `local` for an Id that is not a GUID: it would stand in commands that are pasted, and in those of scripts. */
function checkId(flags: Pick<FindFlags, 'mirror'>, { table, id }: Pick<Hit, 'table' | 'id'>): void {
  if (!isGuid(id)) throw damaged(flags, `an Id in ${table} that is not a GUID, '${id.slice(0, 100)}'`);
}

/** How many hits are printed, and how many are looked for: what is asked of all is not asked of the best ones. */
function limitsOf(flags: FindFlags): { readonly printed: number; readonly found: number } {
  const { limit, where, query, count } = flags;
  const printed = limit ?? (count || query !== undefined ? Number.MAX_SAFE_INTEGER : usualLimit);
  const isAll = needsAllRecords(flags) || where !== undefined;
  return { printed, found: isAll ? Number.MAX_SAFE_INTEGER : printed + 1 };
}

function hitsIn({ database, unfilled, sources }: SearchedMirror, flags: FindFlags, question: Question): readonly Hit[] {
  const { gone, type: types } = flags;
  const hits = findRows(database, { question, types, limit: limitsOf(flags).found, gone });
  const [first] = unfilled;
  if (hits.length === 0 && first !== undefined) throw neverRead(sources, first);
  // A telephone number may have no relation.
  for (const hit of hits) if (hit.id !== '' || hit.type !== 'telephone') checkId(flags, hit);
  return hits;
}

async function print(context: Context, flags: FindFlags, text: string): Promise<void> {
  // What is no question needs no mirror to be said.
  const question = questionOf(text);
  const mirror = await openSearched(context, flags);
  const hits = hitsIn(mirror, flags, question);
  // With --gone a table says which records are there no longer.
  const table = ['Type', 'Name', 'Id', 'Text', 'Column', ...(flags.gone ? ['GoneAt'] : [])];
  const request = { flags, record: FindLine, shape: 'list', table, limit: limitsOf(flags).printed } as const;
  await printUpTo(context, request, { batches: [hits.map(lineOf)], more: 'there are more matches' });
  if (mirror.unfilled.length > 0)
    await note(context, flags, `not searched, because it was never read: ${mirror.unfilled.join(', ')}`);
  await reportAge(context, flags, mirror.syncedAt);
}

const ofRelation: ReadonlySet<string> = new Set(['relation', 'telephone']);

function mirroredRecord(database: Database, flags: FindFlags, { table, id }: Hit): RecordValue {
  const json = readRecordJson(database, tableNamed(table), id);
  if (json === undefined) throw new RelctlError('bug', `the mirror has no record ${id} in ${table}`);
  try {
    const record = JSON.parse(json) as Value;
    if (isRecord(record)) return record;
  } catch {
    // Told below.
  }
  throw damaged(flags, `a record in ${table} that is not JSON`);
}

const idIn = (record: RecordValue, name: string): readonly string[] => {
  const id = record[name];
  return typeof id === 'string' ? [id] : [];
};

function nextOf({ type, id }: Hit, record: RecordValue): readonly (readonly string[])[] {
  if (ofRelation.has(type)) {
    return [
      ['relation', 'activities', id],
      ['relation', 'marks', id],
    ];
  }
  if (type === 'relationship') return idIn(record, 'ChildRelationId').map((child) => ['relation', 'get', child]);
  if (type === 'product') return [['product', 'get', id]];
  if (type === 'activity' || type === 'relation-activity') {
    return [
      ['activity', 'connected', id],
      ['activity', 'involved', id],
    ];
  }
  return [];
}

interface FindRun {
  readonly context: Context;
  readonly flags: FindFlags;
  /** Runs a command of this program, which prints what it prints: its id, and the words behind it. */
  readonly run: (id: string, argv: readonly string[]) => Promise<void>;
}

/** Prints the record of a hit: a relation as the service has it now, any other as the mirror has it; and commands that go on from it. */
async function showRecord({ context, flags, run }: FindRun, database: Database, hit: Hit): Promise<void> {
  const connection = connectionWords(flags);
  const isLive = ofRelation.has(hit.type);
  checkId(flags, hit);
  const record = isLive ? {} : mirroredRecord(database, flags, hit);
  const next = nextOf(hit, record);
  for (const [, , id = ''] of next) checkId(flags, { table: hit.table, id });
  if (isLive) await run('relation:get', [hit.id, ...connection]);
  else await printRecords(context, { flags, record: tableNamed(hit.table).record, shape: 'single' }, () => [record]);
  const lines = next.map((words) => `  ${shellCommand([...words, ...connection])}\n`);
  if (lines.length > 0) await context.streams.err.write(`\nNext:\n${lines.join('')}`);
}

function titleOf(hit: Hit): string {
  const { type, name, goneAt } = hit;
  const searchedValue = matchedValue(hit);
  const matched = searchedValue === undefined || searchedValue.text === name ? [] : [searchedValue.text];
  return [name ?? '', type, ...matched, ...(goneAt === undefined ? [] : ['gone'])].join('  ');
}

/** Columns that the prompt puts before a line, and one that stays free. */
const beside = 3;

/** Asks in the terminal what to look for, and answers while it is typed; then prints the card of the record that was chosen. */
async function search(findRun: FindRun, mirror: SearchedMirror): Promise<void> {
  const { context, flags } = findRun;
  const { database, syncedAt } = mirror;
  const hits = new Map<string, Hit>();
  const { limit = usualLimit, gone, type: types } = flags;
  const find = (typed: string): readonly Choice[] => {
    if (typed.trim() === '') return [];
    // The window may have another width by now.
    const width = (context.streams.err.width ?? 80) - beside;
    const rows = findRows(database, { question: questionOf(typed), types, limit, gone });
    return rows.map((hit, at) => {
      const value = `${typed} ${at}`;
      hits.set(value, hit);
      return { value, line: truncate(titleOf(hit), width) };
    });
  };
  const explain = `Searches the mirror, ${syncedAt === undefined ? 'never synced' : syncedText(context, syncedAt)}.`;
  const { hit: chosen } = await ask(
    [{ kind: 'search', name: 'hit', message: 'Find:', explain, most: mostLength, find }],
    context.streams.prompt,
  );
  const hit = hits.get(String(chosen));
  if (hit !== undefined) await showRecord(findRun, database, hit);
}

/**
 * Finds records of the mirror by words or a number; without them, asks in a terminal. Throws `usage`, `not-found` when there
 * is no mirror, `profile` for that of another service, `local`, `interrupted`, and what a sync or a call throws.
 */
export async function find(findRun: FindRun, words: readonly string[]): Promise<void> {
  const { context, flags } = findRun;
  if (words.length > 0) return print(context, flags, words.join(' '));
  if (!canAsk(context, flags)) throw usage('TEXT', 'TEXT is missing: what to search for', 'relctl find --help');
  await search(findRun, await openSearched(context, flags));
}
