import assert from 'node:assert/strict';
import {
  enumeration,
  list,
  nil,
  operation,
  opt,
  record,
  req,
  type Field,
  type Fields,
} from '../../src/contract/build.js';
import { anyType, boolean, dateTime, decimal, guid, int, long, short, string } from '../../src/contract/scalars.js';
import { enumerations } from '../../src/contract/enumerations.js';
import { operations, records } from '../../src/contract/service.js';
import { element, writeDocument, schemas, writeWsdl } from '../../src/wsdl/definitions.js';
import { needs } from '../support/skip.js';
import { validator } from '../support/wsdl.js';

const namespace = 'http://crm.example/ns';

function schemaOf(parameters: Fields, result: Fields, envelope: 'with-envelope' | 'plain' = 'plain'): string {
  const one = operation({
    name: 'Try',
    doc: '',
    access: 'read',
    parameters,
    result,
    envelope: envelope === 'with-envelope',
  });
  return writeDocument(element('types', {}, schemas([one], namespace)));
}

const memberOf = (text: string, name: string): string =>
  new RegExp(`<s:element (?=[^>]*name="${name}")[^>]*/>`).exec(text)?.[0] ?? '';

/** The element that a field becomes, as a parameter and as a member of a result. */
function both(field: Field): readonly string[] {
  return [memberOf(schemaOf({ x: field }, {}), 'x'), memberOf(schemaOf({}, { x: field }), 'x')];
}

const twice = (text: string): readonly string[] => [text, text];

const Thing = record('Thing', '', { Name: opt(string, '') });
const Colour = enumeration('Colour', '', ['Red', 'DarkBlue']);

describe('A field in the schema', () => {
  it('must be there when it is Req', () => {
    assert.deepEqual(both(req(int, '')), twice('<s:element minOccurs="1" maxOccurs="1" name="x" type="s:int" />'));
  });

  it('must be there and may be nil when it is Nil', () => {
    assert.deepEqual(
      both(nil(guid, '')),
      twice('<s:element minOccurs="1" maxOccurs="1" name="x" nillable="true" type="s1:guid" />'),
    );
  });

  it('may be left out when it is Opt, and is nil only where it nests in an answer', () => {
    assert.deepEqual(
      both(opt(string, '')),
      twice('<s:element minOccurs="0" maxOccurs="1" name="x" type="s:string" />'),
    );
    assert.deepEqual(both(opt(Thing, '')), [
      '<s:element minOccurs="0" maxOccurs="1" name="x" type="tns:Thing" />',
      '<s:element minOccurs="0" maxOccurs="1" name="x" nillable="true" type="tns:Thing" />',
    ]);
    assert.deepEqual(both(opt(list(guid), '')), [
      '<s:element minOccurs="0" maxOccurs="1" name="x" type="tns:ArrayOfGuid" />',
      '<s:element minOccurs="0" maxOccurs="1" name="x" nillable="true" type="tns:ArrayOfGuid" />',
    ]);
  });

  it('has the type of the schema that its scalar is, and none when it is untyped', () => {
    for (const type of [string, int, short, long, decimal, dateTime, boolean]) {
      assert.match(both(req(type, ''))[0] ?? '', new RegExp(` type="s:${type.name}" />`));
    }
    assert.deepEqual(both(opt(anyType, '')), twice('<s:element minOccurs="0" maxOccurs="1" name="x" />'));
  });
});

