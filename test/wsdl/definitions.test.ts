import assert from 'node:assert/strict';
import { boolean, decimal, guid, string } from '../../src/contract/scalars.js';
import { list, nil, operation, opt, record, req } from '../../src/contract/build.js';
import { operations } from '../../src/contract/service.js';
import { soapActionOf } from '../../src/contract/walk.js';
import { writeWsdl } from '../../src/wsdl/definitions.js';

const Thing = record('Thing', 'A thing.', { Id: req(guid, 'Identifies it.'), Price: nil(decimal, 'What it costs.') });
const ThingGet = operation({
  name: 'ThingGet',
  doc: 'Gives <one> thing.',
  access: 'read',
  parameters: { thingId: req(guid, 'The thing.'), tags: opt(list(string), 'Its tags.') },
  result: { Thing: opt(Thing, 'The thing.'), IsNew: req(boolean, 'Seen for the first time.') },
  deprecated: 'ThingGet_V2',
});

const small = writeWsdl({
  operations: [ThingGet],
  namespace: 'http://crm.example/ns',
  address: 'http://crm.example:8050/V1/service.asmx',
});
const whole = writeWsdl({
  operations: Object.values(operations),
  namespace: 'http://crm.example/a&b/',
  address: 'http://crm.example/V1/service.asmx',
});

/** What stands from a line to the end of the element that begins there, indented from the margin. */
function part(text: string, begin: string): string {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => line.trim().startsWith(begin));
  assert.notEqual(from, -1, begin);
  const indent = (line: string): number => line.search(/\S/);
  const margin = indent(lines[from] ?? '');
  const rest = lines.slice(from + 1).findIndex((line) => indent(line) <= margin);
  return lines
    .slice(from, from + 2 + rest)
    .map((line) => line.slice(margin))
    .join('\n');
}

describe('The WSDL', () => {
  it('declares the prefixes of .asmx services on its root', () => {
    assert.ok(
      small.startsWith(
        '<?xml version="1.0" encoding="utf-8"?>\n<wsdl:definitions xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:tm="http://microsoft.com/wsdl/mime/textMatching/" xmlns:soapenc="http://schemas.xmlsoap.org/soap/encoding/" xmlns:mime="http://schemas.xmlsoap.org/wsdl/mime/" xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:s1="http://microsoft.com/wsdl/types/" xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:http="http://schemas.xmlsoap.org/wsdl/http/" xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:tns="http://crm.example/ns" targetNamespace="http://crm.example/ns">\n  <wsdl:types>\n    <s:schema elementFormDefault="qualified" targetNamespace="http://microsoft.com/wsdl/types/">\n      <s:simpleType name="guid">\n',
      ),
    );
  });

  it('gives a message to each direction, and both versions one port type', () => {
    assert.equal(
      part(small, '<wsdl:message name="ThingGetSoapIn"'),
      '<wsdl:message name="ThingGetSoapIn">\n  <wsdl:part name="parameters" element="tns:ThingGet" />\n</wsdl:message>',
    );
    assert.equal(
      part(small, '<wsdl:message name="ThingGetSoapOut"'),
      '<wsdl:message name="ThingGetSoapOut">\n  <wsdl:part name="parameters" element="tns:ThingGetResponse" />\n</wsdl:message>',
    );
    assert.equal(
      part(small, '<wsdl:portType'),
      `<wsdl:portType name="RelationshipManagementSoap">
  <wsdl:operation name="ThingGet">
    <wsdl:documentation xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/">Gives &lt;one&gt; thing. Deprecated: use ThingGet_V2 instead.</wsdl:documentation>
    <wsdl:input message="tns:ThingGetSoapIn" />
    <wsdl:output message="tns:ThingGetSoapOut" />
  </wsdl:operation>
</wsdl:portType>`,
    );
  });

  it('binds both versions of SOAP, document/literal', () => {
    for (const [prefix, suffix] of [
      ['soap', ''],
      ['soap12', '12'],
    ] as const) {
      assert.equal(
        part(small, `<wsdl:binding name="RelationshipManagementSoap${suffix}"`),
        `<wsdl:binding name="RelationshipManagementSoap${suffix}" type="tns:RelationshipManagementSoap">
  <${prefix}:binding transport="http://schemas.xmlsoap.org/soap/http" />
  <wsdl:operation name="ThingGet">
    <${prefix}:operation soapAction="http://crm.example/ns/ThingGet" style="document" />
    <wsdl:input>
      <${prefix}:body use="literal" />
    </wsdl:input>
    <wsdl:output>
      <${prefix}:body use="literal" />
    </wsdl:output>
  </wsdl:operation>
</wsdl:binding>`,
      );
    }
  });

  it('has a port for each version at the address asked for', () => {
    assert.equal(
      part(small, '<wsdl:service'),
      `<wsdl:service name="RelationshipManagement">
  <wsdl:documentation xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/">Relations, relationships, activities, products, lookup lists, marks, workflows and notifications.</wsdl:documentation>
  <wsdl:port name="RelationshipManagementSoap" binding="tns:RelationshipManagementSoap">
    <soap:address location="http://crm.example:8050/V1/service.asmx" />
  </wsdl:port>
  <wsdl:port name="RelationshipManagementSoap12" binding="tns:RelationshipManagementSoap12">
    <soap12:address location="http://crm.example:8050/V1/service.asmx" />
  </wsdl:port>
</wsdl:service>`,
    );
  });

  it('names for each operation the SOAPAction that relctl sends, twice, whatever ends the namespace', () => {
    for (const name of Object.keys(operations)) {
      const action = soapActionOf('http://crm.example/a&b/', name).replace('&', '&amp;');
      assert.equal(whole.split(`soapAction="${action}" style="document"`).length, 3, name);
    }
  });

  it('tells of both operations that are deprecated what replaces them', () => {
    assert.deepEqual(whole.match(/[^>]*Deprecated: [^<]*/g), [
      'Lists the activities of a relation; an older form. Deprecated: use RelationGetActivitiesModified_V2 instead.',
      'Lists relations with their telephone numbers; an older form. Deprecated: use RelationGetTelephoneBook_V2 instead.',
    ]);
  });
});
