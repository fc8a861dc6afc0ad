import assert from 'node:assert/strict';
import { PvRelationData } from '../../../src/contract/records/relation.js';
import { PvMarkData } from '../../../src/contract/records/mark.js';
import { operations } from '../../../src/contract/service.js';
import { fullResult } from '../../../src/contract/walk.js';
import type { RecordValue } from '../../../src/plain/value.js';
import { encodeFields, encodePieces, type EncodePlace } from '../../../src/soap/codec/encode.js';
import { giveItemTexts } from '../../../src/soap/codec/item-texts.js';
import { writeResponse } from '../../../src/soap/wire/response.js';
import { refittedOperation } from '../../../src/sandbox/walk.js';

const id = (digit: number): string => `aaaaaaaa-0000-4000-8000-00000000000${digit}`;

const mark = (digit: number): RecordValue => ({ Id: id(digit), Name: `Mark ${digit} – €` });

describe('Texts of the items of a list', () => {
  const fields = fullResult(operations.MarkGetAll);
  const place: EncodePlace = { direction: 'response', of: 'MarkGetAll' };
  const listOf = (): readonly RecordValue[] => [mark(1), mark(2), mark(3)];
  const written = (list: readonly RecordValue[], of = place): string =>
    [...encodePieces(fields, { Marks: list }, of)].map((piece) => Buffer.from(piece).toString()).join('');
  let plain: string;
  before(() => (plain = encodeFields(fields, { Marks: listOf() }, place)));

  it('stand for the items where they are known; the others are written, and handed over', () => {
    const list = listOf();
    const kept = new Map<number, string>();
    const known = [undefined, Buffer.from('<known>€</known>'), undefined];
    giveItemTexts(list, { type: PvMarkData, known, keep: (index, text) => kept.set(index, text) });
    const found = written(list);
    assert.deepEqual([...kept.keys()], [0, 2]);
    assert.equal(found, `<Marks>${kept.get(0)}<known>€</known>${kept.get(2)}</Marks>`);
    assert.ok(plain.includes(`${kept.get(0)}`) && plain.includes(`${kept.get(2)}`));
  });

  it('are as the whole list when all of them were handed over', () => {
    const list = listOf();
    const texts: string[] = [];
    giveItemTexts(list, { type: PvMarkData, known: [], keep: (_, text) => texts.push(text) });
    assert.equal(written(list), plain);
    const again = listOf();
    giveItemTexts(again, {
      type: PvMarkData,
      known: texts.map((text) => Buffer.from(text)),
      keep: () => assert.fail(),
    });
    assert.equal(written(again), plain);
    const text = { version: '1.1', namespace: 'urn:x', operation: operations.MarkGetAll } as const;
    assert.deepEqual(
      writeResponse({ ...text, result: { Marks: again } }),
      writeResponse({ ...text, result: { Marks: listOf() } }),
    );
  });

  it('are not asked for by another form of answers, another contract, and for items of another type', () => {
    const known = [1, 2, 3].map(() => Buffer.from('<known/>'));
    const give = (type: typeof PvMarkData | typeof PvRelationData): readonly RecordValue[] => {
      const list = listOf();
      giveItemTexts(list, { type, known, keep: () => assert.fail() });
      return list;
    };
    assert.match(written(give(PvMarkData)), /<known\/>/);
    assert.equal(written(give(PvRelationData)), plain);
    assert.doesNotMatch(written(give(PvMarkData), { ...place, direction: 'bare-response' }), /<known/);
    const reversed = refittedOperation(operations.MarkGetAll, (of) => Object.fromEntries(Object.entries(of).reverse()));
    const text = {
      version: '1.1',
      namespace: 'urn:x',
      operation: reversed,
      result: { Marks: give(PvMarkData) },
    } as const;
    assert.doesNotMatch(Buffer.from(writeResponse(text).body).toString(), /<known/);
  });

  it('may be longer and shorter than what is written around them', () => {
    for (const lengths of [
      [0, 1, 20_000],
      [8191, 8192, 8193],
      [600_000, 3, 600_000],
    ]) {
      const list = listOf();
      const known = lengths.map((length) => Buffer.from('é'.repeat(length)));
      giveItemTexts(list, { type: PvMarkData, known, keep: () => assert.fail() });
      const text = { version: '1.2', namespace: 'urn:x', operation: operations.MarkGetAll } as const;
      const found = Buffer.from(writeResponse({ ...text, result: { Marks: list } }).body).toString();
      const bare = Buffer.from(writeResponse({ ...text, result: { Marks: [] } }).body).toString();
      const [start = ''] = bare.split('<MarkGetAllResult');
      assert.equal(
        found,
        `${start}<MarkGetAllResult><Marks>${'é'.repeat(lengths.reduce((sum, one) => sum + one, 0))}</Marks>` +
          '</MarkGetAllResult></MarkGetAllResponse></soap:Body></soap:Envelope>',
      );
    }
  });
});
