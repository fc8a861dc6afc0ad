import type { Operation, RecordType } from '../contract/build.js';
import { readPages, type Claim } from '../client/pages.js';
import type { FetchPage } from '../client/paging.js';
import { RelctlError } from '../errors/relctl-error.js';
import { isRecord, type Note, type RecordValue } from '../soap/values.js';
import type { Context } from './context.js';
import { printEnvelope } from './dry-run.js';
import type { ConnectionFlags } from './flags/connection.js';
import type { OutputFlags } from './flags/output.js';
import { pagingOf, type PagingFlags } from './flags/paging.js';
import { collectNotes, note, warnOfNotes } from './notes.js';
import { openOutput, type RecordOutput } from './record-output.js';
import type { Session } from './session.js';

/** Pages under way beyond the one being written. */
const prefetch = 2;

/** A list to fetch and to print. */
export interface ListPlan {
  readonly operation: Operation;
  /** The request without its page number and size. */
  readonly input: RecordValue;
  /** Member of the result that holds the list. */
  readonly shows: string;
  /** Columns of a table when none are asked for. */
  readonly table: readonly string[];
  /** Id of a record; the default is its member Id. */
  readonly idOf?: (record: RecordValue) => string | undefined;
  /** Looks at the result of an operation without pages; throws when it says that there is nothing to list. */
  readonly check?: (result: RecordValue) => void;
  /** The record type as it is printed, and how a record becomes one, when it is printed otherwise than it came. */
  readonly printed?: { readonly type: RecordType; readonly of: (record: RecordValue) => RecordValue };
}

/** Flags of a list. */
export type ListFlags = ConnectionFlags & PagingFlags & OutputFlags;

/** Where a plan runs. */
export interface Place {
  readonly context: Context;
  readonly session: Session;
  readonly flags: ListFlags;
}

function itemType({ operation, shows }: ListPlan): RecordType {
  const type = operation.result[shows]?.type;
  if (type?.kind === 'list' && type.item.kind === 'record') return type.item;
  throw new RelctlError('bug', `${operation.name} has no list of records named ${shows}`);
}

function ownId(record: RecordValue): string | undefined {
  const id = record['Id'];
  return typeof id === 'string' ? id : undefined;
}

function recordsOf(result: RecordValue, member: string): readonly RecordValue[] {
  const rows = result[member];
  if (!Array.isArray(rows)) return [];
  return rows.filter(isRecord);
}

function claimNotes(claim: Claim, what: string): string[] {
  const notes: string[] = [];
  if (claim.duplicates > 0) {
    notes.push(`${claim.duplicates} ${what} moved while the list was read; each was written once`);
  }
  if (claim.ended === 'limit' && claim.more) notes.push(moreExist(what));
  return notes;
}

const moreExist = (what: string): string => `stopped at --limit: more ${what} exist`;

function fetchPages(session: Session, plan: ListPlan, notes: Note[]): FetchPage {
  const { operation, input, shows } = plan;
  return async (pageNumber, signal) => {
    const { pageSize } = session.connection;
    const reply = await session.client.callUntyped(operation, { ...input, pageNumber, pageSize }, { signal });
    collectNotes(notes, reply.notes);
    return { records: recordsOf(reply.result, shows), attempts: reply.attempts };
  };
}

type Write = (records: readonly RecordValue[]) => Promise<void>;

async function writePages({ context, session, flags }: Place, plan: ListPlan, write: Write): Promise<string[]> {
  const { firstPage, pageSize } = session.connection;
  const notes: Note[] = [];
  const { idOf = ownId } = plan;
  const paging = { ...pagingOf(flags), firstPage, pageSize, prefetch, idOf, signal: context.signal };
  const pages = readPages(fetchPages(session, plan, notes), paging);
  let step = await pages.next();
  for (; step.done !== true; step = await pages.next()) await write(step.value.records);
  await warnOfNotes(context, flags, notes);
  return claimNotes(step.value, plan.shows.toLowerCase());
}

async function writeWhole({ context, session, flags }: Place, plan: ListPlan, write: Write): Promise<string[]> {
  const { limit } = pagingOf(flags);
  const reply = await session.client.callUntyped(plan.operation, plan.input);
  plan.check?.(reply.result);
  const records = recordsOf(reply.result, plan.shows);
  const isCut = limit !== undefined && records.length > limit;
  await write(isCut ? records.slice(0, limit) : records);
  await warnOfNotes(context, flags, reply.notes);
  return isCut ? [moreExist(plan.shows.toLowerCase())] : [];
}

function shownInput({ session, flags }: Place, { operation, input }: ListPlan): RecordValue {
  if (operation.paged === undefined) return input;
  const { firstPage, pageSize } = session.connection;
  return { ...input, pageNumber: pagingOf(flags).onlyPage ?? firstPage, pageSize };
}

function writer(output: RecordOutput, { printed }: ListPlan): Write {
  // What untyped members hold is plain data too; the type of records on the wire cannot say so.
  return (records) => output.write(printed === undefined ? records : records.map(printed.of));
}

/**
 * Fetches a list to its end, page by page where the operation has pages, and prints every record once (interface
 * document, Limits). Throws what the calls throw.
 */
export async function runList(place: Place, plan: ListPlan): Promise<void> {
  const { context, session, flags } = place;
  const { operation, table } = plan;
  if (flags['dry-run'] === true) {
    return printEnvelope(context, session.connection, { operation, input: shownInput(place, plan) });
  }
  const record = plan.printed?.type ?? itemType(plan);
  const output = await openOutput(context, session, { flags, record, shape: 'list', table });
  const write = writer(output, plan);
  const lines = await (operation.paged === undefined ? writeWhole : writePages)(place, plan, write);
  await output.finish();
  for (const line of lines) await note(context, flags, line);
}
