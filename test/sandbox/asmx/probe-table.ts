import { gzipSync } from 'node:zlib';
import type { Sent } from '../../support/sandbox/asmx/http.js';

/** What is expected of an answer. Everything that is named is compared; nothing else is looked at. */
export interface Expected {
  readonly status: number;
  /** The Content-Type, whole. */
  readonly type?: string;
  /** The fault code as it stands in the envelope. */
  readonly code?: string;
  /** The words of the fault, whole; lines and columns stand as … */
  readonly words?: string;
  readonly holds?: readonly string[];
  readonly lacks?: readonly string[];
  readonly isEmpty?: true;
}

/** A request, and what both kinds of services make of it. */
interface Probe {
  readonly title: string;
  readonly sent: Sent;
  readonly asmx: Expected;
  /** Left out where the strict service answers the same. */
  readonly strict?: Expected;
}

const ns = 'http://relctl.example/sandbox';
const soap11 = 'http://schemas.xmlsoap.org/soap/envelope/';
const soap12 = 'http://www.w3.org/2003/05/soap-envelope';
const xsi = 'http://www.w3.org/2001/XMLSchema-instance';
const type11 = 'text/xml; charset=utf-8';
const type12 = 'application/soap+xml; charset=utf-8';

const apiKey = '00000000-0000-4000-8000-000000000001';
const userId = '00000000-0000-4000-8000-000000000011';
const activity = '00000000-0020-4000-8000-000000000001';
const subscriptionStart = `<activityId>${activity}</activityId>`;
const product = '00000000-0060-4000-8000-000000000001';
const workflow = '00000000-0030-4000-8000-000000000001';
const vat = '00000000-0062-4000-8000-000000000001';

const credentials = `<credentials><ApiKey>${apiKey}</ApiKey><DatabaseId xsi:nil="true" /><UserId xsi:nil="true" /></credentials>`;
const envelope = (namespace: string, inner: string): string =>
  `<soap:Envelope xmlns:soap="${namespace}" xmlns:xsi="${xsi}">${inner}</soap:Envelope>`;
const body = (inner: string): string => `<soap:Body>${inner}</soap:Body>`;
const call = (operation: string, parameters: string): string =>
  `<${operation} xmlns="${ns}">${credentials}${parameters}</${operation}>`;

const headers11 = (operation: string): Record<string, string> => ({
  'content-type': type11,
  soapaction: `"${ns}/${operation}"`,
});
const headers12 = { 'content-type': type12 };
const soap = (operation: string, parameters: string): Sent => ({
  headers: headers11(operation),
  body: envelope(soap11, body(call(operation, parameters))),
});
const soap2 = (operation: string, parameters: string): Sent => ({
  headers: headers12,
  body: envelope(soap12, body(call(operation, parameters))),
});

const user = `<userId>${userId}</userId>`;
const counting = call('NotificationGetCount', user);
const count = (headers: Record<string, string>, text = envelope(soap11, body(counting))): Sent => ({
  headers,
  body: text,
});
const count11 = headers11('NotificationGetCount');
const marks = (inner: string): Sent => ({ headers: headers11('MarkGetAll'), body: inner });
const page = (parameters: string): Sent => soap('RelationGetAll', parameters);
const paging = (number: string, size = '1'): string =>
  `<pageNumber>${number}</pageNumber><pageSize>${size}</pageSize><includeFields>false</includeFields><includeCounters>false</includeCounters>`;
const flagged = (flag: string): Sent =>
  page(
    `<pageNumber>1</pageNumber><pageSize>1</pageSize><includeFields>${flag}</includeFields><includeCounters>false</includeCounters>`,
  );
const line = (quantity: string, description = '<description>x</description>'): Sent =>
  soap(
    'ActivityAddProductLine',
    `${subscriptionStart}<quantity>${quantity}</quantity><productId>${product}</productId>${description}` +
      `<vatId>${vat}</vatId><amount>2.50</amount><purchaseAmount>1</purchaseAmount>`,
  );
const ofUser = (id: string): Sent => soap('NotificationGetCount', `<userId>${id}</userId>`);
const inParts = '{0x0, 0x0, 0x4000, {0x80,0x00,0x00,0x00,0x00,0x00,0x00,0x11}}';
const period = (from: string): Sent =>
  soap(
    'RelationGetMarksModified',
    `<relationId>00000000-0000-4000-8000-000000000102</relationId><from>${from}</from><to>2100-01-01T00:00:00</to>`,
  );
const system = (value: string): Sent =>
  soap('SystemDatastoreGetItems', `<systemDatastoreType>${value}</systemDatastoreType>`);

const modified = (workflowIds: string, pageNumber = '<pageNumber>'): Sent =>
  soap(
    'RelationGetActivitiesModified_V2',
    `${pageNumber}1</pageNumber><pageSize>1</pageSize><relationId>00000000-0000-4000-8000-000000000102</relationId>` +
      '<from>1900-01-01T00:00:00</from><to>2100-01-01T00:00:00</to><includeFields>false</includeFields>' +
      `<includeCounters>false</includeCounters>${workflowIds}`,
  );

const search = (fieldValues: string): Sent =>
  soap(
    'ActivitySearchByField',
    `<activityEntityTypeId>00000000-0040-4000-8000-000000000011</activityEntityTypeId>${fieldValues}${paging('1')}`,
  );

const good11: Expected = {
  status: 200,
  type: type11,
  holds: ['<NotificationGetCountResult><Result><Succeeded>true</Succeeded><Number>0</Number></Result>'],
};
const good12: Expected = { ...good11, type: type12 };
const refused11 = (words: string, code = 'soap:Client'): Expected => ({
  status: 500,
  type: type11,
  code,
  words,
  holds: ['<detail />'],
});
const refused12 = (words: string): Expected => ({
  status: 500,
  type: type12,
  code: 'soap:Sender',
  words,
  holds: ['<soap:Detail />', '<soap:Text xml:lang="en">'],
});
const unread = (words: string): Expected =>
  refused11(`Server was unable to read request. ---> There is an error in XML document (…, …). ---> ${words}`);
const emptyAnswer = (status: number): Expected => ({ status, isEmpty: true });
const onePage: Expected = { status: 200, type: type11, holds: ['<Relations><PvRelationData><Id>00000000-0000-4000'] };
const listed: Expected = { status: 200, type: type11, holds: ['<Marks><PvMarkData>'] };

const found: Expected = { status: 200, type: type11, holds: ['<Activities><PvActivityData>'] };

const noField: Expected = {
  status: 200,
  holds: ['<ErrorInformation>There is no field 00000000-0000-0000-0000-000000000000 here.</ErrorInformation>'],
};

const noInstructions = (target: string): Expected =>
  refused11(`A SOAP message holds no processing instructions, and this one has <?${target}?> (line …, column …)`);
/** What a strict service says of a SOAPAction that is not the operation's own. */
const badAction = (operation: string, found: string): Expected =>
  refused11(`The SOAPAction of ${operation} is "${ns}/${operation}", in these quotes, not ${found}.`);
