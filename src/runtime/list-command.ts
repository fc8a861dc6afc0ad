import type { Command, Interfaces } from '@oclif/core';
import type { Operation, RecordType } from '../contract/build.js';
import type { Input } from '../contract/infer.js';
import { readPages, type Claim } from '../client/pages.js';
import type { FetchPage } from '../client/paging.js';
import { RelctlError } from '../errors/relctl-error.js';
import { isRecord, type Note, type RecordValue } from '../soap/values.js';
import { defineCommand } from './command.js';
import { printEnvelope } from './dry-run.js';
import { connectionFlags } from './flags/connection.js';
import { outputFlags } from './flags/output.js';
import { pagingFlags, pagingOf } from './flags/paging.js';
import { collectNotes, note, warnOfNotes } from './notes.js';
import { formatOf } from './output-choice.js';
import { openOutput } from './record-output.js';
import type { RequestParts } from './record-command.js';
import { openSession, type Session } from './session.js';

type ArgsText = Interfaces.ArgInput;
type FlagsText = Interfaces.FlagInput;

/** Pages under way beyond the one being written. */
const prefetch = 2;

/** The words and meaning of a command that prints a paged list. */
export interface ListCommandText<O extends Operation, A extends ArgsText, F extends FlagsText> {
  readonly operation: O;
  readonly summary: string;
  readonly description?: string;
  readonly examples: readonly string[];
  readonly args: A;
  readonly flags: F;
  /** Member of the result that holds the list. */
  readonly shows: keyof O['result'] & string;
  /** Columns of a table when none are asked for. */
  readonly table: readonly string[];
  /** The request without its page number and size. */
  readonly request: (parts: RequestParts<A, F>) => Omit<Input<O>, 'pageNumber' | 'pageSize'>;
}

function itemType(operation: Operation, shows: string): RecordType {
  const type = operation.result[shows]?.type;
  if (type?.kind === 'list' && type.item.kind === 'record') return type.item;
  throw new RelctlError('bug', `${operation.name} has no list of records named ${shows}`);
}

function idOf(record: RecordValue): string | undefined {
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
  if (claim.ended === 'limit' && claim.more) notes.push(`stopped at --limit: more ${what} exist`);
  return notes;
}

function fetchPages(
  session: Session,
  call: { operation: Operation; input: RecordValue; shows: string; notes: Note[] },
): FetchPage {
  const { operation, input, shows, notes } = call;
  return async (pageNumber, signal) => {
    const { pageSize } = session.connection;
    const reply = await session.client.callUntyped(operation, { ...input, pageNumber, pageSize }, signal);
    collectNotes(notes, reply.notes);
    return { records: recordsOf(reply.result, shows), attempts: reply.attempts };
  };
}

/** Makes a command that walks a paged list to its end and prints every record once (interface document, Limits). */
export function listCommand<O extends Operation, const A extends ArgsText, const F extends FlagsText>(
  text: ListCommandText<O, A, F>,
): typeof Command {
  const { operation, shows, table } = text;
  const record = itemType(operation, shows);
  const flags = { ...text.flags, ...connectionFlags, ...pagingFlags, ...outputFlags };
  return defineCommand({ ...text, flags, operations: [operation.name] }, async (given) => {
    const { context } = given;
    formatOf(given.flags, undefined);
    const paging = pagingOf(given.flags);
    const session = await openSession(context, given.flags);
    const input = text.request({ ...given, session }) as unknown as RecordValue;
    const { firstPage, pageSize } = session.connection;
    if (given.flags['dry-run']) {
      return printEnvelope(context, session.connection, {
        operation,
        input: { ...input, pageNumber: paging.onlyPage ?? firstPage, pageSize },
      });
    }
    const output = await openOutput(context, session, { flags: given.flags, record, shape: 'list', table });
    const notes: Note[] = [];
    const plan = { ...paging, firstPage, pageSize, prefetch, idOf, signal: context.signal };
    const pages = readPages(fetchPages(session, { operation, input, shows, notes }), plan);
    let step = await pages.next();
    for (; step.done !== true; step = await pages.next()) await output.write(step.value.records);
    await output.finish();
    for (const line of claimNotes(step.value, shows.toLowerCase())) await note(context, given.flags, line);
    await warnOfNotes(context, given.flags, notes);
  });
}
