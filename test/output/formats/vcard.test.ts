import assert from 'node:assert/strict';
import fc from 'fast-check';
import { vcard } from '../../../src/output/formats/vcard.js';
import type { RecordValue } from '../../../src/plain/value.js';
import { anyText, hostile } from '../../support/output/hostile.js';
import { printed } from '../../support/output/print.js';
import { cardsByVobject, type Card } from '../../support/output/vcards.js';
import { needs } from '../../support/skip.js';

const entry = (relation: RecordValue, ...numbers: readonly (string | RecordValue)[]): RecordValue => ({
  relation,
  TelephoneNumbers: numbers.map((each) => (typeof each === 'string' ? { Type: 'Phone', Value: each } : each)),
});

const joelle = { Id: '0000-A', DisplayName: 'Joëlle Veen', SortingName: 'Veen, Joëlle' };

/** The cards of a file by another reader: unfolded lines, each a name with what stands behind the colon. */
function cardsOf(text: string): readonly (readonly (readonly [name: string, value: string])[])[] {
  const lines = text.replaceAll('\r\n ', '').split('\r\n');
  assert.equal(lines.pop(), '');
  const cards: [string, string][][] = [];
  for (const line of lines) {
    if (line === 'BEGIN:VCARD') cards.push([]);
    const at = line.indexOf(':');
    cards.at(-1)?.push([line.slice(0, at), line.slice(at + 1)]);
  }
  return cards;
}

const told = (value: string): string =>
  value.replace(/\\(.)/gs, (_, letter: string) => (letter === 'n' ? '\n' : letter));

const valuesOf = async (records: readonly RecordValue[], name: string): Promise<readonly string[]> => {
  const [card = []] = cardsOf(await printed(vcard, [records], { country: 'NL' }));
  return card.filter(([each]) => each.split(';')[0] === name).map(([, value]) => told(value));
};

