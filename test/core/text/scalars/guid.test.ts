import assert from 'node:assert/strict';
import fc from 'fast-check';
import { emptyGuid, guidComplaint, isGuid, pastedGuid, sameGuid } from '../../../../src/core/text/scalars.js';

const guid = fc.uuid().chain((text) => fc.constantFrom(text, text.toUpperCase()));

describe('isGuid', () => {
  it('takes 8-4-4-4-12 hexadecimal digits in either case', () => {
    fc.assert(fc.property(guid, isGuid));
    assert.ok(isGuid(emptyGuid));
    assert.ok(isGuid('6F9619FF-8b86-D011-b42d-00C04fc964FF'));
  });

  for (const text of [
    '',
    '6f9619ff8b86d011b42d00c04fc964ff',
    '{6f9619ff-8b86-d011-b42d-00c04fc964ff}',
    '6f9619ff-8b86-d011-b42d-00c04fc964f',
    '6f9619ff-8b86-d011-b42d-00c04fc964ffa',
    '6f9619ff-8b86-d011-b42d-00c04fc964fg',
    ' 6f9619ff-8b86-d011-b42d-00c04fc964ff',
    '6f9619ff-8b86-d011-b42d-00c04fc964ff\n',
    '６f9619ff-8b86-d011-b42d-00c04fc964ff',
  ])
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(isGuid(text), false));
});

describe('sameGuid', () => {
  it('does not look at case', () => {
    fc.assert(fc.property(fc.uuid(), (text) => sameGuid(text, text.toUpperCase())));
  });

  it('tells different ones apart', () => {
    assert.equal(sameGuid('6f9619ff-8b86-d011-b42d-00c04fc964ff', '6f9619ff-8b86-d011-b42d-00c04fc964fe'), false);
  });
});

/** The numbers of a GUID as .NET and C write them. */
const inNumbers = (guid: string): string => {
  const [a = '', b = '', c = '', d = '', e = ''] = guid.split('-');
  const bytes = (d + e).match(/../g) ?? [];
  return `{0x${a},0x${b},0x${c},{${bytes.map((byte) => `0x${byte}`).join(',')}}}`;
};

/** Ways in which people copy a GUID. */
const ways: Readonly<Record<string, (guid: string) => string>> = {
  'as it is': (guid) => guid,
  'without dashes': (guid) => guid.replaceAll('-', ''),
  'in braces': (guid) => `{${guid}}`,
  'in braces, without dashes': (guid) => `{${guid.replaceAll('-', '')}}`,
  'in parentheses': (guid) => `(${guid})`,
  'in double quotes': (guid) => `"${guid}"`,
  'in single quotes': (guid) => `'${guid}'`,
  'in the quotes of a word processor': (guid) => `\u201c${guid}\u201d`,
  'in quotes and braces': (guid) => `"{${guid}}"`,
  'as a line of a list': (guid) => `  '${guid}',`,
  'as a URN': (guid) => `urn:uuid:${guid}`,
  'with a scheme': (guid) => `uuid:${guid}`,
  'with spaces around': (guid) => ` \t${guid} \r\n`,
  'with signs without a width': (guid) => `\ufeff${guid}\u200b\u00a0`,
  'with the dashes of a word processor': (guid) => guid.replaceAll('-', '\u2011'),
  'with en dashes': (guid) => guid.replaceAll('-', '\u2013'),
  'as numbers': inNumbers,
  'as numbers with spaces': (guid) => inNumbers(guid).replaceAll(',', ', '),
};

describe('pastedGuid', () => {
  for (const [name, way] of Object.entries(ways))
    it(`reads a GUID ${name}, in either case, as the service writes it`, () => {
      fc.assert(
        fc.property(fc.uuid(), (id) => {
          assert.equal(pastedGuid(way(id)), id);
          assert.equal(pastedGuid(way(id).toUpperCase()), id);
        }),
      );
    });

  const id = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
  for (const text of [
    '',
    '{}',
    'nobody',
    id.slice(1),
    `${id}0`,
    `{${id}`,
    `${id}}`,
    `{${id})`,
    `"${id}`,
    `${id} ${id}`,
    `${id},${id}`,
    `${id},,`,
    `6f9619f-f8b86-d011-b42d-00c04fc964ff`,
    `6f9619ff8b86-d011-b42d-00c04fc964ff`,
    '6f9619ff--8b86-d011-b42d-00c04fc964ff',
    `0x${id.replaceAll('-', '')}`,
    inNumbers(id).replace('0x8b86', '0x8b8'),
    inNumbers(id).replace(',0xff}', '}'),
    `urn:oid:${id}`,
    id.replace('6', '\uff16'),
    id.replace('f', 'g'),
    `${' '.repeat(100)}${id}`,
  ])
    it(`takes ${JSON.stringify(text)} for none`, () => assert.equal(pastedGuid(text), undefined));

  it('reads what is not a GUID, however long, at once', () => {
    const started = process.cpuUsage();
    for (const part of ['{', '"', ' ', ',', '0x', 'urn:uuid:', '(', 'a-'])
      assert.equal(pastedGuid(part.repeat(1_000_000)), undefined);
    assert.ok(process.cpuUsage(started).user < 2_000_000);
  });
});

describe('guidComplaint', () => {
  it('counts the digits of what has too few or too many', () => {
    assert.equal(guidComplaint('{6f9619ff-8b86-d011-b42d-00c04fc964f}'), ': it has 31 digits, and a GUID has 32');
    assert.equal(guidComplaint('6f9619ff8b86d011b42d00c04fc964ffa'), ': it has 33 digits, and a GUID has 32');
  });

  for (const text of ['', '12', 'deadbeef', 'R-1021', '6f9619ff-8b86-d011-b42d-00c04fc964fg', 'x'.repeat(31)])
    it(`says nothing of ${JSON.stringify(text)}`, () => assert.equal(guidComplaint(text), ''));

  // With a check that takes the square of the length, this would take hours.
  it('says nothing of a long text', () => assert.equal(guidComplaint(`${'-'.repeat(1_000_000)}x`), ''));
});
