import fc from 'fast-check';
import { connect } from 'node:net';
import assert from 'node:assert/strict';
import { anySeed, usualSeed } from './cases.js';
import { known } from '../../src/sandbox/dataset/known.js';
import type { Sent } from './sandbox/asmx/http.js';
import type { Mistake } from '../../src/jobs/yaml-file.js';
import { argv } from './argv.js';

/** Something that is done to bytes. */
export type Change = (bytes: Buffer) => Buffer;

const at = fc.nat(20_000);
const length = fc.oneof({ weight: 3, arbitrary: fc.nat(8) }, { weight: 1, arbitrary: fc.nat(600) });
const within = (bytes: Buffer, place: number): number => (bytes.length === 0 ? 0 : place % bytes.length);

const put = (bytes: Buffer, place: number, piece: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, place), piece, bytes.subarray(place)]);

/** Something is put in the place of some bytes, or between them. */
const inserted = (pieces: fc.Arbitrary<string>): fc.Arbitrary<Change> =>
  fc.tuple(at, fc.constantFrom(0, 0, 1, 3), pieces).map(([place, removed, piece]) => (bytes) => {
    const from = within(bytes, place);
    return Buffer.concat([bytes.subarray(0, from), Buffer.from(piece), bytes.subarray(from + removed)]);
  });

const removed: fc.Arbitrary<Change> = fc.tuple(at, length).map(([place, count]) => (bytes) => {
  const from = within(bytes, place);
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + count)]);
});

const doubled: fc.Arbitrary<Change> = fc.tuple(at, length, at).map(([place, count, target]) => (bytes) => {
  const from = within(bytes, place);
  return put(bytes, within(bytes, target), bytes.subarray(from, from + count));
});

const swapped: fc.Arbitrary<Change> = fc.tuple(at, length, length).map(([place, left, right]) => (bytes) => {
  const from = within(bytes, place);
  const [middle, end] = [from + left, from + left + right];
  return Buffer.concat([
    bytes.subarray(0, from),
    bytes.subarray(middle, end),
    bytes.subarray(from, middle),
    bytes.subarray(end),
  ]);
});

const replaced: fc.Arbitrary<Change> = fc.tuple(at, fc.nat(255)).map(([place, byte]) => (bytes) => {
  const changed = Buffer.from(bytes);
  if (changed.length > 0) changed[within(bytes, place)] = byte;
  return changed;
});

const cut: fc.Arbitrary<Change> = at.map((place) => (bytes) => bytes.subarray(0, within(bytes, place)));

/** What may happen to bytes: something missing, doubled, swapped, replaced or put in, or their end cut off. */
export const changeOf = (pieces: fc.Arbitrary<string>): fc.Arbitrary<Change> =>
  fc.oneof(
    { weight: 4, arbitrary: inserted(pieces) },
    { weight: 2, arbitrary: removed },
    { weight: 2, arbitrary: doubled },
    { weight: 1, arbitrary: swapped },
    { weight: 1, arbitrary: replaced },
    { weight: 1, arbitrary: cut },
  );

/** Documents of which most are some of a few hundred that are made once, because it is what happens to them that counts. */
export const mostlyOf = <Document>(documents: fc.Arbitrary<Document>): fc.Arbitrary<Document> =>
  fc.oneof(
    { weight: 1, arbitrary: documents },
    { weight: 30, arbitrary: fc.constantFrom(...fc.sample(documents, 300)) },
  );

/** Documents to some of which something happened, up to so many times. */
export const damaged = (
  documents: fc.Arbitrary<string | Uint8Array>,
  change: fc.Arbitrary<Change>,
  most = 4,
): fc.Arbitrary<Buffer> =>
  fc
    .tuple(documents, fc.array(change, { maxLength: most }))
    .map(([document, changes]) => changes.reduce<Buffer>((bytes, each) => each(bytes), Buffer.from(document)));