const badAction12 = (operation: string, found: string): Expected =>
  refused12(`The action in the Content-Type of ${operation} is "${ns}/${operation}", not "${found}".`);
/** What a strict service says to another content type or charset. */
const wrongType: Expected = { status: 415, type: 'text/plain; charset=utf-8', holds: ['Content-Type'] };

const noAction = 'Unable to handle request without a valid action parameter. Please supply a valid soap action.';
const mismatch = (found: string): Expected => ({
  status: 500,
  type: type11,
  code: 'soap:VersionMismatch',
  words: `Possible SOAP version mismatch: Envelope namespace ${found} was unexpected. Expecting ${soap11}.`,
  holds: ['<soap:Header><soap12:Upgrade', 'qname="soap:Envelope"', 'qname="soap12:Envelope"', '<detail />'],
});
const missing = (part: string): string => `Request format is invalid: Missing required soap:${part} element.`;
const badGuid = 'Guid should contain 32 digits with 4 dashes (xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx).';
const badNumber = 'Input string was not in a correct format.';
const notAForm = (path: string, value: string): Expected =>
  refused11(`${path} has a value that does not fit its type: '${value}'.`);

const routing: readonly Probe[] = [
  { title: 'A SOAPAction in quotes names the operation.', sent: count(count11), asmx: good11 },
  {
    title: 'A SOAPAction without quotes is taken too.',
    sent: count({ ...count11, soapaction: `${ns}/NotificationGetCount` }),
    asmx: good11,
    strict: badAction('NotificationGetCount', `${ns}/NotificationGetCount`),
  },
  {
    title: 'A SOAPAction with %-escapes is unescaped.',
    sent: count({ ...count11, soapaction: '"http%3A%2F%2Frelctl.example%2Fsandbox%2FNotificationGetCount"' }),
    asmx: good11,
    strict: badAction('NotificationGetCount', '"http%3A%2F%2Frelctl.example%2Fsandbox%2FNotificationGetCount"'),
  },
  {
    title: 'A SOAPAction that nobody knows is a fault that repeats it.',
    sent: count({ ...count11, soapaction: '"urn:other"' }),
    asmx: refused11('Server did not recognize the value of HTTP Header SOAPAction: urn:other.'),
    strict: badAction('NotificationGetCount', '"urn:other"'),
  },
  {
    title: 'An empty SOAPAction names nothing.',
    sent: count({ ...count11, soapaction: '""' }),
    asmx: refused11('Server did not recognize the value of HTTP Header SOAPAction: .'),
    strict: badAction('NotificationGetCount', '""'),
  },
  {
    title: 'A SOAPAction in other letter case names nothing.',
    sent: count({ ...count11, soapaction: `"${ns}/notificationgetcount"` }),
    asmx: refused11(`Server did not recognize the value of HTTP Header SOAPAction: ${ns}/notificationgetcount.`),
    strict: badAction('NotificationGetCount', `"${ns}/notificationgetcount"`),
  },
  {
    title: 'A SOAPAction with markup in it comes back escaped.',
    sent: count({ ...count11, soapaction: '"<a>&amp;"' }),
    asmx: refused11('Server did not recognize the value of HTTP Header SOAPAction: <a>&amp;.'),
    strict: badAction('NotificationGetCount', '"<a>&amp;"'),
  },
  {
    title: 'The SOAPAction of another operation runs that one, with nothing of the body, credentials neither.',
    sent: count(headers11('MarkGetAll')),
    asmx: {
      status: 500,
      type: type11,
      code: 'q0:InvalidCredentials',
      words: 'Credentials are required.',
    },
    strict: badAction('NotificationGetCount', `"${ns}/MarkGetAll"`),
  },
  {
    title: 'Without a SOAPAction the element in the Body decides.',
    sent: count({ 'content-type': type11 }),
    asmx: good11,
    strict: refused11(`The header SOAPAction is missing; for NotificationGetCount it is "${ns}/NotificationGetCount".`),
  },
  {
    title: 'Without a SOAPAction an unknown element cannot be routed.',
    sent: { headers: { 'content-type': type11 }, body: envelope(soap11, body(call('RelationExplode', ''))) },
    asmx: refused11(noAction),
    strict: refused11('The sandbox does not know the operation RelationExplode.'),
  },
  {
    title: 'SOAP 1.2 needs no action.',
    sent: count(headers12, envelope(soap12, body(counting))),
    asmx: good12,
  },
  {
    title: 'SOAP 1.2 takes its action from the content type, whatever the Body holds.',
    sent: {
      headers: { 'content-type': `${type12}; action="${ns}/MarkGetAll"` },
      body: envelope(soap12, body(counting)),
    },
    asmx: {
      status: 500,
      type: type12,
      code: 'soap:Sender',
      words: 'Credentials are required.',
      holds: [
        '<soap:Subcode><soap:Value xmlns:q0="http://relctl.example/sandbox">q0:InvalidCredentials</soap:Value></soap:Subcode>',
      ],
    },
    strict: badAction12('NotificationGetCount', `${ns}/MarkGetAll`),
  },
  {
    title: 'SOAP 1.2 with an unknown action falls back to the Body.',
    sent: count({ 'content-type': `${type12}; action="urn:other"` }, envelope(soap12, body(counting))),
    asmx: good12,
    strict: badAction12('NotificationGetCount', 'urn:other'),
  },
  {
    title: 'SOAP 1.2 with an unknown action and an unknown element is a fault about the action.',
    sent: {
      headers: { 'content-type': `${type12}; action="urn:other"` },
      body: envelope(soap12, body(call('RelationExplode', ''))),
    },
    asmx: refused12("Unable to handle request. The action 'urn:other' was not recognized."),
    strict: refused12('The sandbox does not know the operation RelationExplode.'),
  },
  {
    title: 'SOAP 1.2 with neither action nor known element asks for an action.',
    sent: { headers: headers12, body: envelope(soap12, body(call('RelationExplode', ''))) },
    asmx: refused12(noAction),
    strict: refused12('The sandbox does not know the operation RelationExplode.'),
  },
  {
    title: 'The SOAPAction of another namespace names nothing.',
    sent: count({ ...count11, soapaction: '"urn:other/NotificationGetCount"' }),
    asmx: refused11('Server did not recognize the value of HTTP Header SOAPAction: urn:other/NotificationGetCount.'),
    strict: badAction('NotificationGetCount', '"urn:other/NotificationGetCount"'),
  },
  {
    title: 'SOAP 1.2 takes the action of its own operation.',
    sent: count({ 'content-type': `${type12}; action="${ns}/NotificationGetCount"` }, envelope(soap12, body(counting))),
    asmx: good12,
  },
  {
    title: 'SOAP 1.2 with an empty action falls back to the Body.',
    sent: count({ 'content-type': `${type12}; action=""` }, envelope(soap12, body(counting))),
    asmx: good12,
    strict: badAction12('NotificationGetCount', ''),
  },
  {
    title: 'White space before the semicolon of a content type is taken for a part of the type.',
    sent: count({ ...count11, 'content-type': 'text/xml ; charset=utf-8' }),
    asmx: emptyAnswer(415),
    strict: good11,
  },
  {
    title: 'The same in SOAP 1.2.',
    sent: count({ 'content-type': 'application/soap+xml ; charset=utf-8' }, envelope(soap12, body(counting))),
    asmx: emptyAnswer(415),
    strict: good12,
  },
  {
    title: 'SOAP 1.2 does not look at a SOAPAction.',
    sent: count({ ...headers12, soapaction: '"urn:other"' }, envelope(soap12, body(counting))),
    asmx: good12,
  },
  {
    title: 'A 1.2 envelope as text/xml is answered as 1.2.',
    sent: count(count11, envelope(soap12, body(counting))),
    asmx: good12,
    strict: { ...wrongType, holds: ['The Content-Type is that of SOAP 1.1, the envelope that of SOAP 1.2.'] },
  },
  {
    title: 'A 1.1 envelope as application/soap+xml is no supported type.',
    sent: count(headers12),
    asmx: emptyAnswer(415),
    strict: { ...wrongType, holds: ['The Content-Type is that of SOAP 1.2, the envelope that of SOAP 1.1.'] },
  },
  {
    title: 'Without a content type nothing is read.',
    sent: count({ soapaction: count11['soapaction'] ?? '' }),
    asmx: emptyAnswer(415),
    strict: wrongType,
  },
  {
    title: 'application/xml is no supported type.',
    sent: count({ ...count11, 'content-type': 'application/xml; charset=utf-8' }),
    asmx: emptyAnswer(415),
    strict: wrongType,
  },
  {
    title: 'text/plain is no supported type.',
    sent: count({ ...count11, 'content-type': 'text/plain; charset=utf-8' }),
    asmx: emptyAnswer(415),
    strict: wrongType,
  },
  {
    title: 'An unknown SOAPAction is told before a wrong content type.',
    sent: count({ 'content-type': 'text/plain', soapaction: '"urn:other"' }),
    asmx: refused11('Server did not recognize the value of HTTP Header SOAPAction: urn:other.'),
    strict: wrongType,
  },
  {
    title: 'A content type in capitals, with its charset in quotes, is taken.',
    sent: count({ ...count11, 'content-type': 'TEXT/XML; CharSet="UTF-8"' }),
    asmx: good11,
  },
  {
    title: 'The query of a POST says nothing.',
    sent: { ...count(count11), path: '/V1/service.asmx?op=MarkGetAll' },
    asmx: good11,
  },
  {
    title: 'The path is found in any letter case.',
    sent: { ...count(count11), path: '/v1/SERVICE.ASMX' },
    asmx: good11,
  },
  {
    title: 'SOAP to a path behind the service is not recognised.',
    sent: { ...count(count11), path: '/V1/service.asmx/NotificationGetCount' },
    asmx: {
      status: 500,
      type: 'text/html; charset=utf-8',
      holds: ['Request format is unrecognized for URL unexpectedly ending in &#39;/NotificationGetCount&#39;.'],
    },
    strict: { status: 404 },
  },
  {
    title: 'PUT is not allowed.',
    sent: { ...count(count11), method: 'PUT' },
    asmx: { status: 405 },
  },
  {
    title: 'OPTIONS is not allowed, so that no other origin gets leave.',
    sent: { method: 'OPTIONS', headers: {} },
    asmx: { status: 405 },
  },
];

