import assert from 'node:assert/strict';
import type { Fields } from '../../../src/contract/build.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import type { RecordValue } from '../../../src/core/values/value.js';
import { encodeFields } from '../../../src/soap/codec/encode.js';
import type { DescribedType } from '../../../src/wsdl/reading/described.js';
import { descriptionOf, importedFrom, wsdlText, type WsdlText } from '../../support/wsdl.js';

interface Found {
  /** Parameters of Ask with their types; undefined when it was left out. */
  readonly parameters: readonly string[] | undefined;
  readonly told: readonly string[];
}

async function found(text: WsdlText, documents: Readonly<Record<string, string>> = {}): Promise<Found> {
  const { operations, types, unread } = await descriptionOf({ ...documents, 'service.wsdl': wsdlText(text) });
  const nameOf = (type: DescribedType): string => {
    switch (type.kind) {
      case 'scalar':
        return type.as ?? type.name;
      case 'ref':
        return nameOf(types[type.at] ?? assert.fail());
      case 'list':
        return `list of ${nameOf(type.item)}`;
      case 'enumeration':
        return `${type.name}(${type.values.join('|')})`;
      case 'record':
        return `${type.name}{${type.fields.map(({ name }) => name).join(',')}}`;
    }
  };
  return {
    parameters: operations[0]?.parameters.map(
      ({ name, type, presence, nillable }) =>
        `${name} ${nameOf(type)} ${presence}${nillable === true ? ' nillable' : ''}`,
    ),
    told: unread.map(({ place, what }) => `${place}: ${what}`),
  };
}

const sequence = (...elements: readonly string[]): string => `<xs:sequence>${elements.join('')}</xs:sequence>`;
const one = (attributes: string): string => `<xs:element ${attributes}/>`;
const a = one('name="a" type="t:T"');
const complex = (name: string, content: string, attributes = ''): string =>
  `<xs:complexType name="${name}" ${attributes}>${content}</xs:complexType>`;
const extending = (name: string, base: string): string =>
  complex(
    name,
    `<xs:complexContent><xs:extension base="${base}">${sequence(one(`name="in${name}"`))}</xs:extension></xs:complexContent>`,
  );
const enumeration = (name: string, base: string, ...values: readonly string[]): string =>
  `<xs:simpleType name="${name}"><xs:restriction base="${base}">${values.map((value) => `<xs:enumeration value="${value}"/>`).join('')}</xs:restriction></xs:simpleType>`;