/** The same text in other bytes: byte order marks, UTF-16 of both kinds, one byte for each character, and bytes of none. */
export const encoded: fc.Arbitrary<Change> = fc.constantFrom<Change>(
  (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes]),
  (bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le'),
  (bytes) => Buffer.from(bytes.toString('utf8'), 'utf16le'),
  (bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le').swap16(),
  (bytes) => Buffer.from(bytes.toString('utf8'), 'latin1'),
  (bytes) => put(bytes, bytes.length >> 1, Buffer.from([0xc3])),
  (bytes) => put(bytes, bytes.length >> 1, Buffer.from([0xed, 0xa0, 0x80])),
);

/** Where bytes are cut into chunks; places beyond their end begin anew. */
export const cuts: fc.Arbitrary<readonly number[]> = fc.array(fc.nat(20_000), { maxLength: 8 });

const given = (name: string): number | undefined => {
  const text = process.env[name];
  return text === undefined ? undefined : Number(text);
};

/** Cases of a usual run at most: on each machine the same ones, or the first of them. */
const usualCases = 1000;

/** Gives what resolves when the case of a property that was begun last is over: at the end of its time fast-check leaves it. */
function followed<Case>(property: fc.IRawProperty<Case>): () => Promise<unknown> {
  const run = property.run.bind(property);
  let last: unknown;
  Object.assign(property, { run: (value: Case): unknown => (last = run(value)) });
  return async () => last;
}

/**
 * Tries a property for as long as there is time, on a slow machine with fewer cases. A usual run draws the same cases each
 * time; FUZZ_SECONDS makes a long run by hand, with cases of its own. A failure prints its seed and its path; FUZZ_SEED and
 * FUZZ_PATH try that case alone again.
 * @param seconds in a usual run
 */
export async function fuzz<Case>(property: fc.IRawProperty<Case>, seconds = 5): Promise<void> {
  const byHand = given('FUZZ_SECONDS');
  const path = process.env['FUZZ_PATH'];
  const seed = given('FUZZ_SEED') ?? (byHand === undefined ? usualSeed : anySeed());
  const over = followed(property);
  const run = await fc.check(property, {
    plugins: [fc.interruptAfterTimeLimit((byHand ?? seconds) * 1000)],
    numRuns: byHand === undefined ? usualCases : 1_000_000_000,
    seed,
    ...(path === undefined ? {} : { path, endOnFailure: true }),
  });
  await over();
  if (byHand !== undefined) process.stdout.write(`${run.numRuns} cases, seed ${run.seed}\n`);
  if (run.failed) throw new Error(fc.defaultReportMessage(run), { cause: run.errorInstance });
}

const small = [
  ...['<', '>', '&', '"', "'", '/', '=', '!', '-', ']', ';', '#', ':', ' ', '\t', '\n', '\r', '\r\n', '\0', 'x'],
  ...['</', '/>', '<?', '?>', '<!', '<!-', '--', ']]', '\u00a0', '\u0085', '\u2028', '\ufeff', '\ufffe', '\u{1f600}'],
];
const markup = [
  ...[']]>', '<![CDATA[', '<![CDATA[<]]>', '<!--', '-->', '<!-- -->', '<?x ?>', '<?xml version="1.0"?>', '<a/>'],
  ...['<!DOCTYPE a>', '<!DOCTYPE a [<!ENTITY b "c">]>', '<!ENTITY b SYSTEM "file:///etc/passwd">', '<__proto__/>'],
  ...['<?xml version="1.1"?>', '<?xml version="1.0" encoding="utf-16"?>', '<?xml version="1.0" encoding="latin1"?>'],
];
const references = [
  ...['&#0;', '&#x1F;', '&#10;', '&#xD;', '&#x20AC;', '&#xD800;', '&#x10FFFF;', '&#x110000;', '&#99999999999;'],
  ...['&amp;', '&lt;', '&quot;', '&b;', '&amp', '&#;', '&#x;', '&#0000000000065;', '&amp;amp;'],
];
const attributes = [
  ...[' a="1"', " a='1'", ' a=1', ' a', ' a="<"', ' a=">"', ' a="&lt;"', ' xml:space="preserve"', ' xmlns=""'],
  ...[
    ' xmlns="urn:x"',
    ' xmlns:soap="urn:x"',
    ' xmlns:xsi=""',
    ' xmlns:xml="urn:x"',
    ' xsi:nil="true"',
    ' xsi:nil="1"',
  ],
  ...[' xsi:nil="false"', ' xsi:nil="TRUE"', ' xsi:type="xsd:int"', ' xsi:type="x:y"', ' xsi:type=""', ' p:a="1"'],
];
const values = argv`-1 99999999999999999999 1e309 NaN true 0001-01-01T00:00:00 "' OR 1=1 --" __proto__`;

/** Long ones, on which what is quadratic or bounded shows. */
const long = [
  ...['<a>'.repeat(70), '</a>'.repeat(70), 'x'.repeat(5000), '&amp;'.repeat(2000), '<a/>'.repeat(300)],
  ...[
    ` ${'b'.repeat(300)}="1"`,
    ` a="${'x'.repeat(3000)}"`,
    Array.from({ length: 70 }, (_, at) => ` a${at}=""`).join(''),
  ],
  ...[`<!--${' '.repeat(3000)}-->`, ' '.repeat(3000), '\n'.repeat(3000)],
];

/** Pieces on which readers of XML stumble. */
const xmlPieces: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...small) },
  { weight: 3, arbitrary: fc.constantFrom(...markup) },
  { weight: 2, arbitrary: fc.constantFrom(...references) },
  { weight: 3, arbitrary: fc.constantFrom(...attributes) },
  { weight: 1, arbitrary: fc.constantFrom(...values) },
  { weight: 1, arbitrary: fc.constantFrom(...long) },
);

/** What may happen to the bytes of a document. */
export const xmlChange: fc.Arbitrary<Change> = fc.oneof(
  { weight: 15, arbitrary: changeOf(xmlPieces) },
  { weight: 1, arbitrary: encoded },
);

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

/** Marks of the syntax of YAML, ends of lines, and characters that a file should not have. */
export const yamlMarks = [
  ...[': ', '- ', '? ', '[', ']', '{', '}', ',', '&a ', '*a', '!!', '!<', '|', '>', '|9', '"', "'", '#'],
  ...['%YAML 1.1\n', '---', '...', '\n', '\r', '\r\n', '\t', '  ', '\0', '\ufeff', '\u0085', '\u2028', '\ud800'],
  ...['<<: ', '\\', '"\\'],
] as const;

/** Asserts that each mistake is told in words, with a place within the text. */
export function assertTold(mistakes: readonly Mistake[], text: string): void {
  const lines = text.split(/\r\n|\n|\r/).length + 1;
  for (const { at, message } of mistakes) {
    assert.ok(at.line >= 1 && at.line <= lines && at.column >= 1, JSON.stringify(at));
    assert.notEqual(message, '');
  }
}