const envelopes: readonly Probe[] = [
  {
    title: 'An envelope in a foreign namespace is a version mismatch, with an Upgrade header.',
    sent: count(count11, envelope('urn:soap', body(counting))),
    asmx: mismatch('urn:soap'),
    strict: refused11("<Envelope> in namespace 'urn:soap' is no SOAP envelope (line …, column …)"),
  },
  {
    title: 'A document that is no envelope is a version mismatch too.',
    sent: count(count11, '<html><body>hello</body></html>'),
    asmx: mismatch(''),
    strict: refused11("<html> in namespace '' is no SOAP envelope (line …, column …)"),
  },
  {
    title: 'A version mismatch is said in 1.1, also to application/soap+xml.',
    sent: count(headers12, envelope('urn:soap', body('<a />'))),
    asmx: mismatch('urn:soap'),
    strict: refused12("<Envelope> in namespace 'urn:soap' is no SOAP envelope (line …, column …)"),
  },
  {
    title: 'Another element in the right namespace is no envelope.',
    sent: count(count11, `<soap:Letter xmlns:soap="${soap11}" />`),
    asmx: refused11(`Server was unable to read request. ---> ${missing('Envelope')}`),
    strict: refused11(`<Letter> in namespace '${soap11}' is no SOAP envelope (line …, column …)`),
  },
  {
    title: 'An envelope without a Body is not readable.',
    sent: count(count11, envelope(soap11, '<soap:Header />')),
    asmx: refused11(`Server was unable to read request. ---> ${missing('Body')}`),
    strict: refused11('The Body of the envelope is empty.'),
  },
  {
    title: 'An empty envelope is not readable.',
    sent: count(count11, `<soap:Envelope xmlns:soap="${soap11}" />`),
    asmx: refused11(`Server was unable to read request. ---> ${missing('Body')}`),
    strict: refused11('The Body of the envelope is empty.'),
  },
  {
    title: 'Without a Body, SOAP 1.2 cannot even be routed: that is the fault of the server.',
    sent: count(headers12, envelope(soap12, '<soap:Header />')),
    asmx: {
      status: 500,
      type: type12,
      code: 'soap:Receiver',
      words: `Server was unable to process request. ---> ${missing('Body')}`,
    },
    strict: refused12('The Body of the envelope is empty.'),
  },
  {
    title: 'An empty Body with a SOAPAction runs the operation with defaults: here, without credentials.',
    sent: count(count11, envelope(soap11, '<soap:Body />')),
    asmx: { status: 200, type: type11, holds: ['<Succeeded>false</Succeeded>', 'Credentials are required.'] },
    strict: refused11('The Body of the envelope is empty.'),
  },
  {
    title: 'An operation in another namespace is passed over, and defaults are taken.',
    sent: count(count11, envelope(soap11, body(counting.replace(ns, 'urn:other')))),
    asmx: { status: 200, type: type11, holds: ['<Succeeded>false</Succeeded>', 'Credentials are required.'] },
    strict: refused11(
      `The element NotificationGetCount is in the namespace 'urn:other'; the service's is '${ns}'. (line …, column …)`,
      'q0:ProcedureNotPresent',
    ),
  },
  {
    title: 'A second element in the Body is passed over.',
    sent: marks(envelope(soap11, body(`${call('MarkGetAll', '')}<other />`))),
    asmx: listed,
    strict: refused11('a second element <other> in the Body (line …, column …)'),
  },
  {
    title: 'The operation is found behind another element.',
    sent: marks(envelope(soap11, body(`<other />${call('MarkGetAll', '')}`))),
    asmx: listed,
    strict: refused11(
      `The element other is in the namespace ''; the service's is '${ns}'. (line …, column …)`,
      'q0:ProcedureNotPresent',
    ),
  },
  {
    title: 'Anything behind the Body is passed over.',
    sent: marks(envelope(soap11, `${body(call('MarkGetAll', ''))}<trailer /><soap:Header />`)),
    asmx: listed,
    strict: refused11('<trailer> where the Body of the envelope belongs (line …, column …)'),
  },
  {
    title: 'Anything else before the Body is not.',
    sent: marks(envelope(soap11, `<other />${body(call('MarkGetAll', ''))}`)),
    asmx: refused11(`Server was unable to read request. ---> ${missing('Body')}`),
    strict: refused11('<other> where the Body of the envelope belongs (line …, column …)'),
  },
  {
    title: 'Comments and instructions before the envelope are passed over.',
    sent: marks(`<?xml version="1.0"?><!-- a --><?b c?>\n${envelope(soap11, body(call('MarkGetAll', '')))}`),
    asmx: listed,
    strict: noInstructions('b'),
  },
  {
    title: 'An instruction behind the envelope is passed over.',
    sent: marks(`${envelope(soap11, body(call('MarkGetAll', '')))}<?b c?>`),
    asmx: listed,
    strict: noInstructions('b'),
  },
  {
    title: 'Text between parameters is passed over.',
    sent: marks(envelope(soap11, body(call('MarkGetAll', 'some text')))),
    asmx: listed,
    strict: refused11("The request holds text beside its members: 'some text'."),
  },
  {
    title: 'encodingStyle is passed over.',
    sent: marks(
      envelope(
        soap11,
        `<soap:Body soap:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/">${call('MarkGetAll', '')}</soap:Body>`,
      ),
    ),
    asmx: listed,
  },
  {
    title: 'A header entry that need not be understood is passed over.',
    sent: marks(
      envelope(soap11, `<soap:Header><a soap:mustUnderstand="0" /></soap:Header>${body(call('MarkGetAll', ''))}`),
    ),
    asmx: listed,
  },
  {
    title: 'mustUnderstand="1" is a fault without a detail.',
    sent: marks(
      envelope(soap11, `<soap:Header><a soap:mustUnderstand="1" /></soap:Header>${body(call('MarkGetAll', ''))}`),
    ),
    asmx: {
      status: 500,
      type: type11,
      code: 'soap:MustUnderstand',
      words: 'SOAP header a was not understood.',
      lacks: ['detail'],
    },
    strict: {
      status: 500,
      type: type11,
      code: 'soap:MustUnderstand',
      words: 'The header a must be understood, and is not. (line …, column …)',
      lacks: ['detail'],
    },
  },
  {
    title: 'mustUnderstand="true" for somebody else is a fault all the same.',
    sent: {
      headers: headers12,
      body: envelope(
        soap12,
        '<soap:Header><a:b xmlns:a="urn:a" soap:role="http://www.w3.org/2003/05/soap-envelope/role/none" soap:mustUnderstand="true" />' +
          `</soap:Header>${body(call('MarkGetAll', ''))}`,
      ),
    },
    asmx: {
      status: 500,
      type: type12,
      code: 'soap:MustUnderstand',
      words: 'SOAP header b was not understood.',
      lacks: ['Detail'],
    },
    strict: { ...listed, type: type12 },
  },
  {
    title: 'mustUnderstand with any other word is not heeded.',
    sent: marks(
      envelope(soap11, `<soap:Header><a soap:mustUnderstand="yes" /></soap:Header>${body(call('MarkGetAll', ''))}`),
    ),
    asmx: listed,
  },
];

