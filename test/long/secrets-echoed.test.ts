import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { answers, brokenServer, type AnswerText, type BrokenServer } from '../support/broken-server.js';
import { home, relctl } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { formsMade, formsOfGuidsMade } from '../support/secrets/forms-made.js';
import { count, errorInformation, fault11, fault12, html, namespace, notSucceeded } from '../support/soap-answers.js';

const key = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
const password = 'Zq7#xW<v&é9"Kj';
const token = 'tk_8Yb-QmX2.vR~4h';

/** Form, what the service repeats, and what of that nobody may see. */
type Form = readonly [name: string, text: string, hidden: string];

const formsOf = (whose: string, secret: string, makers: typeof formsMade): readonly Form[] =>
  Object.entries(makers)
    // The headers below make it; within one it would be made twice.
    .filter(([name]) => name !== 'a header, read as ISO 8859-1')
    .map(([name, make]) => [`${whose}, ${name}`, make(secret), make(secret)]);

const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/.=+$/, '');

const forms: readonly Form[] = [
  ...formsOf('the key', key, { ...formsMade, ...formsOfGuidsMade }),
  ...formsOf('the password', password, formsMade),
  ...formsOf('the token', token, formsMade),
  ['the token, as it was sent', `Bearer ${token}`, token],
  ['the password, within a login', base64(`operator:${password}`), base64(password)],
];

const inXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
/** A header is bytes. */
const inHeader = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** How a service repeats a text. */
const echoes: Readonly<Record<string, (text: string) => AnswerText>> = {
  'a fault of SOAP 1.2': (text) => fault12('Receiver', inXml(text)),
  'a fault of SOAP 1.1': (text) => fault11('Server', inXml(text)),
  'the code of a result': (text) => notSucceeded(inXml(text), 'no'),
  'the words of a result': (text) => notSucceeded('No', inXml(text)),
  'a message beside the result': (text) => errorInformation(inXml(text)),
  'the title of a page': (text) => html(inXml(text), 500),
  'a page as it is': (text) => ({
    status: 500,
    headers: { 'Content-Type': 'text/html' },
    body: `<title>${text}</title>`,
  }),
  'a plain text': (text) => ({ status: 500, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: text }),
  'what is no XML': (text) => ({ headers: { 'Content-Type': 'application/soap+xml' }, body: `<a ${text}` }),
  'an element': (text) => ({ headers: { 'Content-Type': 'application/soap+xml' }, body: `<${text}>` }),
  'a kind of content of a good answer': (text) => ({ ...count, headers: { 'Content-Type': `${inHeader(text)}; a=b` } }),
  'a kind of content': (text) => ({ headers: { 'Content-Type': inHeader(text) }, body: 'x' }),
  'a set of characters': (text) => ({
    headers: { 'Content-Type': `text/xml; charset=${inHeader(text)}` },
    body: '<a/>',
  }),
  'an encoding': (text) => ({
    headers: { 'Content-Type': 'text/xml', 'Content-Encoding': inHeader(text) },
    body: '<a/>',
  }),
  'another address': (text) => ({ status: 302, headers: { Location: `http://elsewhere.invalid/${inHeader(text)}` } }),
  'the reason of a status': (text) => ({ status: 401, headers: { 'WWW-Authenticate': inHeader(text) } }),
};

/** Where texts are cut: in messages, in the kept head of an answer, in what is kept of details. */
const cuts = [0, 40, 80, 200, 1000, 4096, 16_384];

/** Parts of a secret that are longer than what may be left beside a cut. */
const partsOf = (form: string): readonly string[] =>
  Array.from({ length: Math.max(0, form.length - 6) }, (_, at) => form.slice(at, at + 7));

describe('A secret that the service repeats', () => {
  const place = home();
  let service: BrokenServer;
  let reply: AnswerText;
  before(async () => {
    service = await brokenServer({ answer: (socket, request) => answers(reply)(socket, request) });
  });
  after(async () => {
    await service.close();
    place.remove();
  });

  /** All that a run left, by where it is. */
  async function leavings(shape: string): Promise<ReadonlyMap<string, string>> {
    const folder = mkdtempSync(join(place.folder, 'run-'));
    const env = {
      ...place.env,
      RELCTL_BASE_URL: service.url,
      RELCTL_NAMESPACE: namespace,
      RELCTL_API_KEY: key,
      RELCTL_USER_NAME: 'operator',
      RELCTL_USER_ID: '11111111-2222-4333-8444-555555555555',
      RELCTL_PASSWORD: password,
      RELCTL_GATEWAY_TOKEN: token,
      RELCTL_RETRIES: '0',
    };
    const args = argv`notification count -o ${shape} --trace=${join(folder, 'trace')} --record ${join(folder, 'calls')}`;
    const { stdout, stderr, code } = await relctl(args, { env });
    assert.notEqual(code, 1, stderr);
    const left = new Map([
      ['stdout', stdout],
      ['stderr', stderr],
      ['trace', readFileSync(join(folder, 'trace'), 'utf8')],
    ]);
    for (const name of readdirSync(join(folder, 'calls')))
      left.set(name, readFileSync(join(folder, 'calls', name), 'utf8'));
    rmSync(folder, { recursive: true });
    return left;
  }

  it('is in no output, error, trace or recording, in any form, wherever a text is cut', async () => {
    const echo = fc.constantFrom(...Object.keys(echoes));
    const form = fc.constantFrom(...forms);
    const at = fc.tuple(fc.constantFrom(...cuts), fc.integer({ min: -2, max: 60 }));
    await fc.assert(
      fc.asyncProperty(
        echo,
        form,
        at,
        fc.constantFrom('json', 'table'),
        async (how, [name, text, hidden], [cut, before], shape) => {
          reply = echoes[how]?.(`${'_'.repeat(Math.max(0, cut - before))}${text}${'_'.repeat(30)}`) ?? {};
          for (const [where, told] of await leavings(shape))
            for (const part of partsOf(hidden))
              assert.ok(!told.includes(part), `${name} by ${how} in ${where}: ${part} in ${told.slice(0, 2000)}`);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is found by this test where it is not masked', async () => {
    reply = fault12('Receiver', 'nothing secret');
    const left = await leavings('json');
    for (const where of ['stderr', 'trace', '0001.answer.xml'])
      assert.ok(
        partsOf('nothing secret').every((part) => left.get(where)?.includes(part)),
        where,
      );
  });
});
