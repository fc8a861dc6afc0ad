import { option, switchFlag, type Values, refuseWith } from '../../kit/flags/define.js';
import { idOption } from '../../kit/flags/kinds.js';
import { formatNamed, type CommonFlags } from '../../kit/flags/common.js';
import { wholeListFlags } from '../../lists/list-flags.js';
import { wholeListIn } from '../../client/list-answer.js';
import { operations } from '../../contract/service.js';
import type { Output } from '../../contract/infer.js';
import { escapeForTerminal } from '../../formats/escape.js';
import { formatNames } from '../../formats/writers/index.js';
import type { Context } from '../../kit/host/context.js';
import { runList } from '../../lists/run.js';
import { openSession, type Session } from '../../kit/session/session.js';
import { usage } from '../../core/errors/relctl-error.js';

const operation = operations.DatastoreGetWithParentItems_V2;

type Item = NonNullable<NonNullable<Output<typeof operation>['DatastoreItems']>[number]>;

/** Flags of `datastore items`; the format `tree` exists only there. */
export const itemFlags = {
  translations: switchFlag({ summary: 'Include the translations.' }),
  parents: idOption('datastore')({ summary: 'With -o tree: entity type of the parent datastore.' }),
  ...wholeListFlags,
  output: option((text) => (text.toLowerCase() === 'tree' ? ('tree' as const) : formatNamed(text)))({
    char: 'o',
    summary: `Format: tree, or ${formatNames.join(', ')}.`,
    env: 'RELCTL_OUTPUT',
    helpValue: 'FORMAT',
    helpGroup: 'OUTPUT',
  }),
};

type ItemFlags = Values<typeof itemFlags> & CommonFlags;

async function itemsOf(session: Session, entityTypeId: string, includeTranslations: boolean): Promise<readonly Item[]> {
  const reply = await session.client.call(operation, { entityTypeId, includeTranslations });
  // Throws for what is no list.
  wholeListIn({ operation, shows: 'DatastoreItems' }, reply.result, true);
  return (reply.result.DatastoreItems ?? []).filter((item) => item !== null);
}

function line(item: Item, depth: number): string {
  const words = (item.Translations ?? []).map((each) => `${each?.CultureCode ?? ''}: ${each?.Value ?? ''}`);
  const marks = [item.IsDefault === true ? 'default' : '', item.IsInactive === true ? 'inactive' : '', ...words];
  const filled = marks.filter((mark) => mark !== '');
  return `${'  '.repeat(depth)}${item.Description ?? ''}${filled.length === 0 ? '' : ` (${filled.join('; ')})`}  ${item.Id ?? ''}`;
}

const idOf = (id: string | null | undefined): string => id?.toLowerCase() ?? '';

/** Entries as a tree, each above the entries below it; an entry whose parent is missing stands at the top. */
function treeLines(items: readonly Item[]): readonly string[] {
  const ids = new Set(items.map(({ Id }) => idOf(Id)));
  const below = new Map<string, Item[]>();
  for (const item of items) {
    const parent = ids.has(idOf(item.ParentId)) ? idOf(item.ParentId) : '';
    below.set(parent, [...(below.get(parent) ?? []), item]);
  }
  const seen = new Set<string>();
  const branch = (parent: string, depth: number): readonly string[] =>
    (below.get(parent) ?? []).flatMap((item) => {
      const id = idOf(item.Id);
      // A service could send entries that are above each other in a circle.
      if (seen.has(id)) return [];
      seen.add(id);
      return [line(item, depth), ...branch(id, depth + 1)];
    });
  const top = branch('', 0);
  return [...top, ...items.filter(({ Id }) => !seen.has(idOf(Id))).map((item) => line(item, 0))];
}

async function printTree(context: Context, entityTypeId: string, flags: ItemFlags): Promise<void> {
  refuseWith('-o tree', {
    '--output-file': flags['output-file'],
    '--columns': flags.columns,
    '--limit': flags.limit,
    '--envelope': flags.envelope,
  });
  const session = await openSession(context, flags);
  const parents = flags.parents === undefined ? [] : await itemsOf(session, flags.parents, flags.translations);
  const items = await itemsOf(session, entityTypeId, flags.translations);
  const lines = treeLines([...parents, ...items]);
  await context.streams.out.write(lines.map((each) => `${escapeForTerminal(each)}\n`).join(''));
}

/** Lists the entries of a datastore (interface document, Endpoints, DatastoreGetWithParentItems_V2). Throws `usage` and what the call throws. */
export async function listItems(context: Context, entityType: string, flags: ItemFlags): Promise<void> {
  const { output } = flags;
  if (output === 'tree') return printTree(context, entityType, flags);
  if (flags.parents !== undefined) {
    throw usage('--parents', '--parents is for -o tree only', '-o tree');
  }
  const session = await openSession(context, flags);
  await runList(
    { context, session, flags: { ...flags, output } },
    {
      operation,
      input: { entityTypeId: entityType, includeTranslations: flags.translations },
      shows: 'DatastoreItems',
      table: [
        'Id',
        'Description',
        'IsDefault',
        'IsInactive',
        'ParentId',
        ...(flags.translations ? ['Translations'] : []),
      ],
    },
  );
}