const documents: readonly Probe[] = [
  {
    title: 'An empty body is no document.',
    sent: count(count11, ''),
    asmx: { ...emptyAnswer(400), type: type11 },
    strict: refused11('the document ends before its root element (line …, column …)'),
  },
  {
    title: 'An empty body that would have to route itself is a fault of the server.',
    sent: count(headers12, ''),
    asmx: {
      status: 500,
      type: type12,
      code: 'soap:Receiver',
      words: 'Server was unable to process request. ---> Root element is missing.',
    },
    strict: refused12('the document ends before its root element (line …, column …)'),
  },
  {
    title: 'A document that breaks off is answered by 400 and nothing.',
    sent: count(count11, envelope(soap11, body(counting)).slice(0, -20)),
    asmx: emptyAnswer(400),
    strict: refused11('the document ends within <soap:Body> (line …, column …)'),
  },
  {
    title: 'A document that breaks off behind its operation was routed by it: 400 in SOAP 1.2 too.',
    sent: count(headers12, envelope(soap12, body(counting)).slice(0, -20)),
    asmx: emptyAnswer(400),
    strict: refused12('the document ends within <soap:Body> (line …, column …)'),
  },
  {
    title: 'Text that is no XML is answered by 400 and nothing.',
    sent: count(count11, 'hello'),
    asmx: emptyAnswer(400),
    strict: refused11("text outside the root element: 'hello' (line …, column …)"),
  },
  {
    title: 'A document type is refused without a word.',
    sent: count(count11, `<!DOCTYPE a [<!ENTITY b "c">]>${envelope(soap11, body(counting))}`),
    asmx: emptyAnswer(400),
    strict: refused11('document type declarations are refused (line …, column …)'),
  },
  {
    title: 'A document type in SOAP 1.2 is refused with a word.',
    sent: count(headers12, `<!DOCTYPE a SYSTEM "file:///etc/passwd">${envelope(soap12, body(counting))}`),
    asmx: {
      status: 500,
      type: type12,
      code: 'soap:Receiver',
      words: 'Server was unable to process request. ---> DTD is prohibited in this XML document.',
    },
    strict: refused12('document type declarations are refused (line …, column …)'),
  },
  {
    title: 'XML 1.1 is not read.',
    sent: count(count11, `<?xml version="1.1"?>${envelope(soap11, body(counting))}`),
    asmx: emptyAnswer(400),
    strict: refused11("XML version '1.1' is not read, only 1.0 (line …, column …)"),
  },
  {
    title: 'An entity that is not declared is refused.',
    sent: marks(envelope(soap11, body(call('MarkGetAll', '<a>&nbsp;</a>')))),
    asmx: emptyAnswer(400),
    strict: refused11('the reference &nbsp; stands for nothing (line …, column …)'),
  },
  {
    title: 'A reference to a control character is refused, though answers hold such.',
    sent: line('1', '<description>a&#x1F;b</description>'),
    asmx: emptyAnswer(400),
    strict: { status: 400, holds: ['description holds a reference to a character that XML 1.0 does not have.'] },
  },
  {
    title: 'A control character as it is is answered by 400.',
    sent: line('1', '<description>a\u0001b</description>'),
    asmx: emptyAnswer(400),
    strict: refused11('the character U+0001 must not stand in a document (line …, column …)'),
  },
  {
    title: 'A control character as it is is answered by 400 in SOAP 1.2 too: the request was routed before it.',
    sent: soap2('MarkGetAll', '<a>b\u0001</a>'),
    asmx: emptyAnswer(400),
    strict: refused12('the character U+0001 must not stand in a document (line …, column …)'),
  },
  {
    title: 'A control character before the operation leaves nothing to route by.',
    sent: { headers: headers12, body: envelope(soap12, `\u0001${body(call('MarkGetAll', ''))}`) },
    asmx: {
      status: 500,
      type: type12,
      code: 'soap:Receiver',
      words:
        'Server was unable to process request. ---> the character U+0001 must not stand in a document (line …, column …)',
    },
    strict: refused12('the character U+0001 must not stand in a document (line …, column …)'),
  },
  {
    title: 'A byte order mark is passed over.',
    sent: { headers: headers11('MarkGetAll'), body: `\ufeff${envelope(soap11, body(call('MarkGetAll', '')))}` },
    asmx: listed,
  },
  {
    title: 'UTF-16 is read by its mark.',
    sent: {
      headers: headers11('MarkGetAll'),
      body: Buffer.from(`\ufeff${envelope(soap11, body(call('MarkGetAll', '')))}`, 'utf16le'),
    },
    asmx: listed,
    strict: { status: 415, holds: ['The Content-Type says utf-8; the body begins with the mark of UTF-16.'] },
  },
  {
    title: 'A comment between parameters is passed over.',
    sent: page(paging('1').replace('<pageSize>', '<!-- a --><pageSize>')),
    asmx: onePage,
  },
  {
    title: 'A comment within a value is answered by 400.',
    sent: page(paging('1<!-- a -->')),
    asmx: emptyAnswer(400),
    strict: onePage,
  },
  {
    title: 'An instruction within a value is answered by 400.',
    sent: line('1', '<description>a<?b?></description>'),
    asmx: emptyAnswer(400),
    strict: noInstructions('b'),
  },
  {
    title: 'An element within a text is answered by 400.',
    sent: line('1', '<description>a<b /></description>'),
    asmx: emptyAnswer(400),
    strict: refused11('description has a value that does not fit its type.'),
  },
  {
    title: 'CDATA within a value is text.',
    sent: line('1', '<description>a<![CDATA[<b>&]]></description>'),
    asmx: { status: 200, type: type11, holds: ['<Description>a&lt;b&gt;&amp;</Description>'] },
  },
  {
    title: 'Elements nested without end are refused.',
    sent: marks(envelope(soap11, body(`<MarkGetAll xmlns="${ns}">${'<a>'.repeat(5000)}`))),
    asmx: emptyAnswer(400),
    strict: refused11('elements nested deeper than 64 (line …, column …)'),
  },
  {
    title: 'A compressed request is not unpacked.',
    sent: { headers: { ...count11, 'content-encoding': 'gzip' }, body: gzipSync(envelope(soap11, body(counting))) },
    asmx: emptyAnswer(400),
    strict: { status: 500, type: type11, code: 'soap:Client' },
  },
];

