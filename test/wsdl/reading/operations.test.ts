import assert from 'node:assert/strict';
import type { Description } from '../../../src/wsdl/reading/described.js';
import { descriptionOf, importedFrom, wsdlText, type WsdlText } from '../../support/wsdl.js';
import { encodeFields } from '../../../src/soap/codec/encode.js';
import type { RecordValue } from '../../../src/core/values/value.js';
import { argv } from '../../support/argv.js';

const described = (text: WsdlText): Promise<Description> => descriptionOf({ 'service.wsdl': wsdlText(text) });

/** The parameters of Ask: name, type, presence, and what else there is of them. */
async function parametersOf(text: WsdlText): Promise<readonly string[]> {
  const { operations, types } = await described(text);
  const [ask] = operations;
  const nameOf = (type: Description['types'][number]): string => {
    switch (type.kind) {
      case 'scalar':
        return type.as === undefined ? type.name : `${type.name} (${type.as})`;
      case 'ref':
        return nameOf(types[type.at] ?? assert.fail());
      case 'list':
        return `list of ${nameOf(type.item)}`;
      case 'record':
      case 'enumeration':
        return type.name;
    }
  };
  return (ask?.parameters ?? []).map(({ name, type, presence, nillable, repeats, namespace }) =>
    [
      name,
      nameOf(type),
      presence,
      nillable && 'nillable',
      repeats && 'repeats',
      namespace !== undefined && `in '${namespace}'`,
    ]
      .filter((word) => typeof word === 'string')
      .join(' '),
  );
}

const sequence = (...elements: readonly string[]): string => `<xs:sequence>${elements.join('')}</xs:sequence>`;
const one = (attributes: string): string => `<xs:element ${attributes}/>`;

