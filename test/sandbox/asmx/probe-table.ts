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
  readonly strict: Expected;
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
const noMoment = (value: string): Expected => unread(`The string '${value}' is not a valid AllXsd value.`);
const noBoolean = (value: string): Expected => unread(`The string '${value}' is not a valid Boolean value.`);
const noChoice = (value: string): Expected =>
  unread(`Instance validation error: '${value}' is not a valid value for SystemDatastoreType.`);
/** What ASMX says where it could not even route a request. */
const unprocessed = (words: string): Expected => ({
  ...{ status: 500, type: type12, code: 'soap:Receiver' },
  words: `Server was unable to process request. ---> ${words}`,
});
const done = (...holds: readonly string[]): Expected => ({ status: 200, holds });
const emptyAnswer = (status: number): Expected => ({ status, isEmpty: true });
const onePage: Expected = { status: 200, type: type11, holds: ['<Relations><PvRelationData><Id>00000000-0000-4000'] };
const listed: Expected = { status: 200, type: type11, holds: ['<Marks><PvMarkData>'] };

const found: Expected = { status: 200, type: type11, holds: ['<Activities><PvActivityData>'] };

const noField: Expected = done(
  '<ErrorInformation>There is no field 00000000-0000-0000-0000-000000000000 here.</ErrorInformation>',
);

const noInstructions = (target: string): Expected =>
  refused11(`A SOAP message cannot have processing instructions, and this one has <?${target}?> (line …, column …)`);
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
  refused11(`${path} has a value that does not match its type: '${value}'.`);

const probe = (title: string, sent: Sent, asmx: Expected, strict: Expected = asmx): Probe => ({
  title,
  sent,
  asmx,
  strict,
});
/** Probes of one parameter: how its value is sent, and what a strict service says unless it takes the value too. */
const formOf =
  (sent: (value: string) => Sent, path: string) =>
  (title: string, value: string, asmx: Expected, strict: Expected = notAForm(path, value)): Probe =>
    probe(title, sent(value), asmx, strict);
const numberForm = formOf((value) => page(paging(value)), 'pageNumber');
const guidForm = formOf(ofUser, 'userId');
const momentForm = formOf(period, 'from');
const decimalForm = formOf(line, 'quantity');
const booleanForm = formOf(flagged, 'includeFields');
const choiceForm = formOf(system, 'systemDatastoreType');

