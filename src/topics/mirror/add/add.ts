import { switchFlag, type Values } from '../../../kit/flags/define.js';
import { includeFlags, includesOf } from '../../../lists/list-flags.js';
import { fieldOption, idOption, timeOption } from '../../../kit/flags/kinds.js';
import { addedKinds, type CommonFlags } from '../../../kit/flags/common.js';
import { listChoiceFlags, parameterFlags, readFlag } from '../../../lists/of-operation/operation-flags.js';
import { idOrNameOf } from '../../../kit/flags/readers.js';
import { fieldFlag, fieldsOfFlag } from '../../../lists/fields/field-flags.js';
import { idNamed, readProfileNames } from '../../../names/profile-names.js';
import type { SessionContext } from '../../../kit/session/session.js';
import { periodEnd } from '../../../kit/session/times.js';
import { perhaps, usage } from '../../../core/errors/relctl-error.js';
import type { Context } from '../../../kit/host/context.js';
import { nearest } from '../../../core/text/text.js';
import { isGuid } from '../../../core/text/scalars.js';
import type { RecordValue } from '../../../core/values/value.js';
import { addCall, asFlag, callWord } from './call.js';
import { addFlags, addSources, includeInSource, type Addition } from '../open.js';

/** Flags of `mirror add`: those of each kind. */
export const mirrorAddFlags = {
  'entity-type': idOption('entity-type')({ summary: 'activities: the kind of activity to search.' }),
  'fields-of': fieldsOfFlag,
  workflow: idOption('workflow')({ summary: 'activities: with --by-relation only those of this workflow.' }),
  field: fieldFlag,
  'date-field': fieldOption({ summary: 'activities: the date field that must lie between --from and --to.' }),
  from: timeOption({ summary: 'Start of the period; with --by-relation only what changed since then.' }),
  to: timeOption({ summary: 'activities: end of the period; the default is none.' }),
  'by-relation': switchFlag({
    summary: 'activities, marks: read them for each relation of the mirror, with one or more calls each.',
  }),
  ...includeFlags,
  ...listChoiceFlags,
  ...parameterFlags,
  ...readFlag,
  ...asFlag,
  ...addFlags,
};

/** Values of those flags. */
export type MirrorAddFlags = Values<typeof mirrorAddFlags> & CommonFlags;

type FlagName = Exclude<keyof typeof mirrorAddFlags, keyof typeof addFlags>;

type SearchedFlags = MirrorAddFlags & { readonly 'entity-type': string };

/** A search for activities, as a source that is added. */
export type PlanSearch = (run: SessionContext<SearchedFlags>) => Promise<Addition>;

interface Adding {
  readonly context: Context;
  readonly flags: MirrorAddFlags;
  readonly id: string;
  readonly planSearch: PlanSearch;
}

interface Kind {
  readonly idOf?: 'datastore' | 'workflow';
  readonly takes: readonly FlagName[];
  readonly add: (adding: Adding) => Promise<void>;
}

const addEachRelation = ({ context, flags }: Adding, addition: Addition): Promise<void> =>
  addSources(context, flags, async (session) => {
    if (flags.from === undefined) return [addition];
    const from = await periodEnd({ context, session, flags }, { text: flags.from, flag: '--from', side: 'earlier' });
    return [{ ...addition, more: [`since ${from}`], input: { ...addition.input, from } }];
  });

const ofSearch = ['entity-type', 'date-field', 'to', 'field', 'fields-of'] as const;

function addActivities(adding: Adding): Promise<void> {
  const { context, flags, planSearch } = adding;
  const { workflow, 'entity-type': type } = flags;
  if (flags['by-relation']) {
    const flag = ofSearch.find((name) => flags[name] !== undefined);
    if (flag !== undefined) throw usage(`--${flag}`, `--${flag} is for a search, not for --by-relation`);
    const workflows: RecordValue = workflow === undefined ? {} : { workflowIds: [workflow] };
    return addEachRelation(adding, {
      kind: 'activities by relation',
      ids: workflow === undefined ? [] : [workflow],
      table: 'relation_activities',
      input: { ...workflows, ...includesOf(flags) },
    });
  }
  if (workflow !== undefined)
    throw usage('--workflow', '--workflow is for --by-relation: a search cannot filter by workflow', {
      advice: '--fields-of WORKFLOW lets you use names of its fields.',
    });
  if (type === undefined) throw usage('--entity-type', 'which kind of activity? Use --entity-type, or --by-relation');
  const searched = { ...flags, 'entity-type': type };
  return addSources(context, flags, async (session) => [await planSearch({ context, session, flags: searched })]);
}