const charsets: readonly Probe[] = [
  {
    title: 'text/xml without a charset is ASCII: every byte beyond it becomes a question mark.',
    sent: {
      ...line('1', '<description>café</description>'),
      headers: { ...headers11('ActivityAddProductLine'), 'content-type': 'text/xml' },
    },
    asmx: { status: 200, holds: ['<Description>caf??</Description>'] },
    strict: wrongType,
  },
  {
    title: 'application/soap+xml without a charset is UTF-8.',
    sent: {
      ...soap2(
        'ActivityAddProductLine',
        `${subscriptionStart}<quantity>1</quantity><productId>${product}</productId><description>café</description><vatId>${vat}</vatId><amount>1</amount><purchaseAmount>1</purchaseAmount>`,
      ),
      headers: { 'content-type': 'application/soap+xml' },
    },
    asmx: { status: 200, type: type12, holds: ['<Description>café</Description>'] },
    strict: wrongType,
  },
  {
    title: 'ISO-8859-1 is read as such.',
    sent: {
      headers: { ...headers11('ActivityAddProductLine'), 'content-type': 'text/xml; charset=ISO-8859-1' },
      body: Buffer.from(String(line('1', '<description>café</description>').body), 'latin1'),
    },
    asmx: { status: 200, holds: ['<Description>café</Description>'] },
    strict: wrongType,
  },
  {
    title: 'windows-1252 has a euro sign.',
    sent: {
      headers: { ...headers11('ActivityAddProductLine'), 'content-type': 'text/xml; charset=windows-1252' },
      body: Buffer.from(String(line('1', '<description>\x80 \x93</description>').body), 'latin1'),
    },
    asmx: { status: 200, holds: ['<Description>€ “</Description>'] },
    strict: wrongType,
  },
  {
    title: 'A charset that nobody knows is ASCII.',
    sent: {
      ...line('1', '<description>é</description>'),
      headers: { ...headers11('ActivityAddProductLine'), 'content-type': 'text/xml; charset=klingon' },
    },
    asmx: { status: 200, holds: ['<Description>??</Description>'] },
    strict: wrongType,
  },
  {
    title: 'Bytes that are no UTF-8 are replaced, not refused.',
    sent: {
      headers: headers11('ActivityAddProductLine'),
      body: Buffer.from(String(line('1', '<description>é</description>').body), 'latin1'),
    },
    asmx: { status: 200, holds: ['<Description>\ufffd</Description>'] },
    strict: { status: 500, code: 'soap:Client' },
  },
];

