import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { sentEnding } from '../../state/ledger/outcome.js';
import { serviceOf, type Session } from '../../kit/session/session.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { note } from '../../kit/host/notes.js';
import { addToLedger, type WriteStart, type Ended } from '../../state/ledger/ledger.js';
import { foldersOf } from '../../profiles/store/folders.js';
import { defined, type RecordValue } from '../../core/values/value.js';
import type { Operation } from '../../contract/build.js';

/** An input as ledgers and journals keep it: without the content of files, of which only the length is told. */
export const ledgerInput = ({ parameters }: Operation, input: RecordValue): RecordValue =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const isContent = parameters[name]?.role === 'content' && typeof value === 'string';
      return [name, isContent ? `[content of ${value.length} characters]` : value];
    }),
  );

/** The operation and its input. */
export interface Write {
  readonly operation: Operation;
  readonly input: RecordValue;
}

/** What the ledger records of a write. */
export interface LedgerFacts<T> {
  readonly session: Session;
  readonly flags: { readonly quiet?: boolean | undefined };
  readonly what: string;
  /** What is kept in the place of the input, where that is not it. */
  readonly keeps?: RecordValue;
  readonly before?: RecordValue;
  /** The Id of what was made, by what the work gave. */
  readonly idOf?: (done: T) => string | undefined;
  /** Compares what was written with what the service has. Throws `outcome-unknown` when it is something else. */
  readonly verify?: (() => Promise<void>) | undefined;
  readonly undoes?: string;
}

/** The folder of the ledgers of all profiles. */
export const ledgerFolder = ({ environment }: Context): string => join(foldersOf(environment).state, 'writes');

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may have a user without a name.
    return '';
  }
}

/** Where entries are made. */
export type LedgerContext = Pick<LedgerFacts<unknown>, 'session' | 'flags'> & { readonly context: Context };

const hasLedger = ({ session }: LedgerContext): boolean => session.profile.values.ledger?.value !== false;

type Facts = Omit<WriteStart, 'id' | 'at' | 'service' | 'user'>;

/** An entry of the ledger whose write is under way. */
export interface OpenEntry {
  readonly id: string;
  /** Tells how it ended. What cannot be told is a note: the write itself is over. */
  ends(ending: Omit<Ended, 'entry' | 'at'>): Promise<void>;
}

/**
 * Tells the ledger of a write that is about to be sent; undefined where none is kept. Throws `local` when the ledger cannot be
 * written: then nothing is sent.
 */
export async function beginEntry(ledgerContext: LedgerContext, facts: Facts): Promise<OpenEntry | undefined> {
  if (!hasLedger(ledgerContext)) return undefined;
  const { context, session, flags } = ledgerContext;
  const folder = ledgerFolder(context);
  const { name } = session.profile;
  const id = randomBytes(5).toString('hex');
  const at = (): string => context.clock.date().toISOString();
  const begins: WriteStart = { id, at: at(), ...facts, service: serviceOf(session), user: userName() };
  try {
    await addToLedger(folder, name, { begins });
  } catch (thrown) {
    throw RelctlError.from(thrown).but({
      advice: 'Nothing was sent. Without the ledger, relctl sends it.',
      hint: '--set ledger=no',
    });
  }
  return {
    id,
    async ends(ending) {
      try {
        await addToLedger(folder, name, { ends: { entry: id, at: at(), ...ending } });
      } catch (thrown) {
        await note(
          context,
          flags,
          `the write ended, but its outcome is not in the ledger: ${RelctlError.from(thrown).message}`,
        );
      }
    },
  };
}

interface Recorded<T> {
  readonly context: Context;
  readonly told: LedgerFacts<T>;
  readonly write: Write;
}

function factsOf<T>({ told: facts, write: { operation, input } }: Recorded<T>): Facts {
  const { what, before, undoes, keeps = input } = facts;
  const sends = { operation: operation.name, input: ledgerInput(operation, keeps), ...defined({ before }) };
  return { what, operation: operation.name, sends, ...defined({ undoes }) };
}

/** Does a write, and tells the ledger of it before and after. Throws what the work and `verify` throw, and `local` as `beginEntry` does. */
export async function recorded<T>(parts: Recorded<T>, work: () => Promise<T>): Promise<T> {
  const { context, told: facts } = parts;
  const entry = await beginEntry({ ...facts, context }, factsOf(parts));
  try {
    const done = await work();
    await facts.verify?.();
    await entry?.ends({ outcome: 'done', ...defined({ id: facts.idOf?.(done) }) });
    return done;
  } catch (thrown) {
    await entry?.ends(sentEnding(RelctlError.from(thrown)));
    throw thrown;
  }
}
