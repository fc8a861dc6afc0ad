import { setImmediate as turn } from 'node:timers/promises';
import { refuseWith } from '../../cli/operations/legacy.js';
import { openOutput } from '../../cli/output/open-output.js';
import { isSeen, syncOld } from '../../cli/mirror/age.js';
import { serviceOfMirror } from '../../cli/names/open-mirror.js';
import { openSession, profileOf, type Session } from '../../cli/session/session.js';
import { operations } from '../../contract/service.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { note } from '../../host/notes.js';
import { openProgress } from '../../host/progress.js';
import { ageText } from '../../lexical/time/age.js';
import { openWalk } from '../../lists/run.js';
import { sourcesIn } from '../../mirror/sqlite/schema/source.js';
import { cellText } from '../../output/cell.js';
import { escapeForTerminal } from '../../output/escape.js';
import type { RecordValue } from '../../plain/value.js';
import { missingRecord, recordIn } from '../../records/missing.js';
import { openDatabase, type Database } from '../../sqlite/open.js';
import { openTables } from '../../cli/mirror/open.js';
import { Edges } from './edges.js';
import { TreeRow, type TreeFlags } from './flags.js';
import { mostDrawn, nodesBelow, topRow, type Node } from './walk.js';
import { jsonIn } from '../../mirror/damaged.js';

const { RelationGet, RelationshipGetAll } = operations;

/** A relation with the relationships among which its tree is found. */
interface Found {
  readonly relation: RecordValue;
  readonly edges: Edges;
  /** Undefined where a mirror was read. */
  readonly session: Session | undefined;
}

interface Run {
  readonly context: Context;
  readonly flags: TreeFlags;
  readonly id: string;
}

/** What is read of a mirror. */
const tables = ['relations', 'relationships'];

/** The relation in a mirror that has its relations and relationships. */
async function inMirror({ context, flags, id }: Run, database: Database): Promise<Found | undefined> {
  const times = tables.map((name) => sourcesIn(database).find((source) => source.name === name)?.syncedAt);
  const [oldest] = times.toSorted();
  if (times.includes(undefined) || oldest === undefined) return undefined;
  const age = ageText(context.clock.date().getTime() - Date.parse(oldest));
  // In cron nothing is said of what is as usual.
  if (isSeen(context)) await note(context, flags, `from the mirror, synced ${age}; --live asks the service`);
  const row = database
    .statement('SELECT "_record" FROM "relations" WHERE "Id" IN (?, ?, ?)')
    .first(id, id.toLowerCase(), id.toUpperCase());
  if (row === undefined) {
    throw new RelctlError('not-found', `there is no relation ${id} in the mirror, synced ${age}`, {
      advice: 'With --live the service is asked.',
      hint: 'relctl mirror sync',
    });
  }
  const edges = new Edges(database);
  edges.addMirrored();
  return { relation: jsonIn(String(row[0])) as RecordValue, edges, session: undefined };
}

/** The relation at the service, and all relationships, page by page. */
async function atService({ context, flags, id }: Run): Promise<Found> {
  const session = await openSession(context, flags);
  const reply = await session.client.call(RelationGet, {
    relationId: id,
    includeFields: false,
    includeCounters: false,
  });
  const brought = { result: reply.result as unknown as RecordValue, notes: reply.notes };
  const wanted = { operation: RelationGet, member: 'Relation', words: `there is no relation ${id}` };
  const relation = recordIn(brought, wanted);
  if (relation === undefined) throw missingRecord(brought, wanted);
  const database = openDatabase({ file: '', what: 'The temporary database' });
  context.onClose(() => database.close());
  const edges = new Edges(database);
  const progress = openProgress(context, { ...flags, progress: false });
  const list = { operation: RelationshipGetAll, input: { includeFields: false }, shows: 'Relationships', table: [] };
  const others = { ...flags, output: undefined, filter: undefined, sort: undefined };
  for await (const page of openWalk({ context, session, flags: others }, list)()) {
    edges.add(page.records);
    progress.page(page.records.length);
  }
  await progress.end();
  return { relation, edges, session };
}

function opened({ context, flags }: Run): Promise<Database | undefined> {
  const service = serviceOfMirror(profileOf(context, { profile: flags.profile }));
  return openTables(context, flags, { tables, service });
}

/** The mirror, after a sync when it is older than --max-age. */
async function openedFresh(run: Run): Promise<Database | undefined> {
  const { context, flags } = run;
  const { to, schema } = flags;
  const database = await opened(run);
  const sources = database === undefined ? [] : sourcesIn(database);
  return (await syncOld(context, flags, { sources, tables, to, schema })) ? opened(run) : database;
}