describe('types of a schema', () => {
  const forms: readonly (readonly [what: string, text: WsdlText, ...Found[]])[] = [
    [
      'say yes with 1, with space around',
      { ask: sequence(one('name="a" type="xs:int" nillable=" 1 " minOccurs=" 0 "'), one('name="b" nillable="0"')) },
      { parameters: ['a int opt nillable', 'b anyType req'], told: [] },
    ],
    [
      'have no elements of what comes at most 0 times',
      { ask: sequence(`<xs:sequence maxOccurs="0">${a}</xs:sequence>`, one('name="b" type="xs:int"')) },
      { parameters: ['b int req'], told: [] },
    ],
    [
      'may hold themselves by a reference to an element without a type',
      {
        ask: sequence(one('ref="t:N"')),
        types: `<xs:element name="N"><xs:complexType>${sequence(one('ref="t:N" minOccurs="0"'), one('name="v" type="xs:int"'))}</xs:complexType></xs:element>`,
      },
      { parameters: ['N N{N,v} req'], told: [] },
    ],
    [
      'may hold themselves by a group',
      {
        ask: sequence('<xs:group ref="t:G"/>'),
        types: `<xs:group name="G">${sequence(`<xs:element name="c"><xs:complexType>${sequence('<xs:group ref="t:G" minOccurs="0"/>', one('name="v"'))}</xs:complexType></xs:element>`)}</xs:group>`,
      },
      { parameters: ['c c{c,v} req'], told: [] },
    ],
    [
      'name elements in whose place others may stand',
      {
        ask: sequence(one('ref="t:head"'), one('ref="t:other"')),
        types: `${one('name="head" type="xs:int"')}${one('name="other" substitutionGroup="t:head" type="xs:int"')}`,
      },
      { parameters: ['head int req', 'other int req'], told: ['head: an element that others can substitute'] },
    ],
    [
      'name types in whose place others must stand, but not those that extend them',
      {
        ask: sequence(one('name="a" type="t:T" minOccurs="0"'), one('name="b" type="t:U"')),
        types: `${complex('T', sequence(one('name="x"'), one('name="y"')), 'abstract="true"')}${complex('U', '<xs:complexContent><xs:extension base="t:T"/></xs:complexContent>')}`,
      },
      {
        parameters: ['a T{x,y} opt', 'b U{x,y} req'],
        told: ['T: an abstract type: never sent'],
      },
    ],
    [
      'name types that others may stand for, where those add something, and not each that is extended',
      {
        ask: sequence(a, one('name="v" type="t:V"')),
        types: [
          complex('T', sequence(one('name="x"'), one('name="y"'))),
          ...['U', 'V', 'W', 'X'].map((name) => extending(name, 't:T')),
          complex('B', sequence(one('name="x"'), one('name="y"'))),
          extending('C', 't:B'),
          // Nothing uses it, so that its prefix, which nothing declares, does no harm.
          extending('D', 'q:B'),
        ].join(''),
      },
      {
        parameters: ['a T{x,y} req', 'v V{x,y,inV} req'],
        told: ['T: a type that others can extend (U, V, W and 1 more): their additions are read but never sent'],
      },
    ],
    [
      'have the values of an enumeration that another one keeps of it',
      {
        ask: sequence(one('name="a" type="t:T"'), one('name="b" type="t:U"'), one('name="c" type="t:V"')),
        types: `${enumeration('T', 'xs:string', 'x', 'y', 'x')}${enumeration('U', 't:T', 'y')}${enumeration('V', 't:U')}`,
      },
      { parameters: ['a T(x|y) req', 'b U(y) req', 'c U(y) req'], told: [] },
    ],
    [
      'name attributes, but not those that must not stand',
      {
        ask: sequence(a),
        types: complex(
          'T',
          `${sequence(one('name="x"'), one('name="y"'))}<xs:attribute name="no" use="prohibited"/><xs:attribute name="yes"/>`,
        ),
      },
      { parameters: ['a T{x,y} req'], told: ['T: attribute yes: read but never sent'] },
    ],
    [
      'are trees where a list is a list of itself',
      {
        ask: sequence(a),
        types: complex('T', sequence(one('ref="t:N" maxOccurs="9"'))) + one('name="N" type="t:T"'),
      },
      { parameters: ['a anyType req'], told: ['N: an endlessly nested list'] },
    ],
    [
      'are trees where a type was redefined',
      {
        ask: sequence(a),
        types: `<xs:redefine schemaLocation="r.xsd">${complex('R', '<xs:complexContent><xs:extension base="t:R"/></xs:complexContent>')}</xs:redefine>${complex('T', sequence(one('name="x" type="t:R"')))}`,
      },
      { parameters: ['a anyType req'], told: ['T: the complexType R is redefined (redefine)'] },
    ],
    [
      'are trees where an element has a name that is none',
      { ask: sequence(a), types: complex('T', sequence(one('name="x&gt;&lt;y"'))) },
      { parameters: ['a anyType req'], told: ["T: 'x><y' is not the name of an element"] },
    ],
    [
      'have no element named __proto__',
      { ask: sequence(a), types: complex('T', sequence(one('name="__proto__"'))) },
      { parameters: ['a anyType req'], told: ["T: '__proto__' is not the name of an element"] },
    ],
    [
      'are trees where they are made of too many others',
      {
        ask: sequence(a),
        types: `${complex('T', '<xs:complexContent><xs:extension base="t:T0"/></xs:complexContent>')}${Array.from({ length: 300 }, (_, at) => complex(`T${at}`, `<xs:complexContent><xs:extension base="t:T${at + 1}"/></xs:complexContent>`)).join('')}`,
      },
      { parameters: ['a anyType req'], told: ['T: the type T101 is made of too many others'] },
    ],
  ];
  for (const [what, text, expected] of forms) {
    it(what, async () =>
      assert.deepEqual(
        await found(text, {
          'r.xsd': `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t">${complex('R', sequence(one('name="x"')))}</xs:schema>`,
        }),
        expected,
      ),
    );
  }

  for (const [what, element] of [
    [
      'text with attributes',
      '<xs:complexType><xs:simpleContent><xs:extension base="xs:int"/></xs:simpleContent></xs:complexType>',
    ],
    ['text', '<xs:simpleType><xs:restriction base="xs:int"/></xs:simpleType>'],
  ] as const) {
    it(`leave out an operation whose message is ${what}`, async () => {
      const wsdl = wsdlText({ ask: '' }).replace(
        '<xs:element name="Ask"><xs:complexType></xs:complexType>',
        () => `<xs:element name="Ask">${element}`,
      );
      assert.ok(wsdl.includes(element));
      const { operations, unread } = await descriptionOf({ 'service.wsdl': wsdl });
      assert.deepEqual([operations, unread], [[], [{ place: 'Ask', what: 'a message that is not a record' }]]);
    });
  }

  it('of a message may be those of a schema without a namespace', async () => {
    const whole = wsdlText({ ask: '' });
    const { operations } = await descriptionOf({
      'service.wsdl': whole.replace(
        /<xs:element name="Ask">.*?<\/xs:element>/s,
        '<xs:include schemaLocation="c.xsd"/>',
      ),
      'c.xsd': `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${one('name="Ask" type="T"')}${complex('T', sequence(one('name="x" type="xs:int" form="qualified"')))}</xs:schema>`,
    });
    assert.deepEqual(operations[0]?.parameters, [
      { name: 'x', type: { kind: 'scalar', name: 'int' }, presence: 'req', doc: '' },
    ]);
  });

  it('end where groups hold groups beyond all measure', async () => {
    const groups = Array.from(
      { length: 40 },
      (_, at) => `<xs:group name="G${at}">${sequence(`<xs:group ref="t:G${at + 1}"/>`.repeat(2))}</xs:group>`,
    );
    const types = `${groups.join('')}<xs:group name="G40">${sequence()}</xs:group>`;
    await assert.rejects(found({ ask: sequence('<xs:group ref="t:G0"/>'), types }), /more than 200000 elements/);
  });

  it('may be a long row', async () => {
    const types = Array.from({ length: 20_000 }, (_, at) =>
      complex(`T${at === 0 ? '' : at}`, sequence(one(`name="next" type="t:T${at + 1}"`), one('name="b"'))),
    );
    const { parameters, told } = await found({
      ask: sequence(a),
      types: types.join('') + complex('T20000', sequence(one('name="b"'), one('name="c"'))),
    });
    assert.deepEqual([parameters, told], [['a T{next,b} req'], []]);
  });

  it('may have more elements than a call has room for', async () => {
    const fields = Array.from({ length: 150_000 }, (_, at) => one(`name="f${at}" type="xs:int"`));
    const { operations } = await descriptionOf({
      'service.wsdl': wsdlText({ ask: sequence(sequence(fields.join(''))) }),
    });
    assert.equal(operations[0]?.parameters.length, 150_000);
  });

  it('keep the values of an enumeration once, however many elements have it', async () => {
    const fields = Array.from({ length: 50 }, (_, at) => one(`name="f${at}" type="t:T"`));
    const { types } = await descriptionOf({
      'service.wsdl': wsdlText({ ask: sequence(...fields), types: enumeration('T', 'xs:string', 'x', 'y') }),
    });
    assert.deepEqual(types, [{ kind: 'enumeration', name: 'T', doc: '', values: ['x', 'y'] }]);
  });

  it('may have elements with the names of what objects have', async () => {
    const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];
    const ask = sequence(...names.map((name) => one(`name="${name}" type="xs:string" minOccurs="0"`)));
    const { parameters } = (await importedFrom({ 'service.wsdl': wsdlText({ ask }) })).find('Ask') ?? assert.fail();
    assert.deepEqual(Object.keys(parameters), names);
    const sent = (input: Record<string, string>): string =>
      encodeFields(parameters, input, { direction: 'request', of: 'Ask' });
    assert.equal(sent({}), '');
    assert.equal(sent({ valueOf: '1' }), '<valueOf>1</valueOf>');
  });

  const first = '<xs:element name="credentials" type="t:C" minOccurs="0"/>';
  for (const [what, key, isTaken] of [
    ['those of the contract', 'ApiKey', true],
    ['others', 'Token', false],
  ] as const) {
    it(`of a first parameter named credentials are ${what}`, async () => {
      const types = complex('C', sequence(one(`name="${key}" type="xs:string"`), one('name="b"')));
      const { operations } = await descriptionOf({ 'service.wsdl': wsdlText({ ask: sequence(first), types }) });
      assert.deepEqual(
        operations.map(({ takesCredentials, parameters }) => [takesCredentials, parameters.length]),
        [[isTaken, isTaken ? 0 : 1]],
      );
    });
  }
});

