import { connect } from 'node:net';
import { known } from '../../../src/sandbox/dataset/known.js';
import type { Sent } from '../sandbox/asmx/http.js';

const namespace = 'http://relctl.example/sandbox';

const envelopes = {
  'text/xml; charset=utf-8': 'http://schemas.xmlsoap.org/soap/envelope/',
  'application/soap+xml; charset=utf-8': 'http://www.w3.org/2003/05/soap-envelope',
} as const;

/** A request with its headers, over HTTP. */
export interface GoodRequest extends Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function call(type: keyof typeof envelopes, operation: string, parameters: string): GoodRequest {
  return {
    headers: { 'content-type': type, soapaction: `"${namespace}/${operation}"` },
    body:
      `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${envelopes[type]}" ` +
      `xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soap:Body><${operation} xmlns="${namespace}"><credentials>` +
      `<ApiKey>${known.credentials.ApiKey}</ApiKey><DatabaseId xsi:nil="true" /><UserId xsi:nil="true" /></credentials>` +
      `${parameters}</${operation}></soap:Body></soap:Envelope>`,
  };
}

const types = ['text/xml; charset=utf-8', 'application/soap+xml; charset=utf-8'] as const;
/** Requests that the sandbox answers, in both versions of SOAP: two that read, two that write. */
export const goodRequests: readonly GoodRequest[] = types.flatMap((type) => [
  call(type, 'NotificationGetCount', `<userId>${known.userId}</userId>`),
  call(
    type,
    'RelationGetAll',
    '<pageNumber>1</pageNumber><pageSize>2</pageSize><includeFields>true</includeFields><includeCounters>true</includeCounters>',
  ),
  call(
    type,
    'ActivityUpdate',
    `<activityId>${known.activityId}</activityId><followUp><Start xsi:nil="true" /></followUp>` +
      '<fieldValues><PvFieldValueData><Id>00000000-0000-4000-8000-0000000000aa</Id><Value>é</Value></PvFieldValueData></fieldValues>',
  ),
  call(type, 'ActivityAddAttachment', `<activityId>${known.activityId}</activityId><fileName>a</fileName>`),
]);

/** Sends bytes and hangs up behind them; gives what comes until the other end hangs up too. */
export function shout(port: number, bytes: Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const heard: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.on('data', (chunk: Buffer) => heard.push(chunk));
    // A server that does not want to hear more may reset the connection.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(heard).toString('latin1')));
  });
}