const routing: readonly Probe[] = [
  probe('A SOAPAction in quotes names the operation.', count(count11), good11),
  probe(
    'A SOAPAction without quotes is taken too.',
    count({ ...count11, soapaction: `${ns}/NotificationGetCount` }),
    good11,
    badAction('NotificationGetCount', `${ns}/NotificationGetCount`),
  ),
  probe(
    'A SOAPAction with %-escapes is unescaped.',
    count({ ...count11, soapaction: '"http%3A%2F%2Frelctl.example%2Fsandbox%2FNotificationGetCount"' }),
    good11,
    badAction('NotificationGetCount', '"http%3A%2F%2Frelctl.example%2Fsandbox%2FNotificationGetCount"'),
  ),
  probe(
    'A SOAPAction that nobody knows is a fault that repeats it.',
    count({ ...count11, soapaction: '"urn:other"' }),
    refused11('Server did not recognize the value of HTTP Header SOAPAction: urn:other.'),
    badAction('NotificationGetCount', '"urn:other"'),
  ),
  probe(
    'An empty SOAPAction names nothing.',
    count({ ...count11, soapaction: '""' }),
    refused11('Server did not recognize the value of HTTP Header SOAPAction: .'),
    badAction('NotificationGetCount', '""'),
  ),
  probe(
    'A SOAPAction in other letter case names nothing.',
    count({ ...count11, soapaction: `"${ns}/notificationgetcount"` }),
    refused11(`Server did not recognize the value of HTTP Header SOAPAction: ${ns}/notificationgetcount.`),
    badAction('NotificationGetCount', `"${ns}/notificationgetcount"`),
  ),
  probe(
    'A SOAPAction with markup in it comes back escaped.',
    count({ ...count11, soapaction: '"<a>&amp;"' }),
    refused11('Server did not recognize the value of HTTP Header SOAPAction: <a>&amp;.'),
    badAction('NotificationGetCount', '"<a>&amp;"'),
  ),
  probe(
    'The SOAPAction of another operation runs that one, with nothing of the body, credentials neither.',
    count(headers11('MarkGetAll')),
    {
      status: 500,
      type: type11,
      code: 'q0:InvalidCredentials',
      words: 'Credentials are required.',
    },
    badAction('NotificationGetCount', `"${ns}/MarkGetAll"`),
  ),
  probe(
    'Without a SOAPAction the element in the Body decides.',
    count({ 'content-type': type11 }),
    good11,
    refused11(`The header SOAPAction is missing; for NotificationGetCount it is "${ns}/NotificationGetCount".`),
  ),
  probe(
    'Without a SOAPAction an unknown element cannot be routed.',
    { headers: { 'content-type': type11 }, body: envelope(soap11, body(call('RelationExplode', ''))) },
    refused11(noAction),
    refused11('The sandbox does not know the operation RelationExplode.'),
  ),
  probe('SOAP 1.2 needs no action.', count(headers12, envelope(soap12, body(counting))), good12),
  probe(
    'SOAP 1.2 takes its action from the content type, whatever the Body holds.',
    {
      headers: { 'content-type': `${type12}; action="${ns}/MarkGetAll"` },
      body: envelope(soap12, body(counting)),
    },
    {
      status: 500,
      type: type12,
      code: 'soap:Sender',
      words: 'Credentials are required.',
      holds: [
        '<soap:Subcode><soap:Value xmlns:q0="http://relctl.example/sandbox">q0:InvalidCredentials</soap:Value></soap:Subcode>',
      ],
    },
    badAction12('NotificationGetCount', `${ns}/MarkGetAll`),
  ),
  probe(
    'SOAP 1.2 with an unknown action falls back to the Body.',
    count({ 'content-type': `${type12}; action="urn:other"` }, envelope(soap12, body(counting))),
    good12,
    badAction12('NotificationGetCount', 'urn:other'),
  ),
  probe(
    'SOAP 1.2 with an unknown action and an unknown element is a fault about the action.',
    {
      headers: { 'content-type': `${type12}; action="urn:other"` },
      body: envelope(soap12, body(call('RelationExplode', ''))),
    },
    refused12("Unable to handle request. The action 'urn:other' was not recognized."),
    refused12('The sandbox does not know the operation RelationExplode.'),
  ),
  probe(
    'SOAP 1.2 with neither action nor known element asks for an action.',
    { headers: headers12, body: envelope(soap12, body(call('RelationExplode', ''))) },
    refused12(noAction),
    refused12('The sandbox does not know the operation RelationExplode.'),
  ),
  probe(
    'The SOAPAction of another namespace names nothing.',
    count({ ...count11, soapaction: '"urn:other/NotificationGetCount"' }),
    refused11('Server did not recognize the value of HTTP Header SOAPAction: urn:other/NotificationGetCount.'),
    badAction('NotificationGetCount', '"urn:other/NotificationGetCount"'),
  ),
  probe(
    'SOAP 1.2 takes the action of its own operation.',
    count({ 'content-type': `${type12}; action="${ns}/NotificationGetCount"` }, envelope(soap12, body(counting))),
    good12,
  ),
  probe(
    'SOAP 1.2 with an empty action falls back to the Body.',
    count({ 'content-type': `${type12}; action=""` }, envelope(soap12, body(counting))),
    good12,
    badAction12('NotificationGetCount', ''),
  ),
  probe(
    'White space before the semicolon of a content type is taken for a part of the type.',
    count({ ...count11, 'content-type': 'text/xml ; charset=utf-8' }),
    emptyAnswer(415),
    good11,
  ),
  probe(
    'The same in SOAP 1.2.',
    count({ 'content-type': 'application/soap+xml ; charset=utf-8' }, envelope(soap12, body(counting))),
    emptyAnswer(415),
    good12,
  ),
  probe(
    'SOAP 1.2 does not look at a SOAPAction.',
    count({ ...headers12, soapaction: '"urn:other"' }, envelope(soap12, body(counting))),
    good12,
  ),
  probe('A 1.2 envelope as text/xml is answered as 1.2.', count(count11, envelope(soap12, body(counting))), good12, {
    ...wrongType,
    holds: ['The Content-Type is that of SOAP 1.1, the envelope that of SOAP 1.2.'],
  }),
  probe('A 1.1 envelope as application/soap+xml is no supported type.', count(headers12), emptyAnswer(415), {
    ...wrongType,
    holds: ['The Content-Type is that of SOAP 1.2, the envelope that of SOAP 1.1.'],
  }),
  probe(
    'Without a content type nothing is read.',
    count({ soapaction: count11['soapaction'] ?? '' }),
    emptyAnswer(415),
    wrongType,
  ),
  probe(
    'application/xml is no supported type.',
    count({ ...count11, 'content-type': 'application/xml; charset=utf-8' }),
    emptyAnswer(415),
    wrongType,
  ),
  probe(
    'text/plain is no supported type.',
    count({ ...count11, 'content-type': 'text/plain; charset=utf-8' }),
    emptyAnswer(415),
    wrongType,
  ),
  probe(
    'An unknown SOAPAction is told before a wrong content type.',
    count({ 'content-type': 'text/plain', soapaction: '"urn:other"' }),
    refused11('Server did not recognize the value of HTTP Header SOAPAction: urn:other.'),
    wrongType,
  ),
  probe(
    'A content type in capitals, with its charset in quotes, is taken.',
    count({ ...count11, 'content-type': 'TEXT/XML; CharSet="UTF-8"' }),
    good11,
  ),
  probe('The query of a POST says nothing.', { ...count(count11), path: '/V1/service.asmx?op=MarkGetAll' }, good11),
  probe('The path is found in any letter case.', { ...count(count11), path: '/v1/SERVICE.ASMX' }, good11),
  probe(
    'SOAP to a path behind the service is not recognised.',
    { ...count(count11), path: '/V1/service.asmx/NotificationGetCount' },
    {
      status: 500,
      type: 'text/html; charset=utf-8',
      holds: ['Request format is unrecognized for URL unexpectedly ending in &#39;/NotificationGetCount&#39;.'],
    },
    { status: 404 },
  ),
  probe('PUT is not allowed.', { ...count(count11), method: 'PUT' }, { status: 405 }),
  probe(
    'OPTIONS is not allowed, so that no other origin gets leave.',
    { method: 'OPTIONS', headers: {} },
    { status: 405 },
  ),
];

