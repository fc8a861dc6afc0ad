import { connectionFlags, type CommonFlags, mirrorFlags, mirrorLockFlags } from '../../../kit/flags/common.js';
import type { Values } from '../../../kit/flags/define.js';
import { profileNames } from '../../../names/profile-names.js';
import type { Session } from '../../../kit/session/session.js';
import { usage } from '../../../core/errors/relctl-error.js';
import type { Context } from '../../../kit/host/context.js';
import { noteInTerminal } from '../../../kit/host/notes.js';
import { shellWord } from '../../../core/text/text.js';
import type { Mirror } from '../../../mirror/mirror.js';
import type { Source } from '../../../mirror/sources.js';
import type { RecordValue } from '../../../core/values/value.js';
import { openToWrite } from '../open.js';

/** Flags of `mirror add`: it changes no more than the mirror, and fields may be looked up. */
export const addFlags = {
  profile: connectionFlags.profile,
  timeout: connectionFlags.timeout,
  set: connectionFlags.set,
  trace: connectionFlags.trace,
  record: connectionFlags.record,
  ...mirrorFlags,
  ...mirrorLockFlags,
};

type AddFlags = Values<typeof addFlags> & CommonFlags;

/** What a mirror is to read beside what it reads already. */
export interface Addition {
  readonly kind: string;
  /** Ids that end it; names of the profile stand for them where it has any. */
  readonly ids: readonly string[];
  /** What else tells it from others of its kind. */
  readonly more?: readonly string[];
  readonly table: string;
  readonly input: RecordValue;
}

/** A request as a text that is the same for the same request: case does not count in GUIDs. */
const requestOf = ({ table, input }: Pick<Source, 'table' | 'input'>): string =>
  `${table} ${JSON.stringify(input).replace(/"[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}"/gi, (id) => id.toLowerCase())}`;

function namesOf(addition: Addition, nameOf: (id: string) => string | undefined): readonly string[] {
  const { kind, ids, more = [] } = addition;
  const named = (id: string): string => nameOf(id) ?? id.toLowerCase();
  const nameBy = (of: (id: string) => string): string => [kind, ...ids.map(of), ...more].join(' ');
  // The name may stand for another Id than when a source was named by it.
  return [nameBy(named), nameBy((id) => id.toLowerCase())];
}

function addOne(
  { context, session, mirror }: { readonly context: Context; readonly session: Session; readonly mirror: Mirror },
  addition: Addition,
): readonly [string, boolean] {
  const there = mirror.sources();
  const same = there.find((source) => requestOf(source) === requestOf(addition));
  if (same !== undefined) return [same.name, false];
  const names = namesOf(addition, profileNames(context, session));
  const name = names.find((each) => there.every((source) => source.name !== each));
  if (name === undefined) {
    throw usage(undefined, `the mirror has a source '${names[0] ?? ''}' already, which reads something else`, {
      hint: `relctl mirror remove ${shellWord(names[0] ?? '')}`,
    });
  }
  mirror.add({ name, table: addition.table, input: addition.input });
  return [name, true];
}

async function reportSource(
  context: Context,
  flags: AddFlags,
  done: { words: string; names: readonly string[] },
): Promise<void> {
  const profile = flags.profile === undefined ? '' : ` --profile ${shellWord(flags.profile)}`;
  await noteInTerminal(
    context,
    flags,
    `${done.words}: relctl mirror sync ${done.names.map(shellWord).join(' ')}${profile}`,
  );
}

/** Says to people what was added, or was there before. */
export function reportAdded(
  context: Context,
  flags: AddFlags,
  { names, isNew }: { readonly names: readonly string[]; readonly isNew: boolean },
): Promise<void> {
  const them = names.length === 1 ? 'it' : 'them';
  const done = isNew ? `Done: added ${names.join(', ')}` : `${names.join(', ')}: added before`;
  return reportSource(context, flags, { words: `${done}. To read ${them}`, names });
}

/**
 * Adds lists to what a mirror reads; those that it reads already stay as they are. Throws `usage` for a name that stands for
 * another request, and what opening the mirror throws.
 * @param additionsOf makes them, when the session is open
 */
export async function addSources(
  context: Context,
  flags: AddFlags,
  additionsOf: (session: Session) => readonly Addition[] | Promise<readonly Addition[]>,
): Promise<void> {
  const { session, mirror } = await openToWrite(context, flags);
  const additions = await additionsOf(session);
  const done = additions.map((addition) => addOne({ context, session, mirror }, addition));
  const names = done.map(([name]) => name);
  await reportAdded(context, flags, { names, isNew: done.some(([, isAdded]) => isAdded) });
}

/**
 * Changes what is asked for beside the records of a list that each mirror reads. Throws what opening the mirror throws.
 * @param includes parameters of the operation
 */
export async function includeInSource(
  context: Context,
  flags: AddFlags,
  { name, includes }: { readonly name: string; readonly includes: RecordValue },
): Promise<void> {
  const { mirror } = await openToWrite(context, flags, [name]);
  const before = mirror.sources().find((source) => source.name === name);
  const input = { ...before?.input, ...includes };
  const isSame = before !== undefined && requestOf(before) === requestOf({ ...before, input });
  if (!isSame) mirror.replace({ name, table: before?.table ?? name, input });
  const words = isSame
    ? `${name}: already in the mirror. To read it`
    : `Done: changed the parameters of ${name}. To read it`;
  await reportSource(context, flags, { words, names: [name] });
}
