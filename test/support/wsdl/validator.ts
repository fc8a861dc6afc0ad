import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { soapVersions, type SoapVersion } from '../../../src/soap/wire/version.js';

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