describe('operations of a WSDL', () => {
  it('have their words, their elements and their action', async () => {
    const { namespace, operations, unread } = await described({ ask: '', answer: '' });
    assert.deepEqual(
      { namespace, operations, unread },
      {
        namespace: 'urn:t',
        operations: [
          {
            name: 'Ask',
            doc: 'Asks something.',
            soapAction: 'urn:t/Ask',
            request: { namespace: 'urn:t', local: 'Ask' },
            response: { namespace: 'urn:t', local: 'AskResponse' },
            parameters: [],
            takesCredentials: false,
            result: [],
          },
        ],
        unread: [],
      },
    );
  });

  const forms: readonly (readonly [what: string, text: WsdlText, parameters: readonly string[]])[] = [
    [
      'presence',
      {
        ask: sequence(
          one('name="a" type="xs:string"'),
          one('name="b" type="xs:string" nillable="true"'),
          one('name="c" type="xs:string" minOccurs="0"'),
          one('name="d" type="xs:string" minOccurs="0" nillable="true"'),
          one('name="e" type="xs:string" maxOccurs="0"'),
        ),
      },
      ['a string req', 'b string nil', 'c string opt', 'd string opt nillable'],
    ],
    [
      'scalars',
      {
        ask: sequence(
          ...argv`int short long decimal dateTime boolean anyType double date unsignedInt byte integer base64Binary`.map(
            (type) => one(`name="${type}" type="xs:${type}"`),
          ),
        ),
      },
      [
        ...['int', 'short', 'long', 'decimal', 'dateTime', 'boolean', 'anyType'].map((type) => `${type} ${type} req`),
        'double string (double) req',
        'date string (date) req',
        'unsignedInt long (unsignedInt) req',
        'byte short (byte) req',
        'integer decimal (integer) req',
        'base64Binary string (base64Binary) req',
      ],
    ],
    [
      'the guid of .NET',
      { ask: sequence('<xs:element name="a" xmlns:g="http://microsoft.com/wsdl/types/" type="g:guid"/>') },
      ['a guid req'],
    ],
    ['an element without a type', { ask: sequence(one('name="a"')) }, ['a anyType req']],
    [
      'elements that repeat',
      { ask: sequence(one('name="a" type="xs:int" maxOccurs="unbounded"')) },
      ['a int req repeats'],
    ],
    [
      'a list with an element of its own',
      {
        ask: sequence(one('name="a" type="t:As"')),
        types: `<xs:complexType name="As">${sequence(one('name="A" type="xs:int" minOccurs="0" maxOccurs="unbounded"'))}</xs:complexType>`,
      },
      ['a list of int req'],
    ],
    [
      'a choice',
      { ask: `<xs:choice>${one('name="a" type="xs:int"')}${sequence(one('name="b" type="xs:int"'))}</xs:choice>` },
      ['a int opt', 'b int opt'],
    ],
    [
      'sequences within sequences, and groups',
      {
        ask: sequence(
          sequence(one('name="a" type="xs:int"')),
          `<xs:sequence minOccurs="0">${one('name="b" type="xs:int"')}</xs:sequence>`,
          '<xs:group ref="t:G" minOccurs="0"/>',
        ),
        types: `<xs:group name="G"><xs:all>${one('name="c" type="xs:int"')}</xs:all></xs:group>`,
      },
      ['a int req', 'b int opt', 'c int opt'],
    ],
    [
      'types that extend others',
      {
        ask: `<xs:complexContent><xs:extension base="t:Base">${sequence(one('name="b" type="xs:int"'))}</xs:extension></xs:complexContent>`,
        types: `<xs:complexType name="Base">${sequence(one('name="a" type="xs:int"'))}</xs:complexType>`,
      },
      ['a int req', 'b int req'],
    ],
    [
      'references to elements',
      { ask: sequence(one('ref="t:a" minOccurs="0"')), types: one('name="a" type="xs:int" nillable="true"') },
      ['a int opt nillable'],
    ],
    [
      'types of their own',
      {
        ask: sequence(
          `<xs:element name="a"><xs:simpleType><xs:restriction base="xs:string"><xs:enumeration value="x"/></xs:restriction></xs:simpleType></xs:element>`,
          `<xs:element name="b"><xs:complexType>${sequence(one('name="c" type="xs:int"'), one('name="d" type="xs:int"'))}</xs:complexType></xs:element>`,
          `<xs:element name="e"><xs:complexType><xs:simpleContent><xs:extension base="xs:decimal"/></xs:simpleContent></xs:complexType></xs:element>`,
          `<xs:element name="f"><xs:simpleType><xs:list itemType="xs:int"/></xs:simpleType></xs:element>`,
        ),
      },
      ['a a req', 'b b req', 'e decimal req', 'f string (list) req'],
    ],
    [
      'elements without a namespace',
      { schema: '', ask: sequence(one('name="a" type="xs:int"'), one('name="b" type="xs:int" form="qualified"')) },
      ["a int req in ''", 'b int req'],
    ],
  ];
  for (const [what, text, parameters] of forms)
    it(`are read with ${what}`, async () => assert.deepEqual(await parametersOf(text), parameters));

  it('may have a type that holds itself', async () => {
    const tree = `<xs:complexType name="Tree">${sequence(one('name="Name" type="xs:string"'), one('name="Below" type="t:Tree" minOccurs="0"'))}</xs:complexType>`;
    const imported = await importedFrom({
      'service.wsdl': wsdlText({ ask: sequence(one('name="tree" type="t:Tree"')), types: tree }),
    });
    const ask = imported.find('Ask') ?? assert.fail();
    const input = { tree: { Name: 'a', Below: { Name: 'b', Below: { Name: 'c' } } } };
    assert.equal(
      encodeFields(ask.parameters, input, { direction: 'request', of: 'Ask' }),
      '<tree><Name>a</Name><Below><Name>b</Name><Below><Name>c</Name></Below></Below></tree>',
    );
  });

  const written: readonly (readonly [what: string, text: WsdlText, input: RecordValue, xml: string])[] = [
    [
      'repeated elements',
      {
        ask: sequence(
          one('name="a" type="xs:int" maxOccurs="unbounded"'),
          one('name="b" type="xs:int" minOccurs="0" maxOccurs="9"'),
        ),
      },
      { a: [1, 2] },
      '<a>1</a><a>2</a>',
    ],
    [
      'nil where an element may be left out, too',
      { ask: sequence(one('name="a" type="xs:int" minOccurs="0" nillable="true"')) },
      { a: null },
      '<a xsi:nil="true" />',
    ],
    [
      'elements without a namespace between those that have one',
      {
        schema: '',
        ask: sequence(one('name="a" type="t:R"'), one('name="b" type="xs:int" form="qualified"')),
        types: `<xs:complexType name="R">${sequence(one('name="c" type="xs:int"'), one('name="d" type="xs:int" maxOccurs="2" form="qualified"'))}</xs:complexType>`,
      },
      { a: { c: 1, d: [2, 3] }, b: 4 },
      '<a xmlns=""><c xmlns="">1</c><d xmlns="urn:t">2</d><d xmlns="urn:t">3</d></a><b xmlns="urn:t">4</b>',
    ],
  ];
  for (const [what, text, input, xml] of written) {
    it(`are sent with ${what}`, async () => {
      const imported = await importedFrom({ 'service.wsdl': wsdlText(text) });
      const { parameters } = imported.find('Ask') ?? assert.fail();
      assert.equal(encodeFields(parameters, input, { direction: 'request', of: 'Ask' }), xml);
    });
  }

  const unread: readonly (readonly [what: string, text: WsdlText, told: readonly string[]])[] = [
    [
      'attributes',
      { ask: '<xs:attribute name="lang" type="xs:string"/>' },
      ['Ask: attribute lang: read but never sent'],
    ],
    ['any element', { ask: sequence('<xs:any minOccurs="0"/>') }, ['Ask: any element: read but never sent']],
    [
      'elements in turn',
      {
        ask: sequence(one('name="a" type="t:T"')),
        types: `<xs:complexType name="T"><xs:choice maxOccurs="unbounded">${one('name="b"')}${one('name="c"')}</xs:choice></xs:complexType>`,
      },
      ['T: a sequence of elements that repeats'],
    ],
    [
      'an element at two places',
      {
        ask: sequence(one('name="a" type="t:T"')),
        types: `<xs:complexType name="T">${sequence(one('name="b"'), one('name="c"'), one('name="b"'))}</xs:complexType>`,
      },
      ['T: an element at several positions'],
    ],
    [
      'a type that nothing declares',
      { ask: sequence(one('name="a" type="t:None"')) },
      ["Ask: the description has no complexType None in the namespace 'urn:t'"],
    ],
    [
      'a type that extends itself',
      {
        ask: sequence(one('name="a" type="t:T"')),
        types:
          '<xs:complexType name="T"><xs:complexContent><xs:extension base="t:T"/></xs:complexContent></xs:complexType>',
      },
      ['T: the type T extends itself'],
    ],
  ];
  for (const [what, text, told] of unread) {
    it(`name what is not read of them: ${what}`, async () => {
      const found = await described(text);
      assert.deepEqual(
        found.unread.map((each) => `${each.place}: ${each.what}`),
        told,
      );
    });
  }

  for (const [what, from, to, told] of [
    ['SOAP encoding', 'use="literal"', 'use="encoded"', 'Ask: SOAP encoding'],
    ['RPC', '<soap:binding ', '<soap:binding style="rpc" ', "Ask: the style 'rpc'"],
    ['no answer', '<w:output message="t:out"/>', '', 'Ask: a call without an answer, or an answer without a call'],
    ['a message of types', 'element="t:Ask"', 'type="t:Ask"', 'Ask: a message that is not one element'],
  ] as const) {
    it(`are left out, and named, with ${what}`, async () => {
      const text = wsdlText({ ask: '' });
      assert.ok(text.includes(from));
      const { operations, unread: left } = await descriptionOf({ 'service.wsdl': text.replace(from, to) });
      assert.deepEqual(operations, []);
      assert.deepEqual(
        left.map(({ place, what: why }) => `${place}: ${why}`),
        [told],
      );
    });
  }

  it('are none without a binding of SOAP', async () => {
    const text = wsdlText({ ask: '' }).replaceAll('http://schemas.xmlsoap.org/wsdl/soap/', 'urn:other');
    await assert.rejects(descriptionOf({ 'service.wsdl': text }), /no binding of SOAP 1\.1 or 1\.2/);
  });
});