describe('what of a schema cannot be sent', () => {
  const needed = '<xs:attribute name="u" use="required"/>';
  const pair = sequence(one('name="x" minOccurs="0"'), one('name="y" minOccurs="0"'));
  const extension = (base: string, content: string): string =>
    `<xs:complexContent><xs:extension base="${base}">${content}</xs:extension></xs:complexContent>`;
  const attribute = 'the attribute u is required, and relctl sends no attributes';
  const open = 'it requires an element that the WSDL does not define (any)';
  const abstract = 'an abstract type, which another type must replace';
  const forms: readonly (readonly [what: string, types: string, why: string | undefined])[] = [
    ['a type with an attribute that must be there', complex('T', `${pair}${needed}`), attribute],
    ['one that may be left out', complex('T', `${pair}<xs:attribute name="u"/>`), undefined],
    [
      'one of a group of attributes',
      `${complex('T', `${pair}<xs:attributeGroup ref="t:G"/>`)}<xs:attributeGroup name="G"><xs:attributeGroup ref="t:G"/>${needed}</xs:attributeGroup>`,
      attribute,
    ],
    ['one of the type that is extended', complex('T', extension('t:B', pair)) + complex('B', needed), attribute],
    [
      'a text with one',
      complex('T', `<xs:simpleContent><xs:extension base="xs:string">${needed}</xs:extension></xs:simpleContent>`),
      attribute,
    ],
    ['a type for which another must stand', complex('T', pair, 'abstract="true"'), abstract],
    [
      'but not one that extends it',
      complex('T', extension('t:B', pair)) + complex('B', pair, 'abstract="1"'),
      undefined,
    ],
    ['any element', complex('T', sequence('<xs:any/>')), open],
    [
      'any element of the type that is extended',
      complex('T', extension('t:B', pair)) + complex('B', sequence('<xs:any/>')),
      open,
    ],
    [
      'but not of one that is restricted',
      complex('T', `<xs:complexContent><xs:restriction base="t:B">${pair}</xs:restriction></xs:complexContent>`) +
        complex('B', sequence('<xs:any/>')),
      undefined,
    ],
    ['nor any element that may be left out', complex('T', sequence(sequence('<xs:any minOccurs="0"/>'))), undefined],
    ['nor one of a choice', complex('T', `<xs:choice><xs:any/>${one('name="x"')}</xs:choice>`), undefined],
    ['a schema in a message', complex('T', sequence(one('ref="xs:schema"'))), open],
    [
      'a record that must have such a member',
      complex('T', sequence(one('name="x"'), one('name="m" type="t:B"'))) + complex('B', `${pair}${needed}`),
      attribute,
    ],
    [
      'but not one that may be without',
      complex('T', sequence(one('name="x"'), one('name="m" type="t:B" minOccurs="0"'))) +
        complex('B', `${pair}${needed}`),
      undefined,
    ],
    [
      'nor one with an empty list of them',
      complex('T', sequence(one('name="x"'), one('name="m" type="t:L"'))) +
        complex('L', sequence(one('name="B" type="t:B" minOccurs="0" maxOccurs="unbounded"'))) +
        complex('B', `${pair}${needed}`),
      undefined,
    ],
    [
      'an element for which another must stand',
      `${complex('T', sequence(one('name="x"'), one('ref="t:E"')))}${one('name="E" abstract="true"')}`,
      'another element must substitute it (abstract)',
    ],
  ];
  for (const [what, types, why] of forms) {
    it(`is ${what}`, async () => {
      const must = await descriptionOf({ 'service.wsdl': wsdlText({ ask: sequence(a), types }) });
      assert.deepEqual(
        [must.operations.length, must.leftOut.map((each) => `${each.name}: ${each.what}`)],
        why === undefined ? [1, []] : [0, [`Ask: a cannot be sent: ${why}`]],
      );
      const may = sequence(one('name="a" type="t:T" minOccurs="0"'));
      const { parameters } =
        (await importedFrom({ 'service.wsdl': wsdlText({ ask: may, types }) })).find('Ask') ?? assert.fail();
      assert.equal(parameters['a']?.unsent, why);
      assert.equal(encodeFields(parameters, {}, { direction: 'request', of: 'Ask' }), '');
      if (why !== undefined)
        assert.throws(() => encodeFields(parameters, { a: {} }, { direction: 'request', of: 'Ask' }), {
          message: `a cannot be sent: ${why}`,
        });
    });
  }

  it('is any item of a list of such a type', async () => {
    const many = sequence(
      one('name="a" type="t:T" minOccurs="0" maxOccurs="unbounded"'),
      one('name="b" type="xs:int"'),
    );
    const found = await importedFrom({
      'service.wsdl': wsdlText({ ask: many, types: complex('T', `${pair}${needed}`) }),
    });
    const { parameters } = found.find('Ask') ?? assert.fail();
    const sent = (input: RecordValue): string => encodeFields(parameters, input, { direction: 'request', of: 'Ask' });
    assert.equal(sent({ a: [], b: 1 }), '<b>1</b>');
    assert.throws(() => sent({ a: [{}], b: 1 }), { message: `a cannot be sent: ${attribute}` });
  });
});