function addMarks(adding: Adding): Promise<void> {
  if (!adding.flags['by-relation']) {
    throw usage('--by-relation', 'relctl reads the marks on relationships relation by relation', {
      advice: 'Each sync reads the list of all marks anyway.',
      hint: '--by-relation',
    });
  }
  return addEachRelation(adding, { kind: 'marks by relation', ids: [], table: 'relation_marks', input: {} });
}

const kinds: Readonly<Record<(typeof addedKinds)[number], Kind>> = {
  activities: {
    takes: [
      'entity-type',
      'fields-of',
      'workflow',
      'field',
      'date-field',
      'from',
      'to',
      'by-relation',
      'include-fields',
      'include-counters',
    ],
    add: addActivities,
  },
  datastore: {
    idOf: 'datastore',
    takes: [],
    add: ({ context, flags, id }) =>
      addSources(context, flags, () => [
        { kind: 'datastore', ids: [id], table: 'datastore_items', input: { entityTypeId: id } },
      ]),
  },
  marks: { takes: ['by-relation', 'from'], add: addMarks },
  relations: {
    takes: ['include-fields', 'include-counters'],
    add: ({ context, flags }) => includeInSource(context, flags, { name: 'relations', includes: includesOf(flags) }),
  },
  relationships: {
    takes: ['include-fields'],
    add: ({ context, flags }) =>
      includeInSource(context, flags, {
        name: 'relationships',
        includes: { includeFields: flags['include-fields'] },
      }),
  },
  workflow: {
    idOf: 'workflow',
    takes: [],
    add: ({ context, flags, id }) =>
      addSources(context, flags, () => [
        { kind: 'workflow steps', ids: [id], table: 'workflow_steps', input: { workflowId: id } },
        { kind: 'workflow fields', ids: [id], table: 'workflow_fields', input: { workflowId: id } },
      ]),
  },
};

const ofCall: readonly FlagName[] = ['list', 'page-params', 'key', 'param', 'input', 'read', 'as'];

function refuseOthers(kind: string, takes: readonly FlagName[], flags: MirrorAddFlags): void {
  const own = Object.keys(mirrorAddFlags).filter((name) => !Object.hasOwn(addFlags, name)) as readonly FlagName[];
  const other = own.find((name) => !takes.includes(name) && flags[name] !== undefined && flags[name] !== false);
  if (other === undefined) return;
  const allowed = takes.length === 0 ? 'no flags of its own' : takes.map((name) => `--${name}`).join(', ');
  throw usage(`--${other}`, `mirror add ${kind} takes ${allowed}, and not --${other}`, 'relctl mirror add --help');
}

function idFor(
  context: Context,
  flags: MirrorAddFlags,
  request: { kind: string; idOf: Kind['idOf']; id: string | undefined },
): string {
  const { kind, idOf, id } = request;
  if (idOf === undefined) {
    if (id === undefined) return '';
    throw usage('ID', `mirror add ${kind} takes no Id`, 'relctl mirror add --help');
  }
  if (id === undefined) throw usage('ID', `ID is missing: which ${idOf}?`, `relctl mirror add ${kind} ID`);
  const text = idOrNameOf(id, 'ID');
  const parameter = { group: 'args', key: 'id', kind: idOf, texts: [text] } as const;
  return isGuid(text) ? text : idNamed(parameter, text, readProfileNames(context, flags.profile));
}

/**
 * Adds to what a mirror reads: a kind of records, or a list of an operation. Throws `usage` for what is no kind, and for an Id or
 * a flag that the kind does not take, and what adding throws.
 */
export function addMirrored(
  context: Context,
  request: { readonly kind: string; readonly id: string | undefined },
  { flags, planSearch }: { readonly flags: MirrorAddFlags; readonly planSearch: PlanSearch },
): Promise<void> {
  const { kind: name, id } = request;
  if (name.startsWith(callWord) && name !== callWord) {
    refuseOthers('call:OPERATION', ofCall, flags);
    idFor(context, flags, { kind: name, idOf: undefined, id });
    return addCall(context, name.slice(callWord.length), flags);
  }
  const match = addedKinds.find((each) => each === name);
  if (match === undefined) {
    throw usage(
      'KIND',
      `'${name}' cannot be added; you can add ${addedKinds.join(', ')} and call:OPERATION`,
      perhaps(name, nearest(name, addedKinds), 'relctl mirror add --help'),
    );
  }
  const kind = kinds[match];
  refuseOthers(name, kind.takes, flags);
  return kind.add({ context, flags, planSearch, id: idFor(context, flags, { kind: name, idOf: kind.idOf, id }) });
}