const envelopes: readonly Probe[] = [
  probe(
    'An envelope in a foreign namespace is a version mismatch, with an Upgrade header.',
    count(count11, envelope('urn:soap', body(counting))),
    mismatch('urn:soap'),
    refused11("<Envelope> in namespace 'urn:soap' is not a SOAP envelope (line …, column …)"),
  ),
  probe(
    'A document that is no envelope is a version mismatch too.',
    count(count11, '<html><body>hello</body></html>'),
    mismatch(''),
    refused11("<html> in namespace '' is not a SOAP envelope (line …, column …)"),
  ),
  probe(
    'A version mismatch is said in 1.1, also to application/soap+xml.',
    count(headers12, envelope('urn:soap', body('<a />'))),
    mismatch('urn:soap'),
    refused12("<Envelope> in namespace 'urn:soap' is not a SOAP envelope (line …, column …)"),
  ),
  probe(
    'Another element in the right namespace is no envelope.',
    count(count11, `<soap:Letter xmlns:soap="${soap11}" />`),
    refused11(`Server was unable to read request. ---> ${missing('Envelope')}`),
    refused11(`<Letter> in namespace '${soap11}' is not a SOAP envelope (line …, column …)`),
  ),
  probe(
    'An envelope without a Body is not readable.',
    count(count11, envelope(soap11, '<soap:Header />')),
    refused11(`Server was unable to read request. ---> ${missing('Body')}`),
    refused11('The Body of the envelope is empty.'),
  ),
  probe(
    'An empty envelope is not readable.',
    count(count11, `<soap:Envelope xmlns:soap="${soap11}" />`),
    refused11(`Server was unable to read request. ---> ${missing('Body')}`),
    refused11('The Body of the envelope is empty.'),
  ),
  probe(
    'Without a Body, SOAP 1.2 cannot even be routed: that is the fault of the server.',
    count(headers12, envelope(soap12, '<soap:Header />')),
    unprocessed(missing('Body')),
    refused12('The Body of the envelope is empty.'),
  ),
  probe(
    'An empty Body with a SOAPAction runs the operation with defaults: here, without credentials.',
    count(count11, envelope(soap11, '<soap:Body />')),
    { status: 200, type: type11, holds: ['<Succeeded>false</Succeeded>', 'Credentials are required.'] },
    refused11('The Body of the envelope is empty.'),
  ),
  probe(
    'An operation in another namespace is passed over, and defaults are taken.',
    count(count11, envelope(soap11, body(counting.replace(ns, 'urn:other')))),
    { status: 200, type: type11, holds: ['<Succeeded>false</Succeeded>', 'Credentials are required.'] },
    refused11(
      `The element NotificationGetCount is in the namespace 'urn:other'; the service's is '${ns}'. (line …, column …)`,
      'q0:ProcedureNotPresent',
    ),
  ),
  probe(
    'A second element in the Body is passed over.',
    marks(envelope(soap11, body(`${call('MarkGetAll', '')}<other />`))),
    listed,
    refused11('a second element <other> in the Body (line …, column …)'),
  ),
  probe(
    'The operation is found behind another element.',
    marks(envelope(soap11, body(`<other />${call('MarkGetAll', '')}`))),
    listed,
    refused11(
      `The element other is in the namespace ''; the service's is '${ns}'. (line …, column …)`,
      'q0:ProcedureNotPresent',
    ),
  ),
  probe(
    'Anything behind the Body is passed over.',
    marks(envelope(soap11, `${body(call('MarkGetAll', ''))}<trailer /><soap:Header />`)),
    listed,
    refused11('<trailer> where the Body of the envelope belongs (line …, column …)'),
  ),
  probe(
    'Anything else before the Body is not.',
    marks(envelope(soap11, `<other />${body(call('MarkGetAll', ''))}`)),
    refused11(`Server was unable to read request. ---> ${missing('Body')}`),
    refused11('<other> where the Body of the envelope belongs (line …, column …)'),
  ),
  probe(
    'Comments and instructions before the envelope are passed over.',
    marks(`<?xml version="1.0"?><!-- a --><?b c?>\n${envelope(soap11, body(call('MarkGetAll', '')))}`),
    listed,
    noInstructions('b'),
  ),
  probe(
    'An instruction behind the envelope is passed over.',
    marks(`${envelope(soap11, body(call('MarkGetAll', '')))}<?b c?>`),
    listed,
    noInstructions('b'),
  ),
  probe(
    'Text between parameters is passed over.',
    marks(envelope(soap11, body(call('MarkGetAll', 'some text')))),
    listed,
    refused11("The request has text beside its members: 'some text'."),
  ),
  probe(
    'encodingStyle is passed over.',
    marks(
      envelope(
        soap11,
        `<soap:Body soap:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/">${call('MarkGetAll', '')}</soap:Body>`,
      ),
    ),
    listed,
  ),
  probe(
    'A header entry that need not be understood is passed over.',
    marks(envelope(soap11, `<soap:Header><a soap:mustUnderstand="0" /></soap:Header>${body(call('MarkGetAll', ''))}`)),
    listed,
  ),
  probe(
    'mustUnderstand="1" is a fault without a detail.',
    marks(envelope(soap11, `<soap:Header><a soap:mustUnderstand="1" /></soap:Header>${body(call('MarkGetAll', ''))}`)),
    {
      status: 500,
      type: type11,
      code: 'soap:MustUnderstand',
      words: 'SOAP header a was not understood.',
      lacks: ['detail'],
    },
    {
      status: 500,
      type: type11,
      code: 'soap:MustUnderstand',
      words: 'The mandatory header a is not known. (line …, column …)',
      lacks: ['detail'],
    },
  ),
  probe(
    'mustUnderstand="true" for somebody else is a fault all the same.',
    {
      headers: headers12,
      body: envelope(
        soap12,
        '<soap:Header><a:b xmlns:a="urn:a" soap:role="http://www.w3.org/2003/05/soap-envelope/role/none" soap:mustUnderstand="true" />' +
          `</soap:Header>${body(call('MarkGetAll', ''))}`,
      ),
    },
    {
      status: 500,
      type: type12,
      code: 'soap:MustUnderstand',
      words: 'SOAP header b was not understood.',
      lacks: ['Detail'],
    },
    { ...listed, type: type12 },
  ),
  probe(
    'mustUnderstand with any other word is not heeded.',
    marks(
      envelope(soap11, `<soap:Header><a soap:mustUnderstand="yes" /></soap:Header>${body(call('MarkGetAll', ''))}`),
    ),
    listed,
  ),
];

