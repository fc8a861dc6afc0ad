import { existsSync } from 'node:fs';
import type { Operation } from '../../contract/build.js';
import { SystemDatastoreType } from '../../contract/enumerations.js';
import { operations } from '../../contract/service.js';
import { postgresPlaceOf } from '../../cli/mirror/postgres.js';
import { mirrorFile } from '../../cli/names/mirror-file.js';
import { idNamed, knownNames, type Known } from '../../cli/names/kept.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { isGuid } from '../../lexical/values/guid.js';
import { nameKey } from '../../lexical/same-name.js';
import { shellCommand } from '../../lexical/shell/command.js';
import type { RecordValue } from '../../plain/value.js';
import type { Names } from '../../profiles/kept/names.js';
import type { Both } from './differences.js';

/** What may be compared, in the order in which it is. */
export const comparedKinds = [
  'products',
  'marks',
  'campaign-marks',
  'system-datastores',
  'sbi-codes',
  'workflows',
  'datastores',
] as const;

/** One of them. */
type ComparedKind = (typeof comparedKinds)[number];

/** A list that both services are asked for. */
export interface ComparedList {
  /** What each record is. */
  readonly kind: string;
  /** Which of several lists of the kind it is. */
  readonly list?: string;
  readonly operation: Operation;
  /** Member of the result that holds the list. */
  readonly shows: string;
  readonly inputs: Both<RecordValue>;
  /** Member that tells records of one name apart. */
  readonly within?: string;
}

/** What of the command line chooses lists. */
export interface Chosen {
  readonly only?: readonly ComparedKind[] | undefined;
  readonly workflow?: readonly string[] | undefined;
  readonly datastore?: readonly string[] | undefined;
}

/** The lists to compare, and what to say of those that are not. */
interface ChosenLists {
  readonly lists: readonly ComparedList[];
  readonly notes: readonly string[];
}

/** The same, with the names that each profile has. */
interface ChosenByNames extends ChosenLists {
  readonly names: Both<Names>;
}

const none: Both<RecordValue> = [{}, {}];

const sameInBoth: Readonly<Partial<Record<ComparedKind, readonly ComparedList[]>>> = {
  products: [{ kind: 'product', operation: operations.ProductGetAll_V2, shows: 'Products', inputs: none }],
  marks: [{ kind: 'mark', operation: operations.MarkGetAll, shows: 'Marks', inputs: none, within: 'Category' }],
  'campaign-marks': [
    {
      kind: 'campaign-mark',
      operation: operations.CampaignMarkGetAll,
      shows: 'Marks',
      inputs: none,
      within: 'Category',
    },
  ],
  'system-datastores': SystemDatastoreType.values.map((systemDatastoreType) => ({
    kind: 'system-item',
    list: systemDatastoreType,
    operation: operations.SystemDatastoreGetItems,
    shows: 'DatastoreItems',
    inputs: [{ systemDatastoreType }, { systemDatastoreType }],
  })),
  'sbi-codes': [{ kind: 'sbi-code', operation: operations.DatastoreGetSbiCodes, shows: 'SbiCodes', inputs: none }],
};

/** What has an Id of its own in each service, and the lists of it. */
const named = {
  workflows: {
    flag: 'workflow',
    listsOf: (list: string, [a, b]: Both<string>): readonly ComparedList[] => {
      const inputs = [{ workflowId: a }, { workflowId: b }] as const;
      return [
        { kind: 'workflow-step', list, operation: operations.WorkflowStepGetAll, shows: 'WorkflowSteps', inputs },
        { kind: 'workflow-field', list, operation: operations.ActivityGetFields, shows: 'Fields', inputs },
      ];
    },
  },
  datastores: {
    flag: 'datastore',
    listsOf: (list: string, ids: Both<string>): readonly ComparedList[] => {
      const [a, b] = ids.map((entityTypeId) => ({ entityTypeId, includeTranslations: true }));
      const operation = operations.DatastoreGetWithParentItems_V2;
      const inputs: Both<RecordValue> = [a ?? {}, b ?? {}];
      return [{ kind: 'datastore-item', list, operation, shows: 'DatastoreItems', inputs, within: 'ParentId' }];
    },
  },
} as const;

type NamedKind = keyof typeof named;

const isNamedKind = (kind: ComparedKind): kind is NamedKind => Object.hasOwn(named, kind);

/** The lists of Ids or names that were given. Throws `usage` for a name that a profile does not have. */
function givenLists(kind: NamedKind, texts: readonly string[], both: Both<Known>): readonly ComparedList[] {
  const { flag, listsOf } = named[kind];
  const distinct = [...new Map(texts.map((text) => [nameKey(text), text])).values()];
  const idIn = (known: Known, text: string): string => {
    if (isGuid(text)) return text;
    try {
      return idNamed({ group: 'flags', key: flag, kind: flag, texts }, text, known);
    } catch (thrown) {
      const ofProfile = ['--profile', known.profile];
      const line = shellCommand(['name', 'set', flag, text, 'ID', ...ofProfile]);
      // A line with another name would be one for the other profile, too.
      throw RelctlError.from(thrown).but({
        advice: `Give the name an Id there: \`${line}\``,
        instead: undefined,
        hint: shellCommand(['name', 'list', flag, ...ofProfile]),
      });
    }
  };
  return distinct.flatMap((text) => listsOf(text, [idIn(both[0], text), idIn(both[1], text)]));
}

