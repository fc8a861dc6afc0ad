import { ImportedOperations } from '../../../src/wsdl/reading/imported.js';
import { readDocuments, type Load } from '../../../src/wsdl/reading/documents.js';
import type { Description } from '../../../src/wsdl/reading/described.js';
import { describe as describeDocuments } from '../../../src/wsdl/reading/operations.js';

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