describe('vCard', () => {
  it('is a card of version 3.0 with numbers as they are dialled from anywhere', async () => {
    const records = [
      entry(joelle, '(010) 555 01 98', { Type: 'Mobile', Value: '06-55501234' }, { Value: '+47 22555012' }),
    ];
    assert.equal(
      await printed(vcard, [records], { country: 'NL' }),
      [
        'BEGIN:VCARD',
        'VERSION:3.0',
        'N:Joëlle Veen;;;;',
        'FN:Joëlle Veen',
        'SORT-STRING:Veen\\, Joëlle',
        'TEL;TYPE=VOICE:+31105550198',
        'TEL;TYPE=CELL:+31655501234',
        'TEL:+4722555012',
        'UID:urn:uuid:0000-a',
        'END:VCARD',
        '',
      ].join('\r\n'),
    );
  });

  it('keeps a number that cannot be read as it was typed, and says how many', async () => {
    const records = [entry(joelle, '06-12345678; na 17:00', '010-5550198', ' ')];
    assert.deepEqual(await valuesOf(records, 'TEL'), ['06-12345678; na 17:00', '+31105550198']);
    const writer = await vcard.open({
      columns: [],
      isChosen: false,
      shape: 'list',
      hasHeader: true,
      width: undefined,
      hasColor: false,
    });
    writer.records(records);
    writer.end();
    assert.match(writer.note?.() ?? '', /^numbers that could not be read and stand as they were typed: 2; --country/);
  });

  it('dials an extension behind a pause', async () => {
    assert.deepEqual(await valuesOf([entry(joelle, '030-5550111 tst. 7')], 'TEL'), ['+31305550111,7']);
  });

  it('leaves out a relation without numbers, and a number that comes twice', async () => {
    const records = [entry({ Id: 'b', DisplayName: 'No number' }), entry(joelle, '010-5550198', '+31105550198')];
    assert.equal(cardsOf(await printed(vcard, [records], { country: 'NL' })).length, 1);
    assert.deepEqual(await valuesOf(records, 'TEL'), ['+31105550198']);
  });

  it('makes one card of the entries of a relation, across pages', async () => {
    const other = { ...joelle, Id: '0000-B' };
    const text = await printed(
      vcard,
      [[entry(joelle, '010-5550198')], [entry(joelle, '010-5550199'), entry(other, '010-5550198')]],
      { country: 'NL' },
    );
    const numbers = cardsOf(text).map((card) => card.filter(([name]) => name.startsWith('TEL')).length);
    assert.deepEqual(numbers, [2, 1]);
  });

  it('keeps the entries without an Id apart', async () => {
    const nobody = entry({ DisplayName: 'A' }, '010-5550198');
    assert.equal(cardsOf(await printed(vcard, [[nobody, nobody]], { country: 'NL' })).length, 2);
  });

  it('names a contact without a name by its number', async () => {
    assert.deepEqual(await valuesOf([entry({ Id: 'c', DisplayName: ' ' }, '010-5550198')], 'FN'), ['010-5550198']);
  });

  it('says any name in lines of at most 75 bytes', () =>
    fc.assert(
      fc.asyncProperty(fc.oneof(anyText, fc.constantFrom(...Object.values(hostile))), async (some) => {
        const name = `x${some}${some}`;
        const text = await printed(vcard, [[entry({ Id: 'd', DisplayName: name }, '+31105550198')]]);
        for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line);

        const clean = name.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ' ');
        const [card = []] = cardsOf(text);
        assert.equal(told(card.find(([each]) => each === 'FN')?.[1] ?? ''), clean);
        assert.deepEqual(card.at(-1), ['END', 'VCARD']);
      }),
    ));

  describe('as vobject reads it', () => {
    const read = async (records: readonly RecordValue[]): Promise<readonly Card[]> =>
      cardsByVobject(Buffer.from(await printed(vcard, [records], { country: 'NL' })));

    before(function () {
      needs(this, 'python3 with vobject');
    });

    it('has each number with its kind, by E.164 where it can be read', async () => {
      const numbers = [
        { Type: 'Mobile', Value: '06-55501234' },
        { Type: 'Fax', Value: '(010) 555 01 98' },
        { Type: 'Phone', Value: '030-5550111 tst. 7' },
        { Value: '06-12345678; na 17:00, vraag \\ Jan' },
      ];
      assert.deepEqual(await read([entry(joelle, ...numbers)]), [
        {
          version: '3.0',
          fn: 'Joëlle Veen',
          family: 'Joëlle Veen',
          sort: 'Veen, Joëlle',
          uid: 'urn:uuid:0000-a',
          tel: [
            ['+31655501234', ['CELL']],
            ['+31105550198', ['FAX']],
            ['+31305550111,7', ['VOICE']],
            ['06-12345678; na 17:00, vraag \\ Jan', []],
          ],
          properties: ['VERSION', 'N', 'FN', 'SORT-STRING', 'TEL', 'TEL', 'TEL', 'TEL', 'UID'],
        },
      ]);
    });

    it('has a card for each relation and nothing that a name tries to add', async () => {
      const names = [
        'BEGIN:VCARD',
        'x\nEND:VCARD\nBEGIN:VCARD\nFN:another',
        'TEL:+31900\r\nTEL;TYPE=CELL:+31901',
        'a;b,c\\n\\;d\\',
        'one\u2028two\u2029three',
        '日本'.repeat(60),
        `${'é'.repeat(38)}${'😀'.repeat(30)}`,
        `${'x'.repeat(72)}${' '.repeat(90)}y`,
        'QUOTED=C3=A9;ENCODING=b:AAAA',
      ];
      const cards = await read(names.map((name, at) => entry({ Id: `${at}`, DisplayName: name }, '010-5550198')));
      assert.deepEqual(
        cards.map(({ fn, family, tel, properties }) => [fn, family, tel, properties]),
        names.map((name) => {
          const line = name.replaceAll('\r\n', '\n');
          return [line, line, [['+31105550198', ['VOICE']]], ['VERSION', 'N', 'FN', 'TEL', 'UID']];
        }),
      );
    });
  });
});
