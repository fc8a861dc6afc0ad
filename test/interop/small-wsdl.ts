import { operations } from '../../src/contract/service.js';

/** Written by hand, not derived from our code: what an independent client is told about the four operations. */
const types = `
  <s:complexType name="ApiSourceApplication"><s:sequence>
    <s:element minOccurs="0" name="Name" type="s:string"/><s:element minOccurs="0" name="Category" type="s:string"/>
    <s:element minOccurs="0" name="Subcategory" type="s:string"/><s:element minOccurs="0" name="Version" type="s:string"/>
  </s:sequence></s:complexType>
  <s:complexType name="ApiCredentials"><s:sequence>
    <s:element name="ApiKey" type="s:string"/>
    <s:element name="DatabaseId" nillable="true" type="s:string"/>
    <s:element name="UserId" nillable="true" type="s:string"/>
    <s:element minOccurs="0" name="UserName" type="s:string"/>
    <s:element minOccurs="0" name="Password" type="s:string"/>
    <s:element minOccurs="0" name="SourceApplication" type="tns:ApiSourceApplication"/>
  </s:sequence></s:complexType>
  <s:complexType name="PvFieldValueData"><s:sequence>
    <s:element name="Id" type="s:string"/><s:element minOccurs="0" name="Value" type="s:string"/>
  </s:sequence></s:complexType>
  <s:complexType name="ArrayOfPvFieldValueData"><s:sequence>
    <s:element minOccurs="0" maxOccurs="unbounded" name="PvFieldValueData" nillable="true" type="tns:PvFieldValueData"/>
  </s:sequence></s:complexType>
  <s:complexType name="PvFieldValuesData"><s:sequence>
    <s:element minOccurs="0" name="Items" type="tns:ArrayOfPvFieldValueData"/>
  </s:sequence></s:complexType>
  <s:complexType name="PvCounterData"><s:sequence>
    <s:element name="TabPageType" type="s:string"/><s:element name="Value" type="s:int"/>
  </s:sequence></s:complexType>
  <s:complexType name="ArrayOfPvCounterData"><s:sequence>
    <s:element minOccurs="0" maxOccurs="unbounded" name="PvCounterData" nillable="true" type="tns:PvCounterData"/>
  </s:sequence></s:complexType>
  <s:complexType name="PvAuditData"><s:sequence>
    <s:element name="CreatedAt" type="s:string"/><s:element name="CreatedByUser" type="s:string"/>
    <s:element name="ModifiedAt" type="s:string"/><s:element name="ModifiedByUser" type="s:string"/>
  </s:sequence></s:complexType>
  <s:complexType name="PvRelationData"><s:sequence>
    <s:element name="Id" type="s:string"/><s:element name="EntityTypeId" type="s:string"/>
    <s:element minOccurs="0" name="Info" type="s:string"/><s:element minOccurs="0" name="SortingName" type="s:string"/>
    <s:element minOccurs="0" name="DisplayName" type="s:string"/><s:element name="IsRoot" type="s:boolean"/>
    <s:element name="IsDummy" type="s:boolean"/><s:element minOccurs="0" name="ImportKey" type="s:string"/>
    <s:element name="IsInactive" type="s:boolean"/>
    <s:element minOccurs="0" name="FieldValues" nillable="true" type="tns:PvFieldValuesData"/>
    <s:element minOccurs="0" name="CounterValues" nillable="true" type="tns:ArrayOfPvCounterData"/>
  </s:sequence></s:complexType>
  <s:complexType name="ArrayOfPvRelationData"><s:sequence>
    <s:element minOccurs="0" maxOccurs="unbounded" name="PvRelationData" nillable="true" type="tns:PvRelationData"/>
  </s:sequence></s:complexType>
  <s:complexType name="PvRelationshipData"><s:sequence>
    <s:element name="Id" type="s:string"/><s:element name="EntityTypeId" type="s:string"/>
    <s:element name="ParentRelationId" type="s:string"/><s:element name="ChildRelationId" type="s:string"/>
    <s:element minOccurs="0" name="Description" type="s:string"/><s:element minOccurs="0" name="DisplayCity" type="s:string"/>
    <s:element minOccurs="0" name="DisplayName" type="s:string"/><s:element minOccurs="0" name="SortingName" type="s:string"/>
    <s:element name="IsContact" type="s:boolean"/><s:element name="IsEmployee" type="s:boolean"/>
    <s:element name="IsOrganisation" type="s:boolean"/><s:element name="PreferredAddress" type="s:string"/>
    <s:element name="AddresStyle" type="s:string"/><s:element minOccurs="0" name="Addressing" type="s:string"/>
    <s:element minOccurs="0" name="Openening" type="s:string"/><s:element minOccurs="0" name="AddressingVariant" type="s:string"/>
    <s:element minOccurs="0" name="OpeneningVariant" type="s:string"/>
    <s:element name="TittleId" nillable="true" type="s:string"/><s:element name="AccountManagerId" nillable="true" type="s:string"/>
    <s:element name="IsInactive" type="s:boolean"/><s:element name="OptOut" type="s:boolean"/>
    <s:element minOccurs="0" name="AuditData" nillable="true" type="tns:PvAuditData"/>
    <s:element minOccurs="0" name="FieldValues" nillable="true" type="tns:PvFieldValuesData"/>
  </s:sequence></s:complexType>
  <s:complexType name="ArrayOfPvRelationshipData"><s:sequence>
    <s:element minOccurs="0" maxOccurs="unbounded" name="PvRelationshipData" nillable="true" type="tns:PvRelationshipData"/>
  </s:sequence></s:complexType>
  <s:complexType name="PvApiResultDataOfObject"><s:sequence>
    <s:element name="Succeeded" type="s:boolean"/><s:element name="Number" type="s:int"/>
    <s:element minOccurs="0" name="Code" type="s:string"/><s:element minOccurs="0" name="Description" type="s:string"/>
  </s:sequence></s:complexType>
  <s:complexType name="RelationGetResult"><s:sequence>
    <s:element minOccurs="0" name="Relation" nillable="true" type="tns:PvRelationData"/>
    <s:element minOccurs="0" name="Counters" nillable="true" type="tns:ArrayOfPvCounterData"/>
  </s:sequence></s:complexType>
  <s:complexType name="RelationGetAllResult"><s:sequence>
    <s:element minOccurs="0" name="Relations" type="tns:ArrayOfPvRelationData"/>
  </s:sequence></s:complexType>
  <s:complexType name="RelationshipGetAllResult"><s:sequence>
    <s:element minOccurs="0" name="Relationships" type="tns:ArrayOfPvRelationshipData"/>
  </s:sequence></s:complexType>
  <s:complexType name="NotificationGetCountResult"><s:sequence>
    <s:element name="Result" type="tns:PvApiResultDataOfObject"/><s:element minOccurs="0" name="Data"/>
    <s:element name="NumberOfNotifications" type="s:int"/>
  </s:sequence></s:complexType>`;