const documents: readonly Probe[] = [
  probe(
    'An empty body is no document.',
    count(count11, ''),
    { ...emptyAnswer(400), type: type11 },
    refused11('the document ends before its root element (line …, column …)'),
  ),
  probe(
    'An empty body that would have to route itself is a fault of the server.',
    count(headers12, ''),
    unprocessed('Root element is missing.'),
    refused12('the document ends before its root element (line …, column …)'),
  ),
  probe(
    'A document that breaks off is answered by 400 and nothing.',
    count(count11, envelope(soap11, body(counting)).slice(0, -20)),
    emptyAnswer(400),
    refused11('the document ends within <soap:Body> (line …, column …)'),
  ),
  probe(
    'A document that breaks off behind its operation was routed by it: 400 in SOAP 1.2 too.',
    count(headers12, envelope(soap12, body(counting)).slice(0, -20)),
    emptyAnswer(400),
    refused12('the document ends within <soap:Body> (line …, column …)'),
  ),
  probe(
    'Text that is no XML is answered by 400 and nothing.',
    count(count11, 'hello'),
    emptyAnswer(400),
    refused11("text outside the root element: 'hello' (line …, column …)"),
  ),
  probe(
    'A document type is refused without a word.',
    count(count11, `<!DOCTYPE a [<!ENTITY b "c">]>${envelope(soap11, body(counting))}`),
    emptyAnswer(400),
    refused11('document type declarations are refused (line …, column …)'),
  ),
  probe(
    'A document type in SOAP 1.2 is refused with a word.',
    count(headers12, `<!DOCTYPE a SYSTEM "file:///etc/passwd">${envelope(soap12, body(counting))}`),
    unprocessed('DTD is prohibited in this XML document.'),
    refused12('document type declarations are refused (line …, column …)'),
  ),
  probe(
    'XML 1.1 is not read.',
    count(count11, `<?xml version="1.1"?>${envelope(soap11, body(counting))}`),
    emptyAnswer(400),
    refused11("XML version '1.1' is not read, only 1.0 (line …, column …)"),
  ),
  probe(
    'An entity that is not declared is refused.',
    marks(envelope(soap11, body(call('MarkGetAll', '<a>&nbsp;</a>')))),
    emptyAnswer(400),
    refused11('the reference &nbsp; stands for nothing (line …, column …)'),
  ),
  probe(
    'A reference to a control character is refused, though answers hold such.',
    line('1', '<description>a&#x1F;b</description>'),
    emptyAnswer(400),
    { status: 400, holds: ['description has a reference to a character that XML 1.0 does not allow.'] },
  ),
  probe(
    'A control character as it is is answered by 400.',
    line('1', '<description>a\u0001b</description>'),
    emptyAnswer(400),
    refused11('the character U+0001 must not stand in a document (line …, column …)'),
  ),
  probe(
    'A control character as it is is answered by 400 in SOAP 1.2 too: the request was routed before it.',
    soap2('MarkGetAll', '<a>b\u0001</a>'),
    emptyAnswer(400),
    refused12('the character U+0001 must not stand in a document (line …, column …)'),
  ),
  probe(
    'A control character before the operation leaves nothing to route by.',
    { headers: headers12, body: envelope(soap12, `\u0001${body(call('MarkGetAll', ''))}`) },
    unprocessed('the character U+0001 must not stand in a document (line …, column …)'),
    refused12('the character U+0001 must not stand in a document (line …, column …)'),
  ),
  probe(
    'A byte order mark is passed over.',
    { headers: headers11('MarkGetAll'), body: `\ufeff${envelope(soap11, body(call('MarkGetAll', '')))}` },
    listed,
  ),
  probe(
    'UTF-16 is read by its mark.',
    {
      headers: headers11('MarkGetAll'),
      body: Buffer.from(`\ufeff${envelope(soap11, body(call('MarkGetAll', '')))}`, 'utf16le'),
    },
    listed,
    { status: 415, holds: ['The Content-Type says utf-8; the body begins with the mark of UTF-16.'] },
  ),
  probe(
    'A comment between parameters is passed over.',
    page(paging('1').replace('<pageSize>', '<!-- a --><pageSize>')),
    onePage,
  ),
  numberForm('A comment within a value is answered by 400.', '1<!-- a -->', emptyAnswer(400), onePage),
  probe(
    'An instruction within a value is answered by 400.',
    line('1', '<description>a<?b?></description>'),
    emptyAnswer(400),
    noInstructions('b'),
  ),
  probe(
    'An element within a text is answered by 400.',
    line('1', '<description>a<b /></description>'),
    emptyAnswer(400),
    refused11('description has a value that does not match its type.'),
  ),
  probe('CDATA within a value is text.', line('1', '<description>a<![CDATA[<b>&]]></description>'), {
    status: 200,
    type: type11,
    holds: ['<Description>a&lt;b&gt;&amp;</Description>'],
  }),
  probe(
    'Elements nested without end are refused.',
    marks(envelope(soap11, body(`<MarkGetAll xmlns="${ns}">${'<a>'.repeat(5000)}`))),
    emptyAnswer(400),
    refused11('elements nested deeper than 64 (line …, column …)'),
  ),
  probe(
    'A compressed request is not unpacked.',
    { headers: { ...count11, 'content-encoding': 'gzip' }, body: gzipSync(envelope(soap11, body(counting))) },
    emptyAnswer(400),
    { status: 500, type: type11, code: 'soap:Client' },
  ),
];

