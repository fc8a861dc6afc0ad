import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '../../src/contract/service.js';
import { writeWsdl } from '../../src/wsdl/definitions.js';
import { namespace } from './soap-answers.js';
import { ImportedOperations } from '../../src/wsdl/reading/imported.js';
import { readDocuments, type Load } from '../../src/wsdl/reading/documents.js';
import type { Description } from '../../src/wsdl/reading/described.js';
import { describe as describeDocuments } from '../../src/wsdl/reading/operations.js';
import { soapVersions, type SoapVersion } from '../../src/soap/wire/version.js';

/** A place of a WSDL, and what stands there instead. */
export type Change = readonly [was: string, is: string];

/** The WSDL of the embedded service with changes, each at every place that has its text. */
export function deployedWsdl(...changes: readonly Change[]): string {
  const address = 'http://127.0.0.1:9/V1/service.asmx';
  let text = writeWsdl({ operations: Object.values(operations), namespace, address });
  for (const [was, is] of changes) {
    assert.ok(text.includes(was), `the WSDL has no ${was}`);
    text = text.replaceAll(was, is);
  }
  return text;
}

/** An element of a schema that may be left out. */
export const element = (name: string, type: string, more = ''): string =>
  `<s:element minOccurs="0" maxOccurs="1" name="${name}" type="${type}"${more}/>`;

/** Gives documents by their names. */
const loadFrom = (documents: Readonly<Record<string, string>>): Load => ({
  addressOf: (location) => location,
  textAt: (at) => {
    const text = documents[at];
    return text === undefined ? Promise.reject(new Error(`no document ${at}`)) : Promise.resolve(text);
  },
});

/** What a WSDL with these documents beside it says, or of one port of it. */
export const descriptionOf = async (documents: Readonly<Record<string, string>>, port?: string): Promise<Description> =>
  describeDocuments(await readDocuments('service.wsdl', loadFrom(documents)), port);

/** Its operations, all of which count as writes. */
export const importedFrom = async (documents: Readonly<Record<string, string>>): Promise<ImportedOperations> =>
  new ImportedOperations(await descriptionOf(documents), () => 'add');

/** What of a WSDL is not always the same. */
export interface WsdlText {
  /** Attributes of the schema, such as its form of elements. */
  readonly schema?: string;
  /** What else stands in the schema. */
  readonly types?: string;
  /** What stands in the element Ask. */
  readonly ask: string;
  /** What stands in the element AskResponse. */
  readonly answer?: string;
}

/** A WSDL with one operation, Ask. The prefix t stands for its namespace urn:t, xs for XML Schema. */
export const wsdlText = ({
  schema = 'elementFormDefault="qualified"',
  types = '',
  ask,
  answer = '',
}: WsdlText): string =>
  `<?xml version="1.0"?>
<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" targetNamespace="urn:t">
  <w:types><xs:schema targetNamespace="urn:t" ${schema}>
    <xs:element name="Ask"><xs:complexType>${ask}</xs:complexType></xs:element>
    <xs:element name="AskResponse"><xs:complexType>${answer}</xs:complexType></xs:element>
    ${types}
  </xs:schema></w:types>
  <w:message name="in"><w:part name="p" element="t:Ask"/></w:message>
  <w:message name="out"><w:part name="p" element="t:AskResponse"/></w:message>
  <w:portType name="P"><w:operation name="Ask"><w:documentation>Asks
    something.</w:documentation><w:input message="t:in"/><w:output message="t:out"/></w:operation></w:portType>
  <w:binding name="B" type="t:P"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <w:operation name="Ask"><soap:operation soapAction="urn:t/Ask"/><w:input><soap:body use="literal"/></w:input><w:output><soap:body use="literal"/></w:output></w:operation>
  </w:binding>
</w:definitions>`;

/** The schemas of a description as documents of their own: they lean on the prefixes of its root. */
function schemasOf(wsdl: string): readonly string[] {
  const root = /<wsdl:definitions ([^>]*)>/.exec(wsdl)?.[1] ?? '';
  const declarations = (root.match(/xmlns:[a-z0-9]+="[^"]*"/g) ?? []).join(' ');
  return [...wsdl.matchAll(/<s:schema ([^>]*)>.*?<\/s:schema>/gs)].map(([schema, attributes = '']) =>
    schema
      .replace(attributes, () => `${declarations} ${attributes}`)
      .replace(/<s:import /, '<s:import schemaLocation="schema-0.xsd" '),
  );
}

/** An envelope around exactly one element of the service, which must be declared. */
const envelopeSchema = (version: SoapVersion, namespace: string): string => `
<s:schema xmlns:s="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified"
    targetNamespace="${soapVersions[version].envelopeNamespace}">
  <s:import namespace="${namespace}" schemaLocation="schema-1.xsd" />
  <s:element name="Envelope"><s:complexType><s:sequence>
    <s:element name="Body"><s:complexType><s:sequence>
      <s:any namespace="${namespace}" processContents="strict" />
    </s:sequence></s:complexType></s:element>
  </s:sequence></s:complexType></s:element>
</s:schema>`;

/** Holds documents to the schemas of a description. */
export interface Validator {
  /** What xmllint has against envelopes; empty when nothing. */
  complaints(version: SoapVersion, documents: readonly (Uint8Array | string)[]): string;
  remove(): void;
}

/** Writes the schemas of a description where xmllint finds them. */
export function validator(wsdl: string, namespace: string): Validator {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-wsdl-'));
  const put = (name: string, content: Uint8Array | string): string => {
    writeFileSync(join(folder, name), content);
    return name;
  };
  schemasOf(wsdl).forEach((schema, index) => put(`schema-${index}.xsd`, schema));
  for (const version of ['1.1', '1.2'] as const) put(`soap-${version}.xsd`, envelopeSchema(version, namespace));
  return {
    complaints: (version, documents) => {
      const names = documents.map((document, index) => put(`${index}.xml`, document));
      const schema = `soap-${version}.xsd`;
      const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', '--schema', schema, ...names], {
        cwd: folder,
        maxBuffer: 2 ** 26,
      });
      if (status === 0) return '';
      const lines = stderr.toString().split('\n');
      return lines.filter((line) => !line.endsWith(' validates')).join('\n') || `xmllint ended with ${String(status)}`;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