/** Names and Ids of a kind in a profile, by what names have in common that are one name. */
const namesIn = ({ names }: Known, flag: 'workflow' | 'datastore'): ReadonlyMap<string, Both<string>> =>
  new Map(Object.entries(names[flag]).map(([name, id]) => [nameKey(name), [name, id]]));

/** What another profile knows by the same Id, where one of them has no name for it: services that are copies share Ids. */
const sameId = ([name, id]: Both<string>, others: ReadonlyMap<string, Both<string>>): Both<string> | undefined =>
  [...others.values()].find(
    ([otherName, otherId]) => otherId.toLowerCase() === id.toLowerCase() && (isGuid(name) || isGuid(otherName)),
  );

/** The lists of all that has a name in both profiles, and what has one in one of them only. */
function namedLists(kind: NamedKind, both: Both<Known>): ChosenLists {
  const { flag, listsOf } = named[kind];
  const [a, b] = [namesIn(both[0], flag), namesIn(both[1], flag)];
  const lists = [...a].flatMap(([key, [name, id]]) => {
    const other = b.get(key) ?? sameId([name, id], b);
    return other === undefined ? [] : listsOf(isGuid(name) ? other[0] : name, [id, other[1]]);
  });
  const inOne = (names: typeof a, others: typeof a, { profile }: Known): readonly string[] =>
    [...names]
      .filter(([key, entry]) => !others.has(key) && sameId(entry, others) === undefined)
      .map(([, [name]]) =>
        isGuid(name)
          ? `${flag} ${name} is a source of the mirror of profile '${profile}' only and is not compared; one name in both profiles says which is the same`
          : `${flag} '${name}' has a name in profile '${profile}' only and is not compared`,
      );
  return { lists, notes: [...inOne(a, b, both[0]), ...inOne(b, a, both[1])] };
}

/** Throws `usage` for flags that contradict each other. */
function checkChosen(chosen: Chosen): void {
  const { only } = chosen;
  for (const kind of Object.keys(named) as readonly NamedKind[]) {
    const { flag } = named[kind];
    if (only === undefined || chosen[flag] === undefined || only.includes(kind)) continue;
    throw usage(`--${flag}`, `--${flag} is given, but --only leaves ${kind} out`, {
      hint: `--only ${[...only, kind].join(',')}`,
    });
  }
}

function listsOfKind(kind: NamedKind, chosen: Chosen, both: Both<Known>): ChosenLists {
  const { flag } = named[kind];
  const texts = chosen[flag];
  if (texts !== undefined) return { lists: givenLists(kind, texts, both), notes: [] };
  const found = namedLists(kind, both);
  if (found.lists.length > 0 || chosen.only === undefined) return found;
  throw usage('--only', `no ${flag} has a name in both profiles, or is a source of both mirrors`, {
    advice: `Give --${flag}, or give its Id the same name in both: \`${shellCommand(['name', 'set', flag])} NAME ID --profile NAME\``,
  });
}

/** True for a profile with the file of a mirror, or a place for one in PostgreSQL. */
const hasMirror = (context: Context, profile: string): boolean =>
  existsSync(mirrorFile(context, profile)) || postgresPlaceOf(context, { profile }) !== undefined;

/** Throws `profile` for names that cannot be read. */
async function knownIn(context: Context, profile: string): Promise<{ known: Known; notes: readonly string[] }> {
  const known = knownNames(context, profile);
  if (!hasMirror(context, known.profile)) return { known, notes: [] };
  // The driver of the database is loaded for those alone that have a mirror.
  const { withPlanned } = await import('./planned.js');
  return withPlanned(context, known);
}

/**
 * The lists that two profiles are compared by. Throws `usage` for flags that contradict each other or mean nothing, and
 * `profile` for names that cannot be read.
 */
export async function chooseLists(context: Context, profiles: Both<string>, chosen: Chosen): Promise<ChosenByNames> {
  checkChosen(chosen);
  const [a, b] = [await knownIn(context, profiles[0]), await knownIn(context, profiles[1])];
  const both: Both<Known> = [a.known, b.known];
  const found = comparedKinds
    .filter((kind) => chosen.only?.includes(kind) ?? true)
    .map((kind) =>
      isNamedKind(kind) ? listsOfKind(kind, chosen, both) : { lists: sameInBoth[kind] ?? [], notes: [] },
    );
  const notes = [...new Set([...a.notes, ...b.notes]), ...found.flatMap((each) => each.notes)];
  return { lists: found.flatMap(({ lists }) => lists), notes, names: [a.known.names, b.known.names] };
}
