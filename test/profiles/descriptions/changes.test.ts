import assert from 'node:assert/strict';
import { changesBetween } from '../../../src/profiles/descriptions/changes.js';
import type { Description } from '../../../src/wsdl/reading/described.js';
import { descriptionOf, wsdlText } from '../../support/wsdl.js';

const node = (fields: string): string =>
  `<xs:complexType name="Node"><xs:sequence>${fields}</xs:sequence></xs:complexType>
   <xs:complexType name="Other"><xs:sequence><xs:element name="node" type="t:Node"/><xs:element name="kind" type="t:Kind"/></xs:sequence></xs:complexType>
   <xs:simpleType name="Kind"><xs:restriction base="xs:string"><xs:enumeration value="x"/><xs:enumeration value="y"/></xs:restriction></xs:simpleType>`;
const fields =
  '<xs:element name="next" type="t:Other" minOccurs="0"/><xs:element name="many" type="xs:int" maxOccurs="unbounded"/>';
const list =
  '<xs:element name="list"><xs:complexType><xs:sequence><xs:element name="item" type="xs:int" maxOccurs="3"/></xs:sequence></xs:complexType></xs:element>';
const ask = `<xs:sequence><xs:element name="node" type="t:Node"/><xs:element name="text" type="xs:date"/>${list}</xs:sequence>`;
const whole = wsdlText({ ask, types: node(fields) });

const described = (text: string): Promise<Description> => descriptionOf({ 'service.wsdl': text });

/** What changes when one part of the WSDL, which must be there, becomes another. */
async function changed(from: string, to: string): Promise<readonly string[]> {
  assert.ok(whole.includes(from), from);
  const [before, after] = [await described(whole), await described(whole.replace(from, () => to))];
  const changes = changesBetween(before, after).map(({ name, change }) => `${name} ${change}`);
  const back = changesBetween(after, before).map(({ name, change }) => `${name} ${change}`);
  assert.deepEqual(
    back.map((each) => each.replace(/new|gone/, '')),
    changes.map((each) => each.replace(/new|gone/, '')),
  );
  return changes;
}

describe('what changed between two descriptions', () => {
  for (const [what, from, to] of [
    ['the type of a parameter', 'name="text" type="xs:date"', 'name="text" type="xs:dateTime"'],
    ['a type of which the text alone is known', 'type="xs:date"', 'type="xs:time"'],
    ['the name of a parameter', 'name="text"', 'name="words"'],
    ['the presence of a field far within', 'type="t:Other" minOccurs="0"', 'type="t:Other"'],
    ['whether a field far within may be nil', 'type="t:Other"', 'type="t:Other" nillable="true"'],
    ['whether the items of a list may be nil', 'name="item"', 'name="item" nillable="true"'],
    ['how often a field far within stands', 'maxOccurs="unbounded"', ''],
    ['a value of an enumeration far within', '<xs:enumeration value="y"/>', '<xs:enumeration value="z"/>'],
    ['a value less', '<xs:enumeration value="y"/>', ''],
    [
      'the order of fields',
      '<xs:element name="node" type="t:Node"/><xs:element name="kind"',
      '<xs:element name="kind" type="t:Kind"/><xs:element name="node" type="t:Node"/><xs:element name="more"',
    ],
    ['the namespace of a field', 'name="kind" type', 'form="unqualified" name="kind" type'],
    ['the SOAPAction', 'soapAction="urn:t/Ask"', 'soapAction="urn:t/Asked"'],
    ['the element of an answer', '<w:part name="p" element="t:AskResponse"/>', '<w:part name="p" element="t:Ask"/>'],
  ] as const) {
    it(`is ${what}`, async () => assert.deepEqual(await changed(from, to), ['Ask changed']));
  }

  for (const [what, from, to] of [
    ['words', 'Asks', 'Tells'],
    [
      'the order of types',
      '<xs:complexType name="Other">',
      '<xs:complexType name="Before"/><xs:complexType name="Other">',
    ],
  ] as const) {
    it(`is not ${what}`, async () => assert.deepEqual(await changed(from, to), []));
  }

  it('is not the namespace of the service', async () => {
    const other = whole.replaceAll('urn:t', 'urn:other');
    assert.deepEqual(changesBetween(await described(whole), await described(other)), []);
  });

  it('is not that a type stands within a field in place of beside it', async () => {
    const before = await described(whole);
    const inlined = (place: Description): Description => ({
      ...place,
      types: place.types.map((type) =>
        type.kind === 'record'
          ? {
              ...type,
              fields: type.fields.map((field) => {
                const at = field.type.kind === 'ref' ? place.types[field.type.at] : undefined;
                return at?.kind === 'enumeration' ? { ...field, type: at } : field;
              }),
            }
          : type,
      ),
    });
    assert.notDeepEqual(inlined(before), before);
    assert.deepEqual(changesBetween(before, inlined(before)), []);
    assert.deepEqual(changesBetween(inlined(before), before), []);
  });

  it('is told of each operation, also behind one whose types were compared already', async () => {
    const types = node(fields);
    const one = await described(wsdlText({ ask, types }));
    const two = await described(wsdlText({ ask, types: types.replace('value="y"', 'value="z"') }));
    const twice = (description: Description): Description => ({
      ...description,
      operations: description.operations.flatMap((each) => [each, { ...each, name: `${each.name}Again` }]),
    });
    assert.deepEqual(
      changesBetween(twice(one), twice(two)).map(({ name, change }) => `${name} ${change}`),
      ['Ask changed', 'AskAgain changed'],
    );
    assert.deepEqual(changesBetween(twice(one), twice(one)), []);
  });

  it('is an operation that came and one that went', async () => {
    const other = whole.replaceAll('<w:operation name="Ask">', '<w:operation name="Tell">');
    assert.deepEqual(changesBetween(await described(whole), await described(other)), [
      { name: 'Tell', change: 'new' },
      { name: 'Ask', change: 'gone' },
    ]);
  });
});