const members: readonly Probe[] = [
  {
    title: 'A list that is given twice goes on.',
    sent: modified(
      `<workflowIds><guid>${userId}</guid></workflowIds><workflowIds><guid>${workflow}</guid></workflowIds>`,
    ),
    asmx: { status: 200, holds: ['<Activities><PvActivityData>'] },
    strict: refused11('workflowIds comes twice'),
  },
  {
    title: 'A list marked nil behind a list takes nothing away.',
    sent: modified(`<workflowIds><guid>${userId}</guid></workflowIds><workflowIds xsi:nil="true" />`),
    asmx: { status: 200, holds: ['<Activities xsi:nil="true" />'] },
    strict: refused11('workflowIds cannot be nil (line …, column …)'),
  },
  {
    title: 'Parameters in another order are taken.',
    sent: page(
      '<includeCounters>false</includeCounters><includeFields>false</includeFields><pageSize>1</pageSize><pageNumber>1</pageNumber>',
    ),
    asmx: onePage,
    strict: refused11('includeFields stands behind members that come after it in the contract.'),
  },
  {
    title: 'Of two elements with one name the first is taken.',
    sent: page(`${paging('1')}<pageSize>9999999999</pageSize>`),
    asmx: { ...onePage, lacks: ['</PvRelationData><PvRelationData>'] },
    strict: refused11('pageSize comes twice'),
  },
  {
    title: 'An unknown element is passed over.',
    sent: page(`${paging('1')}<pageColour>red</pageColour>`),
    asmx: onePage,
    strict: refused11('pageColour is not known.'),
  },
  {
    title: 'An element in another namespace is unknown: its value is missing.',
    sent: page(paging('1').replace('<pageSize>1', '<pageSize xmlns="urn:other">x')),
    asmx: onePage,
    strict: refused11(`pageSize is in the namespace 'urn:other', expected '${ns}'`),
  },
  {
    title: 'Unknown attributes are passed over.',
    sent: page(paging('1').replace('<pageSize>', '<pageSize colour="red">')),
    asmx: onePage,
    strict: refused11("pageSize has the attribute 'colour', which the contract does not know (line …, column …)"),
  },
  {
    title: 'Missing values are zero and false.',
    sent: page(''),
    asmx: onePage,
    strict: refused11('pageNumber is required.'),
  },
  {
    title: 'A missing GUID is the empty one.',
    sent: soap('NotificationGetCount', ''),
    asmx: { status: 200, holds: ['There is no user 00000000-0000-0000-0000-000000000000.'] },
    strict: refused11('userId is required.'),
  },
  {
    title: 'A missing enumeration is its first value.',
    sent: soap('SystemDatastoreGetItems', ''),
    asmx: { status: 200, holds: ['<Succeeded>true</Succeeded>', '<DatastoreItems>'] },
    strict: refused11('systemDatastoreType is required.'),
  },
  {
    title: 'Missing moments are the year 1, so that the period is empty and no fault.',
    sent: soap('RelationGetMarksModified', '<relationId>00000000-0000-4000-8000-000000000102</relationId>'),
    asmx: { status: 200, holds: ['<RelationshipMarks xsi:nil="true" />'] },
    strict: refused11('from is required.'),
  },
  {
    title: 'xsi:nil on a value that cannot be null is a fault.',
    sent: page(paging('1').replace('<pageNumber>1</pageNumber>', '<pageNumber xsi:nil="true" />')),
    asmx: unread(badNumber),
    strict: refused11('pageNumber cannot be nil (line …, column …)'),
  },
  {
    title: 'An empty element is no number.',
    sent: page(paging('')),
    asmx: unread(badNumber),
    strict: notAForm('pageNumber', ''),
  },
  {
    title: 'An empty element is no GUID.',
    sent: ofUser(''),
    asmx: unread('Unrecognized Guid format.'),
    strict: notAForm('userId', ''),
  },
  {
    title: 'An empty element is no moment.',
    sent: period(''),
    asmx: unread("The string '' is not a valid AllXsd value."),
    strict: notAForm('from', ''),
  },
  {
    title: 'An empty element for a value that may be null is a fault too.',
    sent: count(count11, envelope(soap11, body(counting)).replace('<DatabaseId xsi:nil="true" />', '<DatabaseId />')),
    asmx: unread('Unrecognized Guid format.'),
    strict: refused11('credentials.DatabaseId has a value that does not fit its type.'),
  },
  {
    title: 'What may be null may be missing.',
    sent: count(count11, envelope(soap11, body(counting)).replace('<DatabaseId xsi:nil="true" />', '')),
    asmx: good11,
    strict: refused11('credentials.DatabaseId is required.'),
  },
  {
    title: 'xsi:nil="1" is nil.',
    sent: count(
      count11,
      envelope(soap11, body(counting)).replace('<UserId xsi:nil="true" />', '<UserId xsi:nil="1" />'),
    ),
    asmx: good11,
  },
  {
    title: 'What is in an element marked nil is passed over.',
    sent: count(
      count11,
      envelope(soap11, body(counting)).replace('<UserId xsi:nil="true" />', '<UserId xsi:nil="true">x</UserId>'),
    ),
    asmx: good11,
    strict: refused11('credentials.UserId is marked nil and yet holds something (line …, column …)'),
  },
  {
    title: 'xsi:nil on an enumeration is a fault.',
    sent: soap('SystemDatastoreGetItems', '<systemDatastoreType xsi:nil="true" />'),
    asmx: unread("Instance validation error: '' is not a valid value for SystemDatastoreType."),
    strict: refused11('systemDatastoreType cannot be nil (line …, column …)'),
  },
  {
    title: 'xsi:nil on an item that is a GUID is a fault.',
    sent: modified('<workflowIds><guid xsi:nil="true" /></workflowIds>'),
    asmx: unread('Unrecognized Guid format.'),
    strict: refused11('workflowIds.guid cannot be nil (line …, column …)'),
  },
  {
    title: 'xsi:nil on a text within a record says nothing.',
    sent: count(
      count11,
      envelope(soap11, body(counting)).replace('</credentials>', '<UserName xsi:nil="true" /></credentials>'),
    ),
    asmx: { status: 200, holds: ['<Code>InvalidCredentials</Code>'] },
    strict: refused11('credentials.UserName cannot be nil (line …, column …)'),
  },
  {
    title: 'xsi:nil with another word than those of a boolean is passed over.',
    sent: count(
      count11,
      envelope(soap11, body(counting)).replace('<UserId xsi:nil="true" />', '<UserId xsi:nil="True" />'),
    ),
    asmx: unread('Unrecognized Guid format.'),
    strict: refused11('credentials.UserId has xsi:nil="True"; it is true or false, or 1 or 0 (line …, column …)'),
  },
  {
    title: 'White space in an element marked nil is passed over.',
    sent: count(
      count11,
      envelope(soap11, body(counting)).replace('<UserId xsi:nil="true" />', '<UserId xsi:nil="true"> </UserId>'),
    ),
    asmx: good11,
    strict: refused11('credentials.UserId is marked nil and yet holds something (line …, column …)'),
  },
  {
    title: 'xsi:nil="false" says nothing.',
    sent: count(
      count11,
      envelope(soap11, body(counting)).replace(
        '<UserId xsi:nil="true" />',
        `<UserId xsi:nil="false">${userId}</UserId>`,
      ),
    ),
    asmx: good11,
  },
  {
    title: 'nil without its namespace says nothing: the element is empty.',
    sent: count(
      count11,
      envelope(soap11, body(counting)).replace('<UserId xsi:nil="true" />', '<UserId nil="true" />'),
    ),
    asmx: unread('Unrecognized Guid format.'),
    strict: refused11(
      "credentials.UserId has the attribute 'nil', which the contract does not know (line …, column …)",
    ),
  },
  {
    title: 'The operation marked nil is read all the same.',
    sent: marks(envelope(soap11, body(call('MarkGetAll', '').replace('<MarkGetAll', '<MarkGetAll xsi:nil="true"')))),
    asmx: listed,
    strict: refused11('The request cannot be nil (line …, column …)'),
  },
  {
    title: 'The right xsi:type of a value, of a GUID and of a list is taken.',
    sent: modified(
      `<workflowIds xmlns:t="${ns}" xmlns:g="http://microsoft.com/wsdl/types/" xsi:type="t:ArrayOfGuid">` +
        `<guid xsi:type="g:guid">${userId}</guid></workflowIds>`,
      '<pageNumber xmlns:s="http://www.w3.org/2001/XMLSchema" xsi:type="s:int">',
    ),
    asmx: { status: 200, holds: ['<Activities xsi:nil="true" />'] },
  },
  {
    title: 'The wrong xsi:type of a value is passed over.',
    sent: modified('', '<pageNumber xmlns:s="http://www.w3.org/2001/XMLSchema" xsi:type="s:long">'),
    asmx: { status: 200, holds: ['<Activities>'] },
    strict: refused11(
      "pageNumber has the xsi:type 's:long'; in the contract it is int of http://www.w3.org/2001/XMLSchema (line …, column …)",
    ),
  },
  {
    title: 'xsi:nil on a text says nothing: the text is empty.',
    sent: line('1', '<description xsi:nil="true" />'),
    asmx: { status: 200, holds: ['<Description />'] },
    strict: refused11('description cannot be nil (line …, column …)'),
  },
  {
    title: 'An empty text is a value.',
    sent: line('1', '<description />'),
    asmx: { status: 200, holds: ['<Description />'] },
  },
  {
    title: 'A text that is left out is left out of the answer.',
    sent: line('1', ''),
    asmx: { status: 200, lacks: ['<Description'] },
  },
  {
    title: 'White space in a text is kept.',
    sent: line('1', '<description>  a \t b  </description>'),
    asmx: { status: 200, holds: ['<Description>  a \t b  </Description>'] },
  },
  {
    title: 'CR by reference comes back as the bare character, which XML readers take for a line feed.',
    sent: line('1', '<description>a&#xD;b &amp;#xD;</description>'),
    asmx: { status: 200, holds: ['<Description>a\rb &amp;#xD;</Description>'] },
    strict: { status: 200, holds: ['<Description>a&#xD;b &amp;#xD;</Description>'] },
  },
  {
    title: 'A record marked nil is an empty record: its credentials open nothing.',
    sent: marks(envelope(soap11, body(`<MarkGetAll xmlns="${ns}"><credentials xsi:nil="true" /></MarkGetAll>`))),
    asmx: { status: 500, code: 'q0:InvalidCredentials', words: 'The ApiKey is not valid.' },
    strict: refused11('credentials cannot be nil (line …, column …)'),
  },
  {
    title: 'A record with its own xsi:type is taken.',
    sent: marks(
      envelope(soap11, body(call('MarkGetAll', ''))).replace(
        '<credentials>',
        `<credentials xmlns:a="${ns}" xsi:type="a:ApiCredentials">`,
      ),
    ),
    asmx: listed,
  },
  {
    title: 'A record with an unknown xsi:type is a fault that names it.',
    sent: marks(
      envelope(soap11, body(call('MarkGetAll', ''))).replace('<credentials>', '<credentials xsi:type="Other">'),
    ),
    asmx: unread(
      `The specified type was not recognized: name='Other', namespace='${ns}', at <credentials xmlns='${ns}'>.`,
    ),
    strict: refused11(
      `credentials has the xsi:type 'Other'; in the contract it is ApiCredentials of ${ns} (line …, column …)`,
    ),
  },
  {
    title: 'A record without anything in it is an empty record.',
    sent: marks(envelope(soap11, body(`<MarkGetAll xmlns="${ns}"><credentials /></MarkGetAll>`))),
    asmx: { status: 500, code: 'q0:InvalidCredentials', words: 'The ApiKey is not valid.' },
    strict: refused11('credentials.ApiKey is required.'),
  },
  {
    title: 'A record that is left out is none.',
    sent: marks(envelope(soap11, body(`<MarkGetAll xmlns="${ns}" />`))),
    asmx: { status: 500, code: 'q0:InvalidCredentials', words: 'Credentials are required.' },
  },
  {
    title: 'A list marked nil is none.',
    sent: search('<fieldValues xsi:nil="true" />'),
    asmx: found,
    strict: refused11('fieldValues cannot be nil (line …, column …)'),
  },
  { title: 'A list without items is empty.', sent: search('<fieldValues />'), asmx: found },
  { title: 'A list that is left out is none.', sent: search(''), asmx: found },
  {
    title: 'An item marked nil is an item all the same.',
    sent: search('<fieldValues><PvFieldValueData xsi:nil="true" /></fieldValues>'),
    asmx: noField,
  },
  {
    title: 'An empty item is one with defaults: no field has the empty GUID.',
    sent: search('<fieldValues><PvFieldValueData /></fieldValues>'),
    asmx: noField,
    strict: refused11('fieldValues.PvFieldValueData.Id is required.'),
  },
  {
    title: 'An empty element is no boolean.',
    sent: flagged(''),
    asmx: unread("The string '' is not a valid Boolean value."),
    strict: notAForm('includeFields', ''),
  },
  {
    title: 'An empty element is no decimal.',
    sent: line(''),
    asmx: unread(badNumber),
    strict: notAForm('quantity', ''),
  },
  {
    title: 'An empty element is no value of an enumeration.',
    sent: system(''),
    asmx: unread("Instance validation error: '' is not a valid value for SystemDatastoreType."),
    strict: notAForm('systemDatastoreType', ''),
  },
  {
    title: 'List items with another name are passed over.',
    sent: soap(
      'DatastoreCreateItem_V3',
      '<entityTypeId>00000000-0040-4000-8000-000000000021</entityTypeId><fieldValues><item /></fieldValues>',
    ),
    asmx: { status: 200, holds: ['<ErrorInformation>The field Description is required.</ErrorInformation>'] },
    strict: refused11('fieldValues.item is not known.'),
  },
];

