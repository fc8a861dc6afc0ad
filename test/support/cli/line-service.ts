import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

/** What becomes of a write: it is answered, or done without an answer, or lost before it was done. */
export type Fate = 'answered' | 'done' | 'lost';

/** A service in front of another one: it reads product lines as well, and loses answers. */
export interface LineService {
  readonly url: string;
  /** What becomes of the next writes of lines; those behind them are answered. */
  readonly fates: Fate[];
  /** Numbers of the lists that were read. */
  lists: number;
  close(): Promise<void>;
}

const wsdlOf = (namespace: string): string => `<?xml version="1.0" encoding="utf-8"?>
<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:own="${namespace}" targetNamespace="${namespace}">
  <wsdl:types><xs:schema targetNamespace="${namespace}" elementFormDefault="qualified">
    <xs:complexType name="Line"><xs:sequence>
      <xs:element name="ProductId" type="xs:string"/><xs:element name="Quantity" type="xs:decimal"/>
    </xs:sequence></xs:complexType>
    <xs:complexType name="Lines"><xs:sequence><xs:element name="Line" type="own:Line" minOccurs="0" maxOccurs="unbounded"/></xs:sequence></xs:complexType>
    <xs:element name="LinesGet"><xs:complexType><xs:sequence><xs:element name="activityId" type="xs:string"/></xs:sequence></xs:complexType></xs:element>
    <xs:element name="LinesGetResponse"><xs:complexType><xs:sequence><xs:element name="Lines" type="own:Lines" minOccurs="0"/></xs:sequence></xs:complexType></xs:element>
  </xs:schema></wsdl:types>
  <wsdl:message name="In"><wsdl:part name="parameters" element="own:LinesGet"/></wsdl:message>
  <wsdl:message name="Out"><wsdl:part name="parameters" element="own:LinesGetResponse"/></wsdl:message>
  <wsdl:portType name="Port"><wsdl:operation name="LinesGet"><wsdl:input message="own:In"/><wsdl:output message="own:Out"/></wsdl:operation></wsdl:portType>
  <wsdl:binding name="Soap" type="own:Port">
    <soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <wsdl:operation name="LinesGet"><soap:operation soapAction="${namespace}/LinesGet"/><wsdl:input><soap:body use="literal"/></wsdl:input><wsdl:output><soap:body use="literal"/></wsdl:output></wsdl:operation>
  </wsdl:binding>
  <wsdl:service name="Lines"><wsdl:port name="Port" binding="own:Soap"><soap:address location="http://127.0.0.1/service.asmx"/></wsdl:port></wsdl:service>
</wsdl:definitions>
`;

const answerOf = (namespace: string, lines: readonly (readonly [string, string])[]): string =>
  `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><LinesGetResponse xmlns="${namespace}"><Lines>` +
  lines.map(([id, quantity]) => `<Line><ProductId>${id}</ProductId><Quantity>${quantity}</Quantity></Line>`).join('') +
  '</Lines></LinesGetResponse></s:Body></s:Envelope>';

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Starts such a service.
 * @param other base address of the service behind it
 * @param linesOf the lines of an activity: product and quantity
 */
export async function lineService(
  { other, namespace }: { readonly other: string; readonly namespace: string },
  linesOf: (activity: string) => readonly (readonly [string, string])[],
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
    if (request.method === 'GET') return void response.end(wsdlOf(namespace));
    const body = await bodyOf(request);
    if (body.includes('LinesGet')) {
      found.lists += 1;
      const [, activity = ''] = /activityId>([^<]*)</.exec(body) ?? [];
      response.setHeader('Content-Type', 'application/soap+xml; charset=utf-8');
      return void response.end(answerOf(namespace, linesOf(activity)));
    }
    const fate = body.includes('ActivityAddProductLine') ? (fates.shift() ?? 'answered') : 'answered';
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
