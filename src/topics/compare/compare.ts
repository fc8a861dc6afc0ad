import { csvFlags } from '../../cli/flags/csv.js';
import { connectionFlags } from '../../cli/flags/connection.js';
import { option, switchFlag, type Values } from '../../cli/flags/define.js';
import { outputFlags, type CommonFlags } from '../../cli/flags/output.js';
import { choiceOf, idOrNameOf } from '../../cli/flags/readers.js';
import { printRecords } from '../../cli/output/open-output.js';
import { openSession, type Session } from '../../cli/session/session.js';
import { wholeListIn } from '../../client/list-answer.js';
import { inRole, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { string } from '../../contract/scalars.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { note, notesOfPrinted, warnOfNotes } from '../../host/notes.js';
import { showSlow } from '../../host/waiting.js';
import { serviceOf } from '../../cli/session/service-of.js';
import { defined } from '../../plain/defined.js';
import type { RecordValue } from '../../plain/value.js';
import type { Names } from '../../profiles/kept/names.js';
import { differencesOf, type Both, type ItemDifference } from './differences.js';
import { itemMaker, parentsIn, samenessOf, unknownParent, type Beside, type Parents } from './items.js';
import { chooseLists, comparedKinds, type ComparedList } from './lists.js';

const idOrName = option(idOrNameOf, { helpValue: 'ID|NAME' });

const kindsOption = option((text, flag) => text.split(',').map((word) => choiceOf(word.trim(), flag, comparedKinds)), {
  helpValue: 'A,B',
  offers: (typed) => ({ kept: typed.slice(0, typed.lastIndexOf(',') + 1), words: comparedKinds }),
});

const { soap, timeout, retries, 'ca-file': caFile, insecure, trace, record } = connectionFlags;

/** Flags of `compare`; the profiles are arguments. */
export const compareFlags = {
  only: kindsOption({ summary: `What to compare: ${comparedKinds.join(', ')}.` }),
  workflow: idOrName({
    multiple: true,
    multipleNonGreedy: true,
    summary:
      'Workflow whose steps and fields are compared; may be repeated. A name may mean another Id in each profile.',
  }),
  datastore: idOrName({
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Datastore whose entries are compared, by its entity type or a name of it; may be repeated.',
  }),
  'exit-code': switchFlag({ summary: 'End with exit code 12 when something differs.' }),
  soap,
  timeout,
  retries,
  'ca-file': caFile,
  insecure,
  trace,
  record,
  ...outputFlags,
  ...csvFlags,
};

type CompareFlags = Values<typeof compareFlags> & CommonFlags;

/** What `compare` prints. */
export const ComparedRow = recordWithoutPresence('ProfileDifference', 'A difference between two services.', {
  Kind: req(string, 'What differs: product, mark, workflow-step and so on.'),
  List: opt(string, 'Which workflow, datastore or list of the system it is in.'),
  Key: inRole('key', opt(string, 'Its code, or its name.')),
  Difference: req(string, 'only-a, only-b or changed; ambiguous when several records have the key.'),
  Member: opt(string, 'The member that changed, or that several records share.'),
  ValueA: opt(
    string,
    'Its value in the first service; the name of a record that only this one has; how many are ambiguous.',
  ),
  ValueB: opt(
    string,
    'Its value in the second service; the name of a record that only this one has; how many are ambiguous.',
  ),
});

/** The list comes last, where a narrow terminal hides it: the values are what people look for. */
const table = ['Kind', 'Key', 'Difference', 'Member', 'ValueA', 'ValueB', 'List'];

interface Place {
  readonly context: Context;
  readonly flags: CompareFlags;
  readonly sessions: Both<Session>;
  readonly names: Both<Names>;
}

const both = async <S, T>([a, b]: Both<S>, each: (one: S, at: 0 | 1) => Promise<T>): Promise<Both<T>> =>
  Promise.all([each(a, 0), each(b, 1)]);

const wordsOf = ({ kind, list }: ComparedList): string => (list === undefined ? `${kind}s` : `${kind}s of ${list}`);

/** All records of a list of one service. Throws what the call throws, with the list and the profile named. */
async function readList(place: Place, list: ComparedList, at: 0 | 1): Promise<readonly RecordValue[]> {
  const { context, flags, sessions } = place;
  const { client, connection } = sessions[at];
  const { operation, shows, inputs } = list;
  try {
    const { result, notes } = await client.callUntyped(operation, inputs[at]);
    await warnOfNotes(context, flags, notesOfPrinted(notes, [shows]));
    // A list that is not there must not look as if all its records were gone.
    return wholeListIn({ operation, shows }, result, connection.listEnd === 'absent').records;
  } catch (thrown) {
    const failure = RelctlError.from(thrown);
    const { profile } = connection;
    const message = `${wordsOf(list)}, profile '${profile}': ${failure.message}`;
    throw failure.with({ profile }).but({ message });
  }
}

type Read = readonly (readonly [ComparedList, Both<readonly RecordValue[]>])[];

async function readAll(place: Place, lists: readonly ComparedList[]): Promise<Read> {
  const over = showSlow(place.context, place.flags, 'the lists');
  const read: (readonly [ComparedList, Both<readonly RecordValue[]>])[] = [];
  try {
    for (const list of lists) {
      place.context.signal.throwIfAborted();
      read.push([list, await both(place.sessions, (_session, at) => readList(place, list, at))]);
    }
  } finally {
    await over();
  }
  return read;
}

const parentsOf = (read: Read, at: 0 | 1): Parents =>
  new Map(
    read
      .filter(([{ within }]) => within === 'ParentId')
      .flatMap(([list, records]) => [...parentsIn(list, records[at])]),
  );

const rowOf = ({ kind, list }: ComparedList, { key, difference, member, values }: ItemDifference): RecordValue => ({
  Kind: kind,
  ...defined({ List: list, Key: key === '' ? undefined : key }),
  Difference: difference,
  ...defined({ Member: member, ValueA: values[0], ValueB: values[1] }),
});

async function rowsOf(place: Place, lists: readonly ComparedList[]): Promise<readonly RecordValue[]> {
  const read = await readAll(place, lists);
  const beside = ([0, 1] as const).map((at) => ({
    parents: parentsOf(read, at),
    names: place.names[at],
  })) as unknown as Both<Beside>;
  const rows: RecordValue[] = [];
  for (const [list, [a, b]] of read) {
    const items = [a.map(itemMaker(list, beside[0])), b.map(itemMaker(list, beside[1]))] as const;
    for (const found of differencesOf(items, samenessOf(list))) rows.push(rowOf(list, found));
    const unknown = items.flat().filter(({ members }) => members['Parent'] === unknownParent).length;
    if (unknown === 0) continue;
    const words = `${unknown} ${wordsOf(list)} stand below entries of a datastore that was not read: what is above them is not compared`;
    await note(place.context, place.flags, `${words} (--datastore adds it)`);
  }
  return rows;
}

const summaryOf = (rows: readonly RecordValue[]): string =>
  (['only-a', 'only-b', 'changed', 'ambiguous'] as const)
    .map((word) => `${rows.filter(({ Difference }) => Difference === word).length} ${word}`)
    .join(', ');

async function noteSame({ context, flags, sessions }: Place): Promise<void> {
  const [a, b] = sessions.map((session) => JSON.stringify(serviceOf(session)));
  if (a === b) await note(context, flags, 'both profiles are of the same service');
}

/**
 * Compares what two services are set up with, and prints each difference. Nothing is printed before both services gave all
 * lists. Throws `usage`, `profile`, what the calls throw, and with --exit-code `different`.
 */
export async function compareProfiles(context: Context, profiles: Both<string>, flags: CompareFlags): Promise<void> {
  const { lists, notes, names } = await chooseLists(context, profiles, flags);
  let rows: readonly RecordValue[] = [];
  const request = { flags, record: ComparedRow, shape: 'list', table, blank: 'No differences.' } as const;
  await printRecords(context, request, async () => {
    const [a, b] = profiles;
    const sessions = [
      await openSession(context, { ...flags, profile: a }),
      await openSession(context, { ...flags, profile: b }),
    ] as const;
    const place = { context, flags, sessions, names };
    await noteSame(place);
    for (const line of notes) await note(context, flags, line);
    rows = await rowsOf(place, lists);
    return rows;
  });
  if (rows.length === 0) return;
  const summary = `${profiles[0]} and ${profiles[1]} differ: ${summaryOf(rows)}`;
  if (flags['exit-code']) throw new RelctlError('different', summary);
  if (context.streams.err.isTerminal) await note(context, flags, summary);
}
