import type { Change } from './differences.js';
import type { ConnectionFlags, OutputFlags, WithNamesFlags, WriteFlags } from '../../kit/flags/common.js';
import type { Session } from '../../kit/session/session.js';
import type { Context } from '../../kit/host/context.js';
import { reportRead } from '../../kit/calls/envelope.js';
import { openOutput } from '../../kit/output/open-output.js';
import { inRole, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { anyType, string } from '../../contract/scalars.js';
import { usage } from '../../core/errors/relctl-error.js';
import { note } from '../../kit/host/notes.js';
import { defined, isList, isRecord, type RecordValue, type Value, valueForMessage } from '../../core/values/value.js';

/** What a plan needs to run. */
export interface CallContext {
  readonly context: Context;
  readonly session: Session;
  readonly flags: ConnectionFlags & OutputFlags & Partial<WriteFlags> & WithNamesFlags;
}

/** A change of a member. */
export const PlannedChange = recordWithoutPresence('PlannedChange', 'A change of a member.', {
  Member: inRole('key', req(string, 'Its name.')),
  Before: inRole('words', opt(anyType, 'Value that relctl read; absent if there was none, or it cannot be read.')),
  After: inRole('words', opt(anyType, 'New value; absent if the write makes it empty.')),
});

/** A change as it is printed. */
export const changeRecord = ({ name, from, to }: Change): RecordValue =>
  defined({ Member: name, Before: from, After: to });

/** A change in words: the value before, where it was read, and the one after. */
export const changeWords = ({ name, from, to, isUnread }: Change, isRead: boolean): string =>
  isRead && isUnread !== true
    ? `${name}: ${valueForMessage(from)} -> ${valueForMessage(to)}`
    : `${name}: ${valueForMessage(to)}`;

const isFieldValue = (value: Value): value is RecordValue & { readonly Id: string; readonly Value: Value } =>
  isRecord(value) && Object.keys(value).join() === 'Id,Value' && typeof value['Id'] === 'string';

function* addedBy(name: string, value: Value): Generator<Change, void> {
  if (isFieldValue(value)) yield { name: `Field.${value.Id}`, to: value.Value };
  else if (isRecord(value)) for (const [key, each] of Object.entries(value)) yield* addedBy(`${name}.${key}`, each);
  else if (isList(value)) for (const [index, each] of value.entries()) yield* addedBy(`${name}[${index}]`, each);
  else yield { name, to: value };
}

const changesOf = (input: RecordValue): readonly Change[] =>
  Object.entries(input).flatMap(([name, value]) => [...addedBy(name, value)]);

interface DryRunWrite {
  readonly input: RecordValue;
  readonly what: string;
  readonly needsYes?: string | undefined;
  /** What it changes, where that is told better than by what is sent. */
  readonly changes?: readonly Change[] | undefined;
}

/** Throws `usage` for a request and a change that are both to be shown. */
export function checkDryRunFlags(flags: { readonly envelope?: boolean; readonly 'dry-run'?: boolean }): void {
  if (flags.envelope && flags['dry-run'])
    throw usage('--envelope', '--envelope prints the request, --dry-run what it would change: use one of them');
}

async function printChanges(callContext: CallContext, changes: readonly Change[]): Promise<void> {
  const { context, session, flags } = callContext;
  const output = await openOutput(context, session, {
    flags,
    record: PlannedChange,
    shape: 'list',
    blank: 'Nothing changes.',
  });
  await output.write(changes.map(changeRecord));
  await output.finish();
  await reportRead(callContext);
}

/** Prints that a write would change nothing. Throws what printing throws. */
export const showNothing = (context: CallContext): Promise<void> => printChanges(context, []);

/** Prints what a write would change, and sends nothing. Throws what printing throws. */
export async function printDryRun(call: CallContext, { input, what, needsYes, changes }: DryRunWrite): Promise<void> {
  const { context, flags } = call;
  await printChanges(call, changes ?? changesOf(input));
  if (needsYes !== undefined) await note(context, flags, needsYes);
  await note(context, flags, `would ${what}; nothing was sent`);
}
