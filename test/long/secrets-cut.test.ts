import assert from 'node:assert/strict';
import { operations } from '../../src/contract/service.js';
import { RelctlError } from '../../src/core/errors/relctl-error.js';
import { readResponse } from '../../src/soap/wire/answer.js';
import { formsMade, formsOfGuidsMade } from '../support/secrets/forms-made.js';
import { bytesOf, envelope, namespace, stream } from '../support/soap/exchange.js';

/** RELCTL_TEST_OFFSETS=1 tries every offset, by hand; a usual run tries one of so many. */
const every = Number(process.env['RELCTL_TEST_OFFSETS'] ?? 29);

const guids = ['6f9619ff-8b86-d011-b42d-00c04fc964ff', 'C0FFEE12-3456-4789-abcd-ef0123456789'];
const words = [
  ...['Zq7#xW<v&é9"Kj', 'tk_8Yb-QmX2.vR~4h', 'p<a>s&s "w/o\'rd"+é', 'Größe ÄÖÜ ñandú 17', 'пароль-от-базы'],
  ...['密碼：開門吧一二三', 'a\\b/c%d+e=f?g#h', 'Rk9vYmFyQmF6MTIz==', 'it\'s "all" <b>fine</b> & well'],
  ...['first second third&fourth;fifth', '<![CDATA[ab]]>cdef--ghij', 'eyJhbGciOi.J9eyJz-dWIiO_iIxMjM0.NTY3'],
  '9007199254740993-7766',
];

const secrets = [
  ...guids.map((secret) => ({ secret, made: { ...formsMade, ...formsOfGuidsMade } })),
  ...words.map((secret) => ({ secret, made: formsMade })),
];

/** An answer in chunks. */
interface Told {
  readonly status?: number;
  readonly type?: string;
  readonly chunks: readonly Uint8Array[];
}

/** A text before which `before` characters stand in what is cut, and which the service repeats. */
type Echo = (before: string, text: string) => Told;

const filled = (length: number): string => '_'.repeat(length);
const inXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const latin1 = (text: string): string => Buffer.from(text).toString('latin1');
const whole = (text: string): readonly Uint8Array[] => [bytesOf(text)];

const fault = (text: string): string =>
  envelope(`<soap:Fault><faultcode>soap:Server</faultcode><faultstring>${inXml(text)}</faultstring></soap:Fault>`);

/** Within a header, this form would be made twice. */
const ofHeader = 'a header, read as ISO 8859-1';
const headers = ['a kind of content', 'a set of characters'];

/** How a service repeats a text, and after how many characters or bytes that is cut. */
const echoes: readonly (readonly [name: string, cut: number, echo: Echo])[] = [
  ...[40, 200].map((cut): readonly [string, number, Echo] => [
    `a text that is quoted, at ${cut}`,
    cut,
    (before, text) => ({ status: 500, type: 'text/plain', chunks: whole(`${before}${text} behind`) }),
  ]),
  [
    'the title of a page',
    100,
    (before, text) => ({ status: 500, type: 'text/html', chunks: whole(`<title>${before}${text} behind</title>`) }),
  ],
  [
    'the head of a page',
    4096,
    (before, text) => {
      const start = '<title>';
      const blanks = ' '.repeat(Math.max(0, Buffer.byteLength(before) - start.length));
      return { status: 500, type: 'text/html', chunks: whole(`${blanks}${start}${text}${filled(40)}</title>`) };
    },
  ],
  ['what is no XML', 40, (before, text) => ({ chunks: whole(`<?xml version="1.0"?><a ${before}${text}behind>`) })],
  ['an element', 40, (before, text) => ({ chunks: whole(envelope(`<${before}${text}b>`)) })],
  ['another namespace', 80, (before, text) => ({ chunks: whole(envelope(`<a xmlns="${before}${inXml(text)}b"/>`)) })],
  ['a reference', 12, (before, text) => ({ chunks: whole(`<?xml version="1.0"?><a>&${before}${text};</a>`) })],
  [
    'a kind of content',
    40,
    (before, text) => ({ status: 500, type: latin1(`${before}${text}b`), chunks: whole('nothing') }),
  ],
  [
    'a set of characters',
    40,
    (before, text) => ({ type: `text/xml; charset=${before}${latin1(text)}b`, chunks: whole('<a/>') }),
  ],
];

/** Two chunks, between which a read ends so many bytes into the text. */
const read = (text: string, around: (text: string) => string, at: number): readonly Uint8Array[] => {
  const bytes = Buffer.from(around(text));
  const place = Math.max(bytes.indexOf(text), bytes.indexOf(inXml(text))) + at;
  return [bytes.subarray(0, place), bytes.subarray(place)];
};

/** What a failed call says, each text as it is. */
async function sayings(
  { status = 200, type = 'text/xml; charset=utf-8', chunks }: Told,
  secret: string,
): Promise<readonly string[]> {
  const response = { status, headers: { 'content-type': type }, body: stream(chunks) };
  try {
    const { notes } = await readResponse(operations.MarkGetAll, response, { namespace, secrets: [secret] });
    return [JSON.stringify(notes)];
  } catch (thrown) {
    assert.ok(thrown instanceof RelctlError, String(thrown));
    const { message, facts, advice, hint, data } = thrown;
    return [message, ...Object.values(facts).map(String), advice, hint, JSON.stringify(data)].map((each) => each ?? '');
  }
}

/** Parts of a secret that are longer than what may be left beside a cut. */
const partsOf = (form: string): readonly string[] =>
  Array.from({ length: Math.max(0, form.length - 6) }, (_, at) => form.slice(at, at + 7));

describe('A secret that an answer repeats', () => {
  it('is not told in any form, wherever what is told of the answer is cut or read in parts', async () => {
    let [cases, tried, cutOnes] = [0, 0, 0];
    const isTried = (): boolean => (cases += 1) % every === 0;
    const check = async (
      what: string,
      told: Told,
      { secret, form }: { secret: string; form: string },
    ): Promise<void> => {
      tried += 1;
      for (const said of await sayings(told, secret)) {
        if (said.includes('…')) cutOnes += 1;
        for (const part of partsOf(form)) assert.ok(!said.includes(part), `${what}: ${part} in ${said}`);
      }
    };
    for (const { secret, made } of secrets) {
      for (const [name, make] of Object.entries(made)) {
        const form = make(secret);
        for (const [where, cut, echo] of echoes) {
          if (name === ofHeader && headers.includes(where)) continue;
          for (let at = 0; at <= Math.min(form.length, cut); at += 1)
            if (isTried()) await check(`${name}, ${where}, ${at}`, echo(filled(cut - at), form), { secret, form });
        }
        const bytes = Buffer.byteLength(inXml(form));
        for (const around of [fault, (text: string) => `<p>${text}</p>`])
          for (let at = 0; at <= bytes; at += 1)
            if (isTried())
              await check(`${name}, read ${at}`, { status: 500, chunks: read(form, around, at) }, { secret, form });
      }
    }
    process.stdout.write(every === 1 ? `${tried} cases, ${cutOnes} texts were cut\n` : '');
    assert.ok(tried >= Math.floor(100_000 / every), `${tried} of ${cases}`);
    assert.ok(cutOnes > tried / 10, `${cutOnes} of ${tried}`);
  }).timeout(0);
});
