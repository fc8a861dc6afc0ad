import assert from 'node:assert/strict';
import fc from 'fast-check';
import { chosenColumns } from '../../../src/formats/columns.js';
import { yaml } from '../../../src/formats/writers/index.js';
import { hostile, unseen, anyBatches, anyRecord, person, printed } from '../../support/output/print.js';
import { needs } from '../../support/skip.js';
import { askPython } from '../../support/output/other-programs.js';
import { argv } from '../../support/argv.js';

const readAll = `import yaml
json.dump([yaml.safe_load(text) for text in json.load(sys.stdin)], sys.stdout)`;

describe('YAML', () => {
  it('is a list of records, nested ones indented', async () => {
    const records = [
      {
        Id: 'a',
        Name: 'Zoë',
        Balance: '10.50',
        Home: { City: 'Leiden', Zip: null },
        Marks: ['x', 'y'],
        Count: 3,
        Open: true,
      },
      { Id: 'b', Home: {}, Marks: [] },
    ];
    assert.equal(
      await printed(yaml, [records]),
      `- Id: a
  Name: "Zoë"
  Balance: "10.50"
  Home:
    City: Leiden
    Zip: null
  Marks:
    - x
    - "y"
  Count: 3
  Open: true
- Id: b
  Home: {}
  Marks: []
`,
    );
  });

  it('is a mapping for a single record, and an empty list for none', async () => {
    assert.equal(
      await printed(yaml, [[{ Id: 'a', Home: { City: 'b' } }]], { shape: 'single' }),
      'Id: a\nHome:\n  City: b\n',
    );
    assert.equal(await printed(yaml, [[]]), '[]\n');
  });

  it('quotes every text that a reader could take for something else', async () => {
    const doubtful = [
      ...[
        ...['yes', 'No', 'ON', 'off', 'y', 'N', 'true', 'False', 'null', 'NULL', '~', '', 'NaN', '.inf', '1', '-1'],
        ...['0x1f', '0o17'],
      ],
      ...argv`1e3 1_000 12:30 2024-01-31 2024-01-31T00:00:00Z "- a" "a: b" "a #b" #a &a *a !a %a @a`,
      ...[
        ...['`a', '|', '>', "'a'", '"a"', '{a}', '[a]', ' a', 'a ', 'a  b', 'a,b', '---', '...', '<<', '=', '?'],
        ...['a:', ':a', 'a\nb'],
      ],
    ];
    for (const text of doubtful) {
      assert.equal(await printed(yaml, [[{ Name: text }]]), `- Name: ${JSON.stringify(text)}\n`);
    }
  });

  it('holds the chosen columns and nothing else', async () => {
    const columns = chosenColumns(person, 'Home.City');
    assert.equal(
      await printed(yaml, [[{ Id: 'a', Home: { City: 'b' } }]], { columns, isChosen: true }),
      '- Home.City: b\n',
    );
  });

  it('shows nothing that a terminal would act upon', async () => {
    const document = await printed(yaml, [Object.values(hostile).map((text) => ({ Name: text }))]);
    assert.doesNotMatch(document.replaceAll('\n', ''), unseen);
  });

  it('reads back by PyYAML as the same records (skipped without python3-yaml)', async function () {
    needs(this, 'python3 with PyYAML');
    const batches = fc.sample(anyBatches, 150);
    const hard = [
      Object.values(hostile).map((text) => ({ Name: text, [text]: [text, [text, []], {}, [{}, { a: [1] }]] })),
    ];
    const lists = [hard, ...batches];
    const documents = await Promise.all(lists.map((each) => printed(yaml, each)));
    assert.deepEqual(
      askPython(readAll, documents, 'yaml'),
      lists.map((each) => each.flat()),
    );
  });

  it('reads back by PyYAML as the same single record (skipped without python3-yaml)', async function () {
    needs(this, 'python3 with PyYAML');
    const records = fc.sample(anyRecord, 150);
    const documents = await Promise.all(records.map((each) => printed(yaml, [[each]], { shape: 'single' })));
    assert.deepEqual(askPython(readAll, documents, 'yaml'), records);
  });

  it('holds a text of megabytes, which is words with one blank between them', async () => {
    const text = 'xxxxxxxxx '.repeat(1_000_000).trimEnd();
    assert.equal(
      await printed(yaml, [[{ Name: text }]], { columns: chosenColumns(person, 'Name') }),
      `- Name: ${text}\n`,
    );
  });
});