const charsets: readonly Probe[] = [
  probe(
    'text/xml without a charset is ASCII: every byte beyond it becomes a question mark.',
    {
      ...line('1', '<description>café</description>'),
      headers: { ...headers11('ActivityAddProductLine'), 'content-type': 'text/xml' },
    },
    done('<Description>caf??</Description>'),
    wrongType,
  ),
  probe(
    'application/soap+xml without a charset is UTF-8.',
    {
      ...soap2(
        'ActivityAddProductLine',
        `${subscriptionStart}<quantity>1</quantity><productId>${product}</productId><description>café</description><vatId>${vat}</vatId><amount>1</amount><purchaseAmount>1</purchaseAmount>`,
      ),
      headers: { 'content-type': 'application/soap+xml' },
    },
    { status: 200, type: type12, holds: ['<Description>café</Description>'] },
    wrongType,
  ),
  probe(
    'ISO-8859-1 is read as such.',
    {
      headers: { ...headers11('ActivityAddProductLine'), 'content-type': 'text/xml; charset=ISO-8859-1' },
      body: Buffer.from(String(line('1', '<description>café</description>').body), 'latin1'),
    },
    done('<Description>café</Description>'),
    wrongType,
  ),
  probe(
    'windows-1252 has a euro sign.',
    {
      headers: { ...headers11('ActivityAddProductLine'), 'content-type': 'text/xml; charset=windows-1252' },
      body: Buffer.from(String(line('1', '<description>\x80 \x93</description>').body), 'latin1'),
    },
    done('<Description>€ “</Description>'),
    wrongType,
  ),
  probe(
    'A charset that nobody knows is ASCII.',
    {
      ...line('1', '<description>é</description>'),
      headers: { ...headers11('ActivityAddProductLine'), 'content-type': 'text/xml; charset=klingon' },
    },
    done('<Description>??</Description>'),
    wrongType,
  ),
  probe(
    'Bytes that are no UTF-8 are replaced, not refused.',
    {
      headers: headers11('ActivityAddProductLine'),
      body: Buffer.from(String(line('1', '<description>é</description>').body), 'latin1'),
    },
    done('<Description>\ufffd</Description>'),
    { status: 500, code: 'soap:Client' },
  ),
];

