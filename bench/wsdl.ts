/** Types of fields, in turn. */
const types = ['s:string', 's:int', 's:boolean', 's:decimal', 's:dateTime', 's:long', 's:double'] as const;

const fieldsOfRecord = 30;

/** A field, as services of .NET describe them; some have words, some may be nil. */
function fieldOf(thing: number, field: number): string {
  const own = field === 7 ? `tns:Thing${Math.floor(thing / 2)}` : field === 9 ? `tns:Kind${thing}` : undefined;
  const type = own ?? types[field % types.length] ?? 's:string';
  const nillable = field % 5 === 0 ? 'nillable="true" ' : '';
  const start = `    <s:element minOccurs="${field % 3 === 0 ? 1 : 0}" maxOccurs="1" name="Field${field}" ${nillable}type="${type}"`;
  if (field % 4 !== 0) return `${start} />\n`;
  return `${start}><s:annotation><s:documentation>What field ${field} of thing ${thing} is for &amp; when it is set.</s:documentation></s:annotation></s:element>\n`;
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

const schemaOf = (thing: number): string => `<s:element name="Thing${thing}GetAll">
  <s:complexType>
    <s:sequence>
      <s:element minOccurs="1" maxOccurs="1" name="pageNumber" type="s:int" />
      <s:element minOccurs="1" maxOccurs="1" name="pageSize" type="s:int" />
      <s:element minOccurs="0" maxOccurs="1" name="filter" type="tns:Filter${thing}" />
    </s:sequence>
  </s:complexType>
</s:element>
<s:element name="Thing${thing}GetAllResponse">
  <s:complexType>
    <s:sequence>
      <s:element minOccurs="0" maxOccurs="1" name="Thing${thing}GetAllResult" type="tns:Thing${thing}Result" />
    </s:sequence>
  </s:complexType>
</s:element>
<s:complexType name="Thing${thing}Result">
  <s:complexContent mixed="false">
    <s:extension base="tns:BaseResult">
      <s:sequence>
        <s:element minOccurs="0" maxOccurs="1" name="Things" type="tns:ArrayOfThing${thing}" />
      </s:sequence>
    </s:extension>
  </s:complexContent>
</s:complexType>
<s:complexType name="ArrayOfThing${thing}">
  <s:sequence>
    <s:element minOccurs="0" maxOccurs="unbounded" name="Thing" nillable="true" type="tns:Thing${thing}" />
  </s:sequence>
</s:complexType>
<s:complexType name="Thing${thing}">
  <s:sequence>
${numbers(fieldsOfRecord)
  .map((field) => fieldOf(thing, field))
  .join('')}  </s:sequence>
</s:complexType>
<s:complexType name="Filter${thing}">
  <s:sequence>
    <s:element minOccurs="0" maxOccurs="1" name="Kind" type="tns:Kind${thing}" />
    <s:element minOccurs="0" maxOccurs="1" name="Since" type="s:dateTime" />
  </s:sequence>
</s:complexType>
<s:simpleType name="Kind${thing}">
  <s:restriction base="s:string">
${numbers(8)
  .map((value) => `    <s:enumeration value="Kind${value}" />\n`)
  .join('')}  </s:restriction>
</s:simpleType>
`;

const messagesOf = (thing: number): string => `<wsdl:message name="Thing${thing}GetAllSoapIn">
  <wsdl:part name="parameters" element="tns:Thing${thing}GetAll" />
</wsdl:message>
<wsdl:message name="Thing${thing}GetAllSoapOut">
  <wsdl:part name="parameters" element="tns:Thing${thing}GetAllResponse" />
</wsdl:message>
`;

const abstractOf = (thing: number): string => `<wsdl:operation name="Thing${thing}GetAll">
  <wsdl:documentation>Gets all things of kind ${thing}.</wsdl:documentation>
  <wsdl:input message="tns:Thing${thing}GetAllSoapIn" />
  <wsdl:output message="tns:Thing${thing}GetAllSoapOut" />
</wsdl:operation>
`;

const boundOf = (thing: number): string => `<wsdl:operation name="Thing${thing}GetAll">
  <soap:operation soapAction="urn:large/Thing${thing}GetAll" style="document" />
  <wsdl:input>
    <soap:body use="literal" />
  </wsdl:input>
  <wsdl:output>
    <soap:body use="literal" />
  </wsdl:output>
</wsdl:operation>
`;

const base = `<s:complexType name="BaseResult">
  <s:sequence>
    <s:element minOccurs="1" maxOccurs="1" name="Result" type="s:int" />
    <s:element minOccurs="0" maxOccurs="1" name="Message" type="s:string" />
  </s:sequence>
</s:complexType>
`;

/** A WSDL of so many operations, each with records of its own, in the form that .NET services have. */
function wsdlOf(count: number): string {
  const all = (part: (thing: number) => string): string => numbers(count).map(part).join('');
  return `<?xml version="1.0" encoding="utf-8"?>
<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:tns="urn:large" targetNamespace="urn:large">
<wsdl:types>
<s:schema elementFormDefault="qualified" targetNamespace="urn:large">
${base}${all(schemaOf)}</s:schema>
</wsdl:types>
${all(messagesOf)}<wsdl:portType name="Large">
${all(abstractOf)}</wsdl:portType>
<wsdl:binding name="Large" type="tns:Large">
<soap:binding transport="http://schemas.xmlsoap.org/soap/http" />
${all(boundOf)}</wsdl:binding>
</wsdl:definitions>
`;
}

/** The same of so many millions of bytes, or a little more, and how many operations it has. */
export function largeWsdl(megabytes: number): { readonly text: string; readonly operations: number } {
  const operations = Math.ceil((megabytes * 1e6) / (wsdlOf(200).length / 200));
  return { text: wsdlOf(operations), operations };
}