describe('A type in the schema', () => {
  const text = schemaOf(
    { colour: req(Colour, '') },
    { Things: opt(list(Thing), ''), Ids: opt(list(guid), ''), Words: opt(list(string, 'Word'), '') },
  );
  const has = (...lines: readonly string[]): void => {
    const found = lines.map((line) => ` *${line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`).join('\n');
    assert.match(text, new RegExp(found));
  };

  it('lists the exact values of an enumeration', () => {
    has(
      '<s:simpleType name="Colour">',
      '<s:restriction base="s:string">',
      '<s:enumeration value="Red" />',
      '<s:enumeration value="DarkBlue" />',
      '</s:restriction>',
      '</s:simpleType>',
    );
  });

  it('repeats the items of a list, nil only when .NET keeps them by reference', () => {
    has(
      '<s:complexType name="ArrayOfThing">',
      '<s:sequence>',
      '<s:element minOccurs="0" maxOccurs="unbounded" name="Thing" nillable="true" type="tns:Thing" />',
    );
    has(
      '<s:complexType name="ArrayOfGuid">',
      '<s:sequence>',
      '<s:element minOccurs="0" maxOccurs="unbounded" name="guid" type="s1:guid" />',
    );
    has(
      '<s:complexType name="ArrayOfStringNamedWord">',
      '<s:sequence>',
      '<s:element minOccurs="0" maxOccurs="unbounded" name="Word" nillable="true" type="s:string" />',
    );
  });

  it('spells a guid out in the namespace of Microsoft', () => {
    has(
      '<s:schema elementFormDefault="qualified" targetNamespace="http://microsoft.com/wsdl/types/">',
      '<s:simpleType name="guid">',
      '<s:restriction base="s:string">',
      '<s:pattern value="[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}" />',
    );
  });

  it('extends the result envelope where the operation has one', () => {
    const extended = schemaOf({}, { Count: req(int, '') }, 'with-envelope');
    assert.ok(
      extended.includes(`
    <s:complexType name="TryResult">
      <s:complexContent mixed="false">
        <s:extension base="tns:PvApiResult">
          <s:sequence>
            <s:element minOccurs="1" maxOccurs="1" name="Count" type="s:int" />
          </s:sequence>
        </s:extension>
      </s:complexContent>
    </s:complexType>
    <s:complexType name="PvApiResult">
      <s:sequence>
        <s:element minOccurs="1" maxOccurs="1" name="Result" type="tns:PvApiResultDataOfObject" />
        <s:element minOccurs="0" maxOccurs="1" name="Data" />
      </s:sequence>
    </s:complexType>`),
      extended,
    );
  });

  it('is empty when a result has no members', () => {
    assert.ok(schemaOf({}, {}).includes('\n    <s:complexType name="TryResult" />\n'));
  });

  it('may hold itself', () => {
    const fields: Record<string, Field> = { Name: opt(string, '') };
    const Node = record('Node', '', fields);
    fields['Below'] = opt(list(Node), '');
    const nested = schemaOf({}, { Top: opt(Node, '') });
    assert.equal(nested.split('<s:complexType name="Node">').length, 2);
    assert.equal(nested.split('<s:complexType name="ArrayOfNode">').length, 2);
  });
});

describe('The schema of the service', () => {
  const wsdl = writeWsdl({ operations: Object.values(operations), namespace, address: 'http://crm.example/' });

  it('declares every record and enumeration of the contract, and nothing twice', () => {
    const names = [...wsdl.matchAll(/<s:(?:complex|simple)Type name="([^"]*)"/g)].map(([, name = '']) => name);
    assert.equal(new Set(names).size, names.length);
    for (const name of [...Object.keys(records), ...Object.keys(enumerations)]) assert.ok(names.includes(name), name);
    for (const name of Object.keys(operations)) assert.ok(names.includes(`${name}Result`), name);
  });

  it('puts the credentials first in every request, and lets them be left out', () => {
    const first = '<s:element minOccurs="0" maxOccurs="1" name="credentials" type="tns:ApiCredentials" />';
    assert.equal(wsdl.split(first).length - 1, Object.keys(operations).length);
  });

  it('is a valid schema that takes a call and turns away one with its parameters out of order', function () {
    needs(this, 'xmllint');
    const schema = validator(wsdl, namespace);
    try {
      const body = (content: string): string =>
        `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>${content}</soap:Body></soap:Envelope>`;
      const call = (parameters: string): string =>
        body(`<RelationGet xmlns="${namespace}">${parameters}</RelationGet>`);
      const id = '<relationId>00000000-0000-4000-8000-000000000101</relationId>';
      const flags = '<includeFields>true</includeFields><includeCounters>false</includeCounters>';
      assert.equal(schema.complaints('1.1', [call(id + flags)]), '');
      assert.match(schema.complaints('1.1', [call(flags + id)]), /includeFields.*This element is not expected/);
      assert.match(schema.complaints('1.1', [call(id.replace('8000', '800') + flags)]), /pattern/);
      assert.match(schema.complaints('1.1', [body(`<Relation xmlns="${namespace}" />`)]), /No matching global element/);
    } finally {
      schema.remove();
    }
  });
});