const members: readonly Probe[] = [
  probe(
    'A list that is set twice goes on.',
    modified(`<workflowIds><guid>${userId}</guid></workflowIds><workflowIds><guid>${workflow}</guid></workflowIds>`),
    done('<Activities><PvActivityData>'),
    refused11('workflowIds comes twice'),
  ),
  probe(
    'A list marked nil behind a list takes nothing away.',
    modified(`<workflowIds><guid>${userId}</guid></workflowIds><workflowIds xsi:nil="true" />`),
    done('<Activities xsi:nil="true" />'),
    refused11('workflowIds cannot be nil (line …, column …)'),
  ),
  probe(
    'Parameters in another order are taken.',
    page(
      '<includeCounters>false</includeCounters><includeFields>false</includeFields><pageSize>1</pageSize><pageNumber>1</pageNumber>',
    ),
    onePage,
    refused11('includeFields is after members that follow it in the contract.'),
  ),
  probe(
    'Of two elements with one name the first is taken.',
    page(`${paging('1')}<pageSize>9999999999</pageSize>`),
    { ...onePage, lacks: ['</PvRelationData><PvRelationData>'] },
    refused11('pageSize comes twice'),
  ),
  probe(
    'An unknown element is passed over.',
    page(`${paging('1')}<pageColour>red</pageColour>`),
    onePage,
    refused11('pageColour is not known.'),
  ),
  probe(
    'An element in another namespace is unknown: its value is missing.',
    page(paging('1').replace('<pageSize>1', '<pageSize xmlns="urn:other">x')),
    onePage,
    refused11(`pageSize is in the namespace 'urn:other', expected '${ns}'`),
  ),
  probe(
    'Unknown attributes are passed over.',
    page(paging('1').replace('<pageSize>', '<pageSize colour="red">')),
    onePage,
    refused11("pageSize has the attribute 'colour', which the contract does not know (line …, column …)"),
  ),
  probe('Missing values are zero and false.', page(''), onePage, refused11('pageNumber is required.')),
  probe(
    'A missing GUID is the empty one.',
    soap('NotificationGetCount', ''),
    done('There is no user 00000000-0000-0000-0000-000000000000.'),
    refused11('userId is required.'),
  ),
  probe(
    'A missing enumeration is its first value.',
    soap('SystemDatastoreGetItems', ''),
    done('<Succeeded>true</Succeeded>', '<DatastoreItems>'),
    refused11('systemDatastoreType is required.'),
  ),
  probe(
    'Missing moments are the year 1, so that the period is empty and no fault.',
    soap('RelationGetMarksModified', '<relationId>00000000-0000-4000-8000-000000000102</relationId>'),
    done('<RelationshipMarks xsi:nil="true" />'),
    refused11('from is required.'),
  ),
  probe(
    'xsi:nil on a value that cannot be null is a fault.',
    page(paging('1').replace('<pageNumber>1</pageNumber>', '<pageNumber xsi:nil="true" />')),
    unread(badNumber),
    refused11('pageNumber cannot be nil (line …, column …)'),
  ),
  numberForm('An empty element is no number.', '', unread(badNumber)),
  guidForm('An empty element is not a GUID.', '', unread('Unrecognized Guid format.')),
  momentForm('An empty element is no moment.', '', noMoment('')),
  probe(
    'An empty element for a value that may be null is a fault too.',
    count(count11, envelope(soap11, body(counting)).replace('<DatabaseId xsi:nil="true" />', '<DatabaseId />')),
    unread('Unrecognized Guid format.'),
    refused11('credentials.DatabaseId has a value that does not match its type.'),
  ),
  probe(
    'What may be null may be missing.',
    count(count11, envelope(soap11, body(counting)).replace('<DatabaseId xsi:nil="true" />', '')),
    good11,
    refused11('credentials.DatabaseId is required.'),
  ),
  probe(
    'xsi:nil="1" is nil.',
    count(count11, envelope(soap11, body(counting)).replace('<UserId xsi:nil="true" />', '<UserId xsi:nil="1" />')),
    good11,
  ),
  probe(
    'What is in an element marked nil is passed over.',
    count(
      count11,
      envelope(soap11, body(counting)).replace('<UserId xsi:nil="true" />', '<UserId xsi:nil="true">x</UserId>'),
    ),
    good11,
    refused11('credentials.UserId is marked nil, but has content (line …, column …)'),
  ),
  probe(
    'xsi:nil on an enumeration is a fault.',
    soap('SystemDatastoreGetItems', '<systemDatastoreType xsi:nil="true" />'),
    noChoice(''),
    refused11('systemDatastoreType cannot be nil (line …, column …)'),
  ),
  probe(
    'xsi:nil on an item that is a GUID is a fault.',
    modified('<workflowIds><guid xsi:nil="true" /></workflowIds>'),
    unread('Unrecognized Guid format.'),
    refused11('workflowIds.guid cannot be nil (line …, column …)'),
  ),
  probe(
    'xsi:nil on a text within a record says nothing.',
    count(
      count11,
      envelope(soap11, body(counting)).replace('</credentials>', '<UserName xsi:nil="true" /></credentials>'),
    ),
    done('<Code>InvalidCredentials</Code>'),
    refused11('credentials.UserName cannot be nil (line …, column …)'),
  ),
  probe(
    'xsi:nil with another word than those of a boolean is passed over.',
    count(count11, envelope(soap11, body(counting)).replace('<UserId xsi:nil="true" />', '<UserId xsi:nil="True" />')),
    unread('Unrecognized Guid format.'),
    refused11('credentials.UserId has xsi:nil="True"; it is true or false, or 1 or 0 (line …, column …)'),
  ),
  probe(
    'White space in an element marked nil is passed over.',
    count(
      count11,
      envelope(soap11, body(counting)).replace('<UserId xsi:nil="true" />', '<UserId xsi:nil="true"> </UserId>'),
    ),
    good11,
    refused11('credentials.UserId is marked nil, but has content (line …, column …)'),
  ),
  probe(
    'xsi:nil="false" says nothing.',
    count(
      count11,
      envelope(soap11, body(counting)).replace(
        '<UserId xsi:nil="true" />',
        `<UserId xsi:nil="false">${userId}</UserId>`,
      ),
    ),
    good11,
  ),
  probe(
    'nil without its namespace says nothing: the element is empty.',
    count(count11, envelope(soap11, body(counting)).replace('<UserId xsi:nil="true" />', '<UserId nil="true" />')),
    unread('Unrecognized Guid format.'),
    refused11("credentials.UserId has the attribute 'nil', which the contract does not know (line …, column …)"),
  ),
  probe(
    'The operation marked nil is read all the same.',
    marks(envelope(soap11, body(call('MarkGetAll', '').replace('<MarkGetAll', '<MarkGetAll xsi:nil="true"')))),
    listed,
    refused11('The request cannot be nil (line …, column …)'),
  ),
  probe(
    'The right xsi:type of a value, of a GUID and of a list is taken.',
    modified(
      `<workflowIds xmlns:t="${ns}" xmlns:g="http://microsoft.com/wsdl/types/" xsi:type="t:ArrayOfGuid">` +
        `<guid xsi:type="g:guid">${userId}</guid></workflowIds>`,
      '<pageNumber xmlns:s="http://www.w3.org/2001/XMLSchema" xsi:type="s:int">',
    ),
    done('<Activities xsi:nil="true" />'),
  ),
  probe(
    'The wrong xsi:type of a value is passed over.',
    modified('', '<pageNumber xmlns:s="http://www.w3.org/2001/XMLSchema" xsi:type="s:long">'),
    done('<Activities>'),
    refused11(
      "pageNumber has the xsi:type 's:long'; in the contract it is int of http://www.w3.org/2001/XMLSchema (line …, column …)",
    ),
  ),
  probe(
    'xsi:nil on a text says nothing: the text is empty.',
    line('1', '<description xsi:nil="true" />'),
    done('<Description />'),
    refused11('description cannot be nil (line …, column …)'),
  ),
  probe('An empty text is a value.', line('1', '<description />'), done('<Description />')),
  probe('A text that is left out is left out of the answer.', line('1', ''), { status: 200, lacks: ['<Description'] }),
  probe(
    'White space in a text is kept.',
    line('1', '<description>  a \t b  </description>'),
    done('<Description>  a \t b  </Description>'),
  ),
  probe(
    'CR by reference comes back as the bare character, which XML readers take for a line feed.',
    line('1', '<description>a&#xD;b &amp;#xD;</description>'),
    done('<Description>a\rb &amp;#xD;</Description>'),
    done('<Description>a&#xD;b &amp;#xD;</Description>'),
  ),
  probe(
    'A record marked nil is an empty record: its credentials open nothing.',
    marks(envelope(soap11, body(`<MarkGetAll xmlns="${ns}"><credentials xsi:nil="true" /></MarkGetAll>`))),
    { status: 500, code: 'q0:InvalidCredentials', words: 'The ApiKey is not valid.' },
    refused11('credentials cannot be nil (line …, column …)'),
  ),
  probe(
    'A record with its own xsi:type is taken.',
    marks(
      envelope(soap11, body(call('MarkGetAll', ''))).replace(
        '<credentials>',
        `<credentials xmlns:a="${ns}" xsi:type="a:ApiCredentials">`,
      ),
    ),
    listed,
  ),
  probe(
    'A record with an unknown xsi:type is a fault that names it.',
    marks(envelope(soap11, body(call('MarkGetAll', ''))).replace('<credentials>', '<credentials xsi:type="Other">')),
    unread(`The specified type was not recognized: name='Other', namespace='${ns}', at <credentials xmlns='${ns}'>.`),
    refused11(`credentials has the xsi:type 'Other'; in the contract it is ApiCredentials of ${ns} (line …, column …)`),
  ),
  probe(
    'A record without anything in it is an empty record.',
    marks(envelope(soap11, body(`<MarkGetAll xmlns="${ns}"><credentials /></MarkGetAll>`))),
    { status: 500, code: 'q0:InvalidCredentials', words: 'The ApiKey is not valid.' },
    refused11('credentials.ApiKey is required.'),
  ),
  probe('A record that is left out is none.', marks(envelope(soap11, body(`<MarkGetAll xmlns="${ns}" />`))), {
    status: 500,
    code: 'q0:InvalidCredentials',
    words: 'Credentials are required.',
  }),
  probe(
    'A list marked nil is none.',
    search('<fieldValues xsi:nil="true" />'),
    found,
    refused11('fieldValues cannot be nil (line …, column …)'),
  ),
  probe('A list without items is empty.', search('<fieldValues />'), found),
  probe('A list that is left out is none.', search(''), found),
  probe(
    'An item marked nil is an item all the same.',
    search('<fieldValues><PvFieldValueData xsi:nil="true" /></fieldValues>'),
    noField,
  ),
  probe(
    'An empty item is one with defaults: no field has the empty GUID.',
    search('<fieldValues><PvFieldValueData /></fieldValues>'),
    noField,
    refused11('fieldValues.PvFieldValueData.Id is required.'),
  ),
  booleanForm('An empty element is no boolean.', '', noBoolean('')),
  decimalForm('An empty element is no decimal.', '', unread(badNumber)),
  choiceForm('An empty element is no value of an enumeration.', '', noChoice('')),
  probe(
    'List items with another name are passed over.',
    soap(
      'DatastoreCreateItem_V3',
      '<entityTypeId>00000000-0040-4000-8000-000000000021</entityTypeId><fieldValues><item /></fieldValues>',
    ),
    done('<ErrorInformation>The field Description is required.</ErrorInformation>'),
    refused11('fieldValues.item is not known.'),
  ),
];