const parameters: Readonly<Record<string, readonly [name: string, type: string][]>> = {
  RelationGet: [
    ['relationId', 'string'],
    ['includeFields', 'boolean'],
    ['includeCounters', 'boolean'],
  ],
  RelationGetAll: [
    ['pageNumber', 'int'],
    ['pageSize', 'int'],
    ['includeFields', 'boolean'],
    ['includeCounters', 'boolean'],
  ],
  RelationshipGetAll: [
    ['pageNumber', 'int'],
    ['pageSize', 'int'],
    ['includeFields', 'boolean'],
  ],
  NotificationGetCount: [['userId', 'string']],
};

const each = (write: (name: string) => string): string => Object.keys(parameters).map(write).join('\n');

const elements = each((name) => {
  const children = (parameters[name] ?? []).map(
    ([parameter, type]) => `<s:element name="${parameter}" type="s:${type}"/>`,
  );
  return `<s:element name="${name}"><s:complexType><s:sequence>
    <s:element minOccurs="0" name="credentials" type="tns:ApiCredentials"/>${children.join('')}</s:sequence></s:complexType></s:element>
  <s:element name="${name}Response"><s:complexType><s:sequence>
    <s:element minOccurs="0" name="${name}Result" type="tns:${name}Result"/></s:sequence></s:complexType></s:element>`;
});

function binding(version: '' | '12', namespace: string): string {
  const soap = `soap${version}`;
  const body = `<${soap}:body use="literal"/>`;
  const slash = namespace.endsWith('/') ? '' : '/';
  return `<wsdl:binding name="CrmSoap${version}" type="tns:CrmSoap"><${soap}:binding transport="http://schemas.xmlsoap.org/soap/http"/>
  ${each(
    (
      name,
    ) => `<wsdl:operation name="${name}"><${soap}:operation soapAction="${namespace}${slash}${name}" style="document"/>
    <wsdl:input>${body}</wsdl:input><wsdl:output>${body}</wsdl:output></wsdl:operation>`,
  )}</wsdl:binding>`;
}

/** The WSDL of the four operations for a service at this address. */
export function smallWsdl(namespace: string, address: string): string {
  for (const name of Object.keys(parameters))
    if (!(name in operations)) throw new Error(`${name} is not in the contract`);
  return `<?xml version="1.0" encoding="utf-8"?>
<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
  xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:s="http://www.w3.org/2001/XMLSchema"
  xmlns:tns="${namespace}" targetNamespace="${namespace}">
<wsdl:types><s:schema elementFormDefault="qualified" targetNamespace="${namespace}">${types}${elements}</s:schema></wsdl:types>
${each(
  (name) => `<wsdl:message name="${name}In"><wsdl:part name="parameters" element="tns:${name}"/></wsdl:message>
<wsdl:message name="${name}Out"><wsdl:part name="parameters" element="tns:${name}Response"/></wsdl:message>`,
)}
<wsdl:portType name="CrmSoap">${each(
    (name) =>
      `<wsdl:operation name="${name}"><wsdl:input message="tns:${name}In"/><wsdl:output message="tns:${name}Out"/></wsdl:operation>`,
  )}</wsdl:portType>
${binding('', namespace)}
${binding('12', namespace)}
<wsdl:service name="Crm">
  <wsdl:port name="CrmSoap" binding="tns:CrmSoap"><soap:address location="${address}"/></wsdl:port>
  <wsdl:port name="CrmSoap12" binding="tns:CrmSoap12"><soap12:address location="${address}"/></wsdl:port>
</wsdl:service></wsdl:definitions>
`;
}