async function found(run: Run): Promise<Found> {
  if (!run.flags.live) {
    const database = await openedFresh(run);
    const mirrored = database === undefined ? undefined : await inMirror(run, database);
    if (mirrored !== undefined) return mirrored;
  }
  return atService(run);
}

const roles = { IsOrganisation: 'organisation', IsContact: 'contact', IsEmployee: 'employee', IsInactive: 'inactive' };

const repeat = { IsRepeat: 'see above' };
const circle = { IsCircle: 'in a circle: it stands above' };

/** Columns that a branch takes. */
const branchWidth = 3;

/** Levels that are drawn where lines are so wide: branches take half of a line at most, and names have the rest. */
const drawnIn = (width = Number.POSITIVE_INFINITY): number =>
  Math.max(1, Math.min(mostDrawn, Math.floor(width / 2 / branchWidth)));

/**
 * A relation as a line of the drawing; one that is too deep to be drawn has its level before its name.
 * @param drawn levels that are drawn
 */
function lineOf({ row, isLast: all }: Node, drawn: number): string {
  const isLast = all.length <= drawn ? all : [...all.slice(0, drawn - 1), all.at(-1) === true];
  const branches = isLast.map((last, at) => (at === isLast.length - 1 ? (last ? '└─ ' : '├─ ') : last ? '   ' : '│  '));
  const told = Object.entries(row['IsCircle'] === true ? { ...roles, ...circle } : { ...roles, ...repeat }).flatMap(
    ([name, word]) => (row[name] === true ? [word] : []),
  );
  const name = escapeForTerminal(cellText(row['DisplayName'])).trim();
  const depth = cellText(row['Depth']);
  const level = Number(depth) > drawn ? `[level ${depth}]` : '';
  const parts = [
    level,
    name,
    told.length === 0 ? '' : `(${told.join(', ')})`,
    escapeForTerminal(cellText(row['RelationId'])),
  ];
  return `${branches.join('')}${parts.filter((part) => part !== '').join('  ')}\n`;
}

/** Flags that say what is shown of rows mean nothing in a drawing. */
const rowFlags = ({ columns, filter, query, sort, count, 'output-file': file }: TreeFlags) => ({
  '--columns': columns,
  '--filter': filter,
  '--query': query,
  '--sort': sort,
  '--count': count,
  '--output-file': file,
});

/** True when the tree is drawn: it is asked for, or nothing else is. */
function isDrawn(flags: TreeFlags, session: Session | undefined): boolean {
  if (flags.output !== undefined) return flags.output === 'tree';
  const others = Object.values(rowFlags(flags)).some((value) => value !== undefined && value !== false);
  return !others && !flags.json && session?.output === undefined;
}

const batchRows = 200;

async function printed({ context, flags, id }: Run, { relation, edges, session }: Found): Promise<void> {
  const isDrawing = isDrawn(flags, session);
  const { output, ...others } = flags;
  const rowsTo = isDrawing
    ? undefined
    : await openOutput(context, session, {
        flags: { ...others, output: output === 'tree' ? undefined : output },
        record: TreeRow,
        shape: 'list',
        table: ['Depth', 'DisplayName', 'IsOrganisation', 'IsContact', 'IsEmployee', 'RelationId'],
      });
  const drawn = drawnIn(context.streams.out.width);
  const write = (nodes: readonly Node[]): Promise<void> =>
    rowsTo === undefined
      ? context.streams.out.write(nodes.map((node) => lineOf(node, drawn)).join(''))
      : rowsTo.write(nodes.map(({ row }) => row));
  let batch: Node[] = [{ row: topRow(relation), isLast: [] }];
  for (const node of nodesBelow(edges, id, flags.depth ?? Number.POSITIVE_INFINITY)) {
    batch.push(node);
    if (batch.length < batchRows) continue;
    context.signal.throwIfAborted();
    await write(batch);
    batch = [];
    // The driver gives back what its results took only between turns of the event loop.
    await turn();
  }
  await write(batch);
  await rowsTo?.finish();
}

/**
 * Shows a relation with what is below it: organisations, contacts, employees. From the mirror, where there is one, else by
 * reading all relationships. Throws `not-found` and `usage`, and what the calls throw.
 */
export async function showTree(run: Run): Promise<void> {
  const { flags } = run;
  if (flags.live && flags['max-age'] !== undefined) {
    throw usage('--max-age', '--max-age is for a tree from the mirror, and --live asks the service', {
      advice: 'Give one of them.',
    });
  }
  if (flags.output === 'tree') refuseWith('-o tree', { ...rowFlags(flags), '--json': flags.json });
  const tree = await found(run);
  tree.edges.complete();
  await printed(run, tree);
}
