import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

/** What becomes of a write: it is answered, or done without an answer, or lost before it was done. */
export type Fate = 'answered' | 'done' | 'lost';

/** A list that the service reads: its operation takes an `activityId`, and its records have these members of text. */
export interface ReadList {
  readonly operation: string;
  readonly list: string;
  readonly record: string;
  readonly members: readonly string[];
  /** The operation whose answers may be lost. */
  readonly write: string;
}

/** The product lines of an activity. */
export const linesOfActivity: ReadList = {
  operation: 'LinesGet',
  list: 'Lines',
  record: 'Line',
  members: ['ProductId', 'Quantity'],
  write: 'ActivityAddProductLine',
};

/** A service in front of another one: it reads a list as well, and loses answers. */
export interface LineService {
  readonly url: string;
  /** What becomes of the next writes; those behind them are answered. */
  readonly fates: Fate[];
  /** Numbers of the lists that were read. */
  lists: number;
  close(): Promise<void>;
}

const typeOf = (member: string): string => (member === 'Quantity' ? 'xs:decimal' : 'xs:string');

const wsdlOf = (
  namespace: string,
  { operation, list, record, members }: ReadList,
): string => `<?xml version="1.0" encoding="utf-8"?>
<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:own="${namespace}" targetNamespace="${namespace}">
  <wsdl:types><xs:schema targetNamespace="${namespace}" elementFormDefault="qualified">
    <xs:complexType name="${record}"><xs:sequence>
      ${members.map((name) => `<xs:element name="${name}" type="${typeOf(name)}"/>`).join('')}
    </xs:sequence></xs:complexType>
    <xs:complexType name="${list}"><xs:sequence><xs:element name="${record}" type="own:${record}" minOccurs="0" maxOccurs="unbounded"/></xs:sequence></xs:complexType>
    <xs:element name="${operation}"><xs:complexType><xs:sequence><xs:element name="activityId" type="xs:string"/></xs:sequence></xs:complexType></xs:element>
    <xs:element name="${operation}Response"><xs:complexType><xs:sequence><xs:element name="${list}" type="own:${list}" minOccurs="0"/></xs:sequence></xs:complexType></xs:element>
  </xs:schema></wsdl:types>
  <wsdl:message name="In"><wsdl:part name="parameters" element="own:${operation}"/></wsdl:message>
  <wsdl:message name="Out"><wsdl:part name="parameters" element="own:${operation}Response"/></wsdl:message>
  <wsdl:portType name="Port"><wsdl:operation name="${operation}"><wsdl:input message="own:In"/><wsdl:output message="own:Out"/></wsdl:operation></wsdl:portType>
  <wsdl:binding name="Soap" type="own:Port">
    <soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <wsdl:operation name="${operation}"><soap:operation soapAction="${namespace}/${operation}"/><wsdl:input><soap:body use="literal"/></wsdl:input><wsdl:output><soap:body use="literal"/></wsdl:output></wsdl:operation>
  </wsdl:binding>
  <wsdl:service name="Lists"><wsdl:port name="Port" binding="own:Soap"><soap:address location="http://127.0.0.1/service.asmx"/></wsdl:port></wsdl:service>
</wsdl:definitions>
`;

function answerOf(
  namespace: string,
  { operation, list, record, members }: ReadList,
  records: readonly (readonly string[])[],
): string {
  const text = (values: readonly string[]): string =>
    members.map((name, index) => `<${name}>${values[index] ?? ''}</${name}>`).join('');
  const all = records.map((values) => `<${record}>${text(values)}</${record}>`).join('');
  return `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><${operation}Response xmlns="${namespace}"><${list}>${all}</${list}></${operation}Response></s:Body></s:Envelope>`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Starts such a service.
 * @param other base address of the service behind it
 * @param recordsOf the values of the members of each record of an activity
 */
export async function lineService(
  {
    other,
    namespace,
    reads = linesOfActivity,
  }: { readonly other: string; readonly namespace: string; readonly reads?: ReadList },
  recordsOf: (activity: string) => readonly (readonly string[])[],
): Promise<LineService> {
  const fates: Fate[] = [];
  const found = { lists: 0 };
  const forward = async ({ url = '', headers }: IncomingMessage, body: string): Promise<Response> =>
    fetch(new URL(url, other), {
      method: 'POST',
      headers: { 'Content-Type': headers['content-type'] ?? '' },
      body,
    });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') return void response.end(wsdlOf(namespace, reads));
    const body = await bodyOf(request);
    if (body.includes(`<${reads.operation} `)) {
      found.lists += 1;
      const [, activity = ''] = /activityId>([^<]*)</.exec(body) ?? [];
      response.setHeader('Content-Type', 'application/soap+xml; charset=utf-8');
      return void response.end(answerOf(namespace, reads, recordsOf(activity)));
    }
    const fate = body.includes(`<${reads.write} `) ? (fates.shift() ?? 'answered') : 'answered';
    if (fate === 'lost') return void response.destroy();
    const came = await forward(request, body);
    const content = Buffer.from(await came.arrayBuffer());
    if (fate === 'done') return void response.destroy();
    response.writeHead(came.status, { 'Content-Type': came.headers.get('content-type') ?? '' });
    response.end(content);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(found, {
    url: `http://127.0.0.1:${port}`,
    fates,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