describe('a choice of a schema', () => {
  const parametersOf = async (ask: string, types = ''): Promise<Fields> =>
    ((await importedFrom({ 'service.wsdl': wsdlText({ ask, types }) })).find('Ask') ?? assert.fail()).parameters;
  const int = (name: string, more = ''): string => one(`name="${name}" type="xs:int"${more}`);
  const choice = (content: string, more = ''): string => `<xs:choice${more}>${content}</xs:choice>`;
  const complaintOf = (fields: Fields, input: RecordValue): string | undefined => {
    try {
      encodeFields(fields, input, { direction: 'request', of: 'Ask' });
      return undefined;
    } catch (thrown) {
      return RelctlError.from(thrown).message;
    }
  };

  it('takes one branch, and needs one', async () => {
    const fields = await parametersOf(
      choice(int('a') + sequence(int('b'), int('c')) + int('d', ' maxOccurs="unbounded"')),
    );
    assert.deepEqual(
      [{ a: 1 }, { b: 1, c: 2 }, { d: [1] }, {}, { d: [] }, { a: 1, c: 2 }, { a: 1, b: 1, d: [2] }].map((input) =>
        complaintOf(fields, input),
      ),
      [
        ...[undefined, undefined, undefined],
        ...['the input needs one of a, b with c, d', 'the input needs one of a, b with c, d'],
        'the input takes one of a, b with c, d, not a and c',
        'the input takes one of a, b with c, d, not a and b and d',
      ],
    );
  });

  for (const [what, content] of [
    ['by itself', choice(int('a') + int('b'), ' minOccurs="0"')],
    ['within what may be left out', `<xs:sequence minOccurs="0">${choice(int('a') + int('b'))}</xs:sequence>`],
    ['by one of its branches', choice(int('a') + int('b', ' minOccurs="0"'))],
  ] as const) {
    it(`may be left out ${what}`, async () => {
      const fields = await parametersOf(content);
      assert.deepEqual(
        [{}, { b: 1 }, { a: 1, b: 2 }].map((input) => complaintOf(fields, input)),
        [undefined, undefined, 'the input takes at most one of a, b, not a and b'],
      );
    });
  }

  it('that is a branch of another one brings its own branches', async () => {
    const fields = await parametersOf(choice(choice(int('a') + int('b')) + int('c')));
    assert.equal(complaintOf(fields, { a: 1, b: 2 }), 'the input takes one of a, b, c, not a and b');
  });

  it('is another one for each place, also in a type that extends another', async () => {
    const ask = sequence(one('name="r" type="t:U"'));
    const types =
      complex('T', choice(int('a') + int('b'))) +
      complex(
        'U',
        `<xs:complexContent><xs:extension base="t:T">${choice(int('c') + int('d'))}</xs:extension></xs:complexContent>`,
      );
    const fields = await parametersOf(ask, types);
    assert.equal(complaintOf(fields, { r: { a: 1, d: 1 } }), undefined);
    assert.equal(
      complaintOf(fields, { r: { a: 1, b: 1, x: 1 } }),
      "r.x is not known to U; did you mean 'a'?; r takes one of a, b, not a and b; r needs one of c, d",
    );
  });
});