const forms: readonly Probe[] = [
  { title: 'A number takes white space and a sign.', sent: page(paging(' +1\n')), asmx: onePage },
  {
    title: 'A number takes leading zeros.',
    sent: page(paging('0000000000000000000000000000000000000000000000000000000000000000000000001')),
    asmx: onePage,
    strict: notAForm('pageNumber', '0000000000000000000000000000000000000000000000000000000000000000000000001'),
  },
  {
    title: 'A whole number has no point.',
    sent: page(paging('1.0')),
    asmx: unread(badNumber),
    strict: notAForm('pageNumber', '1.0'),
  },
  {
    title: 'A number has no exponent.',
    sent: page(paging('1e3')),
    asmx: unread(badNumber),
    strict: notAForm('pageNumber', '1e3'),
  },
  {
    title: 'A number has no separators.',
    sent: page(paging('1,000')),
    asmx: unread(badNumber),
    strict: notAForm('pageNumber', '1,000'),
  },
  {
    title: 'A number beyond 32 bits is too large.',
    sent: page(paging('2147483648')),
    asmx: unread('Value was either too large or too small for an Int32.'),
    strict: notAForm('pageNumber', '2147483648'),
  },
  { title: 'A boolean may be 0 or 1.', sent: flagged('1'), asmx: onePage },
  { title: 'A boolean takes white space.', sent: flagged(' true '), asmx: onePage },
  {
    title: 'A boolean has no capital.',
    sent: flagged('True'),
    asmx: unread("The string 'True' is not a valid Boolean value."),
    strict: notAForm('includeFields', 'True'),
  },
  { title: 'A GUID may be in capitals.', sent: ofUser(userId.toUpperCase()), asmx: good11 },
  {
    title: 'A GUID may have no dashes.',
    sent: ofUser(userId.replaceAll('-', '')),
    asmx: good11,
    strict: notAForm('userId', userId.replaceAll('-', '')),
  },
  {
    title: 'A GUID may stand in braces.',
    sent: ofUser(`{${userId}}`),
    asmx: good11,
    strict: notAForm('userId', `{${userId}}`),
  },
  {
    title: 'A GUID may stand in parentheses.',
    sent: ofUser(`(${userId})`),
    asmx: good11,
    strict: notAForm('userId', `(${userId})`),
  },
  {
    title: 'A GUID may be written in its parts.',
    sent: ofUser(inParts),
    asmx: good11,
    strict: notAForm('userId', inParts),
  },
  { title: 'A GUID may have white space around it.', sent: ofUser(` ${userId}\n`), asmx: good11 },
  {
    title: 'A GUID that is cut short is none.',
    sent: ofUser(userId.slice(1)),
    asmx: unread(badGuid),
    strict: notAForm('userId', userId.slice(1)),
  },
  {
    title: 'A GUID is echoed in lower case.',
    sent: soap(
      'ActivityAddProductLine',
      `${subscriptionStart}<quantity>1</quantity><productId>{${product}}</productId><vatId>${vat.toUpperCase()}</vatId><amount>1</amount><purchaseAmount>1</purchaseAmount>`,
    ),
    asmx: { status: 200, holds: [`<ProductId>${product}</ProductId>`] },
    strict: notAForm('productId', `{${product}}`),
  },
  {
    title: 'A decimal keeps its scale.',
    sent: line('12.500'),
    asmx: {
      status: 200,
      holds: ['<Quantity>12.500</Quantity><Amount>2.50</Amount><TotalAmount>31.25000</TotalAmount>'],
    },
  },
  {
    title: 'A decimal takes white space, a sign and a bare point, and loses them.',
    sent: line(' +.50 '),
    asmx: { status: 200, holds: ['<Quantity>0.50</Quantity>'] },
    strict: { status: 200, holds: ['<Quantity>+.50</Quantity>'] },
  },
  {
    title: 'A decimal loses its leading zeros and a point at its end.',
    sent: line('007.'),
    asmx: { status: 200, holds: ['<Quantity>7</Quantity>'] },
    strict: { status: 200, holds: ['<Quantity>007.</Quantity>'] },
  },
  {
    title: 'A decimal with too many digits is rounded, from the middle to the even one.',
    sent: line('0.00000000000000000000000000005'),
    asmx: { status: 200, holds: ['<Quantity>0.0000000000000000000000000000</Quantity>'] },
    strict: { status: 200, holds: ['<Quantity>0.00000000000000000000000000005</Quantity>'] },
  },
  {
    title: 'A decimal has no exponent.',
    sent: line('1E2'),
    asmx: unread(badNumber),
    strict: notAForm('quantity', '1E2'),
  },
  {
    title: 'A decimal has no comma.',
    sent: line('1,5'),
    asmx: unread(badNumber),
    strict: notAForm('quantity', '1,5'),
  },
  {
    title: 'A decimal beyond 96 bits is too large.',
    sent: line('79228162514264337593543950336'),
    asmx: unread('Value was either too large or too small for a Decimal.'),
    strict: { status: 200, holds: ['<Quantity>79228162514264337593543950336</Quantity>'] },
  },
  {
    title: 'A date stands for its midnight.',
    sent: period('2026-02-28'),
    asmx: { status: 200, holds: ['<RelationshipMarks xsi:nil="true" />'] },
    strict: notAForm('from', '2026-02-28'),
  },
  {
    title: 'A year stands for its first day.',
    sent: period('2026'),
    asmx: { status: 200, holds: ['<RelationshipMarks'] },
    strict: notAForm('from', '2026'),
  },
  {
    title: 'A month stands for its first day.',
    sent: period('2026-02'),
    asmx: { status: 200, holds: ['<RelationshipMarks'] },
    strict: notAForm('from', '2026-02'),
  },
  {
    title: 'A time is one of today.',
    sent: period('10:00:00'),
    asmx: { status: 200, holds: ['<RelationshipMarks'] },
    strict: notAForm('from', '10:00:00'),
  },
  {
    title: 'An offset may be larger than any zone has.',
    sent: period('2026-02-28T10:00:00+15:00'),
    asmx: { status: 200, holds: ['<RelationshipMarks'] },
    strict: notAForm('from', '2026-02-28T10:00:00+15:00'),
  },
  {
    title: 'The first moment with an offset is taken.',
    sent: period('0001-01-01T00:00:00+01:00'),
    asmx: { status: 200, holds: ['<RelationshipMarks'] },
  },
  {
    title: 'A moment without seconds is none.',
    sent: period('2026-02-28T10:00'),
    asmx: unread("The string '2026-02-28T10:00' is not a valid AllXsd value."),
    strict: notAForm('from', '2026-02-28T10:00'),
  },
  {
    title: 'A moment has a T.',
    sent: period('2026-02-28 10:00:00'),
    asmx: unread("The string '2026-02-28 10:00:00' is not a valid AllXsd value."),
    strict: notAForm('from', '2026-02-28 10:00:00'),
  },
  {
    title: 'There is no 24 o’clock for the engine; XML Schema has one, the start of the next day.',
    sent: period('2026-02-28T24:00:00'),
    asmx: unread("The string '2026-02-28T24:00:00' is not a valid AllXsd value."),
    strict: { status: 200, holds: ['<RelationshipMarks'] },
  },
  {
    title: 'There is no 30 February.',
    sent: period('2026-02-30T00:00:00'),
    asmx: unread("The string '2026-02-30T00:00:00' is not a valid AllXsd value."),
    strict: notAForm('from', '2026-02-30T00:00:00'),
  },
  {
    title: 'UTC may be a small z.',
    sent: period('2026-02-28T10:00:00z'),
    asmx: { status: 200, holds: ['<RelationshipMarks xsi:nil="true" />'] },
    strict: notAForm('from', '2026-02-28T10:00:00z'),
  },
  {
    title: 'An enumeration has its exact values only.',
    sent: system('legalEntity'),
    asmx: unread("Instance validation error: 'legalEntity' is not a valid value for SystemDatastoreType."),
    strict: notAForm('systemDatastoreType', 'legalEntity'),
  },
  {
    title: 'An enumeration takes no white space.',
    sent: system(' LegalEntity'),
    asmx: unread("Instance validation error: ' LegalEntity' is not a valid value for SystemDatastoreType."),
    strict: notAForm('systemDatastoreType', ' LegalEntity'),
  },
  {
    title: 'A value that repeats markup repeats it escaped.',
    sent: flagged('&lt;b&gt;'),
    asmx: unread("The string '<b>' is not a valid Boolean value."),
    strict: notAForm('includeFields', '<b>'),
  },
  {
    title: 'Credentials that are wrong are said in the result where it has an envelope.',
    sent: count(count11, envelope(soap11, body(counting)).replace(apiKey, userId)),
    asmx: { status: 200, holds: ['<Succeeded>false</Succeeded><Number>401</Number><Code>InvalidCredentials</Code>'] },
  },
];

/** Every probe, by what it is about. */
export const probes: Readonly<Record<string, readonly Probe[]>> = {
  'where a request goes': routing,
  envelopes,
  documents,
  'character sets': charsets,
  'what is there and what is not': members,
  'lexical forms': forms,
};
