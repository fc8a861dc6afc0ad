import assert from 'node:assert/strict';
import fc from 'fast-check';
import { chosenColumns } from '../../../src/formats/columns.js';
import { json, ndjson } from '../../../src/formats/writers/json.js';
import { hostile, unseen, anyBatches, anyRecord, person, printed } from '../../support/output/print.js';

const two = [
  { Id: 'a', Name: 'Zoë', Balance: '10.50' },
  { Id: 'b', Name: null, Marks: [] },
];

describe('JSON', () => {
  it('is one document: an array, a member a line', async () => {
    assert.equal(
      await printed(json, [two]),
      `[
  {
    "Id": "a",
    "Name": "Zoë",
    "Balance": "10.50"
  },
  {
    "Id": "b",
    "Name": null,
    "Marks": []
  }
]
`,
    );
  });

  it('is an empty array for an empty list', async () => {
    for (const batches of [[], [[]], [[], []]]) assert.equal(await printed(json, batches), '[]\n');
  });

  it('is the object itself for a single record', async () => {
    assert.equal(await printed(json, [[{ Id: 'a' }]], { shape: 'single' }), '{\n  "Id": "a"\n}\n');
  });

  it('holds every record, whatever batches they come in', async () => {
    await fc.assert(
      fc.asyncProperty(anyBatches, async (batches) => {
        assert.deepEqual(JSON.parse(await printed(json, batches)), batches.flat());
      }),
      { numRuns: 500 },
    );
  });

  it('is exact, and shows nothing that a terminal would act upon', async () => {
    const records = Object.values(hostile).map((text) => ({ Name: text }));
    const document = await printed(json, [records]);
    assert.deepEqual(JSON.parse(document), records);
    assert.doesNotMatch(document.replaceAll('\n', ''), unseen);
  });

  it('escapes controls as JSON does, never as glyphs', async () => {
    assert.equal(
      await printed(json, [[{ Name: '\u001b\u009b\u202e\n' }]], { shape: 'single' }),
      '{\n  "Name": "\\u001b\\u009b\\u202e\\n"\n}\n',
    );
  });

  it('keeps every digit of a number that came as text', async () => {
    const digits = '79228162514264337593543950336.000000000000000000001';
    assert.match(await printed(json, [[{ Balance: digits }]]), new RegExp(`"${digits.replace('.', '\\.')}"`));
  });

  it('holds the chosen columns and nothing else, under their titles; nil stays, absent stays away', async () => {
    const columns = chosenColumns(person, 'Name,Home.City,Home.Zip,Marks');
    const record = { Id: 'a', Name: null, Home: { City: 'Łódź' }, Extra: 1 };
    const shown = JSON.parse(await printed(json, [[record]], { columns, isChosen: true })) as unknown;
    assert.deepEqual(shown, [{ Name: null, 'Home.City': 'Łódź' }]);
  });

  it('takes any text for a title, as an object has it', async () => {
    const columns = chosenColumns(person, '__proto__=Id,2=Name,1=Home');
    const record = { Id: 'a', Name: 'b', Home: { City: 'c' } };
    const shown = await printed(ndjson, [[record]], { columns, isChosen: true });
    assert.deepEqual(Object.entries(JSON.parse(shown) as object), [
      ['1', { City: 'c' }],
      ['2', 'b'],
      ['__proto__', 'a'],
    ]);
  });

  it('shows fields that the contract does not know', async () => {
    assert.deepEqual(JSON.parse(await printed(json, [[{ New: { x: 'y' } }]])), [{ New: { x: 'y' } }]);
  });
});

describe('NDJSON', () => {
  it('is one record a line, and nothing for none', async () => {
    assert.equal(
      await printed(ndjson, [two]),
      '{"Id":"a","Name":"Zoë","Balance":"10.50"}\n{"Id":"b","Name":null,"Marks":[]}\n',
    );
    assert.equal(await printed(ndjson, [[]]), '');
  });

  it('never breaks a line within a record, by any reader’s idea of a line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRecord, { maxLength: 5 }), async (records) => {
        const text = await printed(ndjson, [records]);
        const lines = text.split(/\r\n|[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/);
        assert.equal(lines.pop(), '');
        assert.deepEqual(
          lines.map((line) => JSON.parse(line) as unknown),
          records,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('is the same line for a single record', async () => {
    assert.equal(await printed(ndjson, [[{ Id: 'a' }]], { shape: 'single' }), '{"Id":"a"}\n');
  });
});
