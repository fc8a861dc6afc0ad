import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import type { OptionFacts } from '../../../src/kit/flags/define.js';

/** What stands for the Ids of something, and why where it is the Id alone. */
const decisions = {
  'names of the mirror': [
    ...['activity add-line ID', 'activity attach ID', 'activity connected ID', 'activity involved ID'],
    ...['activity labels ID', 'activity update ID', 'relation activities ID', 'relation get ID'],
    ...['relation marks ID', 'relationship add-line ID', 'relationship labels ID', 'subscription add-line ID'],
  ],
  'names of the profile: no operation lists what it is': [
    ...['activity add-line --vat', 'activity fields WORKFLOW', 'activity labels --workflow'],
    ...['activity search --entity-type', 'activity search --fields-of', 'activity update --owner'],
    ...['activity update --entity-type', 'activity update --queue', 'activity update --workflow'],
    ...['datastore create-item ENTITY-TYPE', 'datastore items --parents', 'datastore items ENTITY-TYPE'],
    ...['mirror add --entity-type', 'mirror add --fields-of', 'mirror add --workflow', 'notification count --user'],
    ...['notification list --user', 'product list --group', 'product update --product-group-id'],
    ...['product update --sales-vat-id', 'relation activities --workflow', 'relationship add-line --datastore'],
    ...['relationship add-line --entity-type', 'relationship labels --workflow', 'subscription add-line --vat'],
    ...['workflow steps ID', 'writes undo --workflow'],
  ],
  'an Id or a name, by the KIND before it': ['mirror add ID'],
  'codes and names of the service': [
    'activity add-line --product',
    'product get PRODUCT',
    'product update PRODUCT',
    'subscription add-line --product',
  ],
  'a file of Ids and names': [
    'notification count --ids',
    'relation activities --ids',
    'relation get --ids',
    'relation marks --ids',
  ],
  'a file of Ids alone: no operation lists attachments': ['attachment get --ids'],
  'the Id alone: no operation lists attachments': ['attachment get ID'],
  'the Id, which gets its name here; of a field-datastore also the name of a datastore': ['name set ID'],
  'the Id alone: what says which service it is cannot be looked up in it': [
    'profile add --database-id',
    'profile add --user-id',
    'profile edit --database-id',
    'profile edit --user-id',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Decision = keyof typeof decisions;

/** Flags that take no Id and have words about Ids, or take what an Id looks like: switches, columns, patterns, folders, secrets, headers. */
const aboutIds = /^(?:columns|with-names|pattern|reads|output-dir|api-key-stdin|api-key-from|header-stdin)$/;

const recordKinds: ReadonlySet<string> = new Set(['relation', 'relationship', 'activity']);

type Definition = OptionFacts & {
  readonly summary?: string;
  readonly description?: string;
  readonly helpValue?: unknown;
};

type Definitions = Readonly<Record<string, Definition>>;

const someId = '00000000-0000-4000-8000-000000000101';

/** True when a text is taken where a value is read. */
function takes({ reader }: Definition, text: string): boolean {
  try {
    reader?.(text, 'it');
    return reader !== undefined;
  } catch {
    return false;
  }
}

const isIdAlone = (each: Definition): boolean => takes(each, someId) && !takes(each, 'plain words');

const saysId = ({ summary = '', description = '', helpValue = '' }: Definition): boolean =>
  /\b(?:Ids?|GUIDs?)\b/.test(`${summary} ${description}`) || /\bID\b/.test(String(helpValue));

interface Place {
  readonly name: string;
  readonly definition: Definition;
}

const folder = new URL('../../../src/commands/', import.meta.url);

async function placesIn(path: string): Promise<readonly Place[]> {
  const { default: command } = (await import(new URL(path, folder).href)) as {
    readonly default: { readonly args?: Definitions; readonly flags?: Definitions };
  };
  const words = path.replace(/\.ts$/, '').replaceAll('/', ' ');
  return [
    ...Object.entries(command.args ?? {}).map(([name, definition]) => ({
      name: `${words} ${name.toUpperCase()}`,
      definition,
    })),
    ...Object.entries(command.flags ?? {})
      .filter(([name]) => !aboutIds.test(name))
      .map(([name, definition]) => ({ name: `${words} --${name}`, definition })),
  ];
}

describe('Each argument and flag that is the Id of something', () => {
  let places: readonly Place[] = [];
  const chosen = new Map<string, Decision>(
    Object.entries(decisions).flatMap(([decision, names]) =>
      names.map((name) => [name, decision as Decision] as const),
    ),
  );

  before(async () => {
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    places = (await Promise.all(paths.map((path) => placesIn(path.replaceAll('\\', '/'))))).flat();
  });

  it('has a decision about what stands for the Id, and each decision is about one that is there', () => {
    const found = places.filter(({ definition: each }) => each.idOf !== undefined || isIdAlone(each) || saysId(each));
    const names = new Set(found.map(({ name }) => name));
    assert.deepEqual([...names].toSorted(), [...chosen.keys()].toSorted());
    assert.equal(chosen.size, Object.values(decisions).flat().length);
  });

  it('takes what was decided', () => {
    for (const { name, definition: each } of places) {
      const decision = chosen.get(name);
      if (decision === undefined) continue;
      assert.ok(/^a file/.test(decision) || takes(each, someId), name);
      assert.equal(isIdAlone(each), decision.startsWith('the Id alone'), name);
      const kind = each.idOf ?? '';
      assert.equal(recordKinds.has(kind), decision === 'names of the mirror', name);
      assert.equal(kind !== '' && !recordKinds.has(kind), decision.startsWith('names of the profile'), name);
    }
  });
});