const forms: readonly Probe[] = [
  numberForm('A number takes white space and a sign.', ' +1\n', onePage, onePage),
  numberForm(
    'A number takes leading zeros.',
    '0000000000000000000000000000000000000000000000000000000000000000000000001',
    onePage,
  ),
  numberForm('A whole number has no point.', '1.0', unread(badNumber)),
  numberForm('A number has no exponent.', '1e3', unread(badNumber)),
  numberForm('A number has no separators.', '1,000', unread(badNumber)),
  numberForm(
    'A number beyond 32 bits is too large.',
    '2147483648',
    unread('Value was either too large or too small for an Int32.'),
  ),
  booleanForm('A boolean may be 0 or 1.', '1', onePage, onePage),
  booleanForm('A boolean takes white space.', ' true ', onePage, onePage),
  booleanForm('A boolean has no capital.', 'True', noBoolean('True')),
  guidForm('A GUID may be in capitals.', userId.toUpperCase(), good11, good11),
  probe(
    'A GUID may have no dashes.',
    ofUser(userId.replaceAll('-', '')),
    good11,
    notAForm('userId', userId.replaceAll('-', '')),
  ),
  guidForm('A GUID may stand in braces.', `{${userId}}`, good11),
  guidForm('A GUID may stand in parentheses.', `(${userId})`, good11),
  guidForm('A GUID may be written in its parts.', inParts, good11),
  guidForm('A GUID may have white space around it.', ` ${userId}\n`, good11, good11),
  guidForm('A GUID that is cut short is none.', userId.slice(1), unread(badGuid)),
  probe(
    'A GUID is echoed in lower case.',
    soap(
      'ActivityAddProductLine',
      `${subscriptionStart}<quantity>1</quantity><productId>{${product}}</productId><vatId>${vat.toUpperCase()}</vatId><amount>1</amount><purchaseAmount>1</purchaseAmount>`,
    ),
    done(`<ProductId>${product}</ProductId>`),
    notAForm('productId', `{${product}}`),
  ),
  probe(
    'A decimal keeps its scale.',
    line('12.500'),
    done('<Quantity>12.500</Quantity><Amount>2.50</Amount><TotalAmount>31.25000</TotalAmount>'),
  ),
  decimalForm(
    'A decimal takes white space, a sign and a bare point, and loses them.',
    ' +.50 ',
    done('<Quantity>0.50</Quantity>'),
    done('<Quantity>+.50</Quantity>'),
  ),
  decimalForm(
    'A decimal loses its leading zeros and a point at its end.',
    '007.',
    done('<Quantity>7</Quantity>'),
    done('<Quantity>007.</Quantity>'),
  ),
  decimalForm(
    'A decimal with too many digits is rounded, from the middle to the even one.',
    '0.00000000000000000000000000005',
    done('<Quantity>0.0000000000000000000000000000</Quantity>'),
    done('<Quantity>0.00000000000000000000000000005</Quantity>'),
  ),
  decimalForm('A decimal has no exponent.', '1E2', unread(badNumber)),
  decimalForm('A decimal has no comma.', '1,5', unread(badNumber)),
  decimalForm(
    'A decimal beyond 96 bits is too large.',
    '79228162514264337593543950336',
    unread('Value was either too large or too small for a Decimal.'),
    done('<Quantity>79228162514264337593543950336</Quantity>'),
  ),
  momentForm('A date stands for its midnight.', '2026-02-28', done('<RelationshipMarks xsi:nil="true" />')),
  momentForm('A year stands for its first day.', '2026', done('<RelationshipMarks')),
  momentForm('A month stands for its first day.', '2026-02', done('<RelationshipMarks')),
  momentForm('A time is one of today.', '10:00:00', done('<RelationshipMarks')),
  momentForm('An offset may be larger than any zone has.', '2026-02-28T10:00:00+15:00', done('<RelationshipMarks')),
  momentForm(
    'The first moment with an offset is taken.',
    '0001-01-01T00:00:00+01:00',
    done('<RelationshipMarks'),
    done('<RelationshipMarks'),
  ),
  momentForm('A moment without seconds is none.', '2026-02-28T10:00', noMoment('2026-02-28T10:00')),
  momentForm('A moment has a T.', '2026-02-28 10:00:00', noMoment('2026-02-28 10:00:00')),
  momentForm(
    'There is no 24 o’clock for the engine; XML Schema has one, the start of the next day.',
    '2026-02-28T24:00:00',
    noMoment('2026-02-28T24:00:00'),
    done('<RelationshipMarks'),
  ),
  momentForm('There is no 30 February.', '2026-02-30T00:00:00', noMoment('2026-02-30T00:00:00')),
  momentForm('UTC may be a small z.', '2026-02-28T10:00:00z', done('<RelationshipMarks xsi:nil="true" />')),
  choiceForm('An enumeration has its exact values only.', 'legalEntity', noChoice('legalEntity')),
  choiceForm('An enumeration takes no white space.', ' LegalEntity', noChoice(' LegalEntity')),
  booleanForm(
    'A value that repeats markup repeats it escaped.',
    '&lt;b&gt;',
    noBoolean('<b>'),
    notAForm('includeFields', '<b>'),
  ),
  probe(
    'Credentials that are wrong are said in the result where it has an envelope.',
    count(count11, envelope(soap11, body(counting)).replace(apiKey, userId)),
    done('<Succeeded>false</Succeeded><Number>401</Number><Code>InvalidCredentials</Code>'),
  ),
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
