import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Kind } from '../../../src/core/errors/kinds.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { operations } from '../../../src/contract/service.js';
import { readResponse, type Answer } from '../../../src/soap/wire/answer.js';
import { faultElement } from '../../../src/soap/wire/fault.js';
import type { HttpResponse } from '../../../src/soap/transport/http.js';
import type { AnswerText } from '../../support/broken-server.js';
import {
  count,
  envelope,
  errorInformation,
  fault11,
  fault12,
  html,
  namespace,
  notSucceeded,
  relations,
  wrongElement,
  wrongNamespace,
} from '../../support/soap-answers.js';

function response({ status = 200, headers = {}, body = '' }: AnswerText, chunkBytes = 100_000): HttpResponse {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(body);
    for (let from = 0; from < bytes.length; from += chunkBytes) yield bytes.subarray(from, from + chunkBytes);
  }
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { status, headers: Object.fromEntries(lowered), body: chunks() };
}

const read = (answer: AnswerText, chunkBytes?: number): Promise<Answer> =>
  readResponse(operations.NotificationGetCount, response(answer, chunkBytes), { namespace });

async function failure(answer: AnswerText): Promise<RelctlError> {
  const outcome = await read(answer).catch((thrown: unknown) => thrown);
  assert.ok(outcome instanceof RelctlError, 'the answer was taken');
  return outcome;
}

const ownFault = (version: '1.1' | '1.2'): AnswerText => {
  const subcode = { name: 'NotFound', namespace: 'urn:own' };
  return envelope(version, faultElement(version, { code: 'Client', subcode, message: 'There is none.' }), 500);
};

/** The answer with a text in front of its result. */
const beforeResult = (text: string): AnswerText => ({
  ...count,
  body: count.body.replace('<NotificationGetCountResult', `${text}$&`),
});

const refusals: readonly [title: string, answer: AnswerText, kind: Kind, message: RegExp][] = [
  ['a fault of SOAP 1.1', fault11('Server', 'The database is away.'), 'refused', /The database is away\./],
  ['a fault of SOAP 1.2', fault12('Receiver', 'The database is away.'), 'refused', /The database is away\./],
  ['a fault with status 200', { ...fault12('Sender', 'No.'), status: 200 }, 'refused', /No\./],
  ['a fault that speaks of credentials', fault11('Client.InvalidCredentials', 'Wrong.'), 'profile', /Wrong\./],
  ['a fault with a code of the service’s own in 1.1', ownFault('1.1'), 'not-found', /There is none\./],
  ['a fault with a code of the service’s own in 1.2', ownFault('1.2'), 'not-found', /There is none\./],
  ['a result without success', notSucceeded('Locked', 'The period is closed.'), 'refused', /The period is closed\./],
  ['a result that speaks of credentials', notSucceeded('InvalidCredentials', 'Wrong.'), 'profile', /Wrong\./],
  ['a result with ErrorInformation', errorInformation('Field 3 is unknown.'), 'refused', /Field 3 is unknown\./],
  ['a page', html('Log in'), 'bad-answer', /HTML page titled 'Log in'/],
  ['a page with status 404', html('Not Found', 404), 'no-answer', /HTTP 404/],
  ['a page with status 500', html('Runtime Error', 500), 'no-answer', /HTTP 500/],
  ['nothing', {}, 'bad-answer', /an empty answer/],
  ['nothing with status 503', { status: 503 }, 'no-answer', /HTTP 503/],
  ['half a page with status 502', { status: 502, body: '<html><body' }, 'no-answer', /HTTP 502/],
  ['half an XML declaration with status 500', { status: 500, body: '<?xml ver' }, 'no-answer', /HTTP 500/],
  ['half an XML declaration', { body: '<?xml ver' }, 'bad-answer', /ends/],
  ['another element', wrongElement, 'bad-answer', /<NotificationGetCountResponse>.*<RelationGetAllResponse>/],
  ['another namespace', wrongNamespace, 'bad-answer', /http:\/\/elsewhere\.example\//],
  ['an empty Body', envelope('1.2', ''), 'bad-answer', /Body of the envelope is empty/],
  ['a redirect', { status: 302, headers: { Location: 'https://new.test/' } }, 'no-answer', /https:\/\/new\.test/],
  ['a DOCTYPE', { body: `<!DOCTYPE a [<!ENTITY b "c">]>${count.body}` }, 'bad-answer', /./],
];

describe('The answer to a call', () => {
  it('is its result, in whatever pieces it comes', async () => {
    for (const size of [1, 7, 100_000]) {
      const { result, version } = await read(count, size);
      assert.deepEqual(result, { NumberOfNotifications: 7 });
      assert.equal(version, '1.2');
    }
  });

  it('notes that header and declaration name different encodings', async () => {
    const { notes } = await read({ ...count, headers: { 'Content-Type': 'application/soap+xml; charset=latin1' } });
    const value = 'the header says latin1, and the declaration utf-8';
    assert.deepEqual(notes, [{ kind: 'differing-encodings', path: 'HTTP', value, count: 1 }]);
  });

  it('is taken whatever Content-Type and status say, and the type is noted', async () => {
    const { notes } = await read({ ...count, status: 500, headers: { 'Content-Type': 'text/plain' } });
    assert.deepEqual(
      notes.map(({ kind, value }) => [kind, value]),
      [['content-type', 'text/plain']],
    );
  });

  it('is refused when it is cut off at any byte', async () => {
    for (let length = 1; length < count.body.length; length += 1) {
      const { kind } = await failure({ ...count, body: count.body.slice(0, length) });
      assert.equal(kind, 'bad-answer', `${length} bytes`);
    }
  });

  for (const [title, answer, kind, message] of refusals) {
    it(`${title} is ${kind}`, async () => {
      const error = await failure(answer);
      assert.equal(error.kind, kind, error.message);
      assert.match(error.message, message);
    });
  }

  it('keeps number, code and status of a refusal', async () => {
    const { facts } = await failure(notSucceeded('Locked', 'The period is closed.'));
    assert.deepEqual(facts, { httpStatus: 200, foreignCode: 'Locked', number: 1042 });
  });

  it('is refused with text beside its result, which nothing would show', async () => {
    const [element = ''] = /<NotificationGetCountResult[^]*<\/NotificationGetCountResult>/.exec(count.body) ?? [];
    const withIn = (text: string): AnswerText => ({ ...count, body: count.body.replace(element, text) });
    for (const [text, told] of [
      [`before ${element}`, 'before'],
      [`${element}\u00a0`, '\u00a0'],
      [`${element}<![CDATA[ behind ]]>`, 'behind'],
    ] as const) {
      const { kind, facts, message } = await failure(withIn(text));
      assert.deepEqual([kind, facts.code], ['bad-answer', 'envelope']);
      assert.ok(message.includes(`text beside the result: '${told}'`), message);
    }
    assert.deepEqual(await read(withIn(`\r\n  ${element}\t<!-- -->`)), await read(count));
  });

  it('does not lose what came with an ErrorInformation', async () => {
    assert.deepEqual((await failure(errorInformation('Half done.'))).data, { NumberOfNotifications: 7 });
  });

  it('knows a failure also where the contract expects no result envelope', async () => {
    const body = relations().body.replace(
      '<Relations>',
      '<Result><Succeeded>false</Succeeded><Description>Closed.</Description></Result><Relations>',
    );
    const outcome = await readResponse(operations.RelationGetAll, response({ body }), { namespace }).catch(
      (thrown: unknown) => thrown,
    );
    assert.ok(outcome instanceof RelctlError);
    assert.equal(outcome.kind, 'refused');
    assert.equal(outcome.message, 'Closed.');
  });

  it('is a refusal whatever attributes its elements have, and where nothing describes them', async () => {
    const succeeded = '<Result><Succeeded>true</Succeeded><Number>0</Number></Result>';
    const refused = (content: string): AnswerText =>
      envelope(
        '1.2',
        `<NotificationGetCountResponse xmlns="${namespace}"><NotificationGetCountResult t="1">${content}</NotificationGetCountResult></NotificationGetCountResponse>`,
      );
    for (const [content, code, number, message] of [
      [
        '<Result x="1"><Succeeded a="1">false</Succeeded><Number n="2">12</Number><Code c="1">Locked</Code><Description lang="en">Closed.</Description></Result>',
        ...['Locked', 12, 'Closed.'],
      ],
      [`${succeeded}<ErrorInformation lang="en">Closed.</ErrorInformation>`, 'ErrorInformation', undefined, 'Closed.'],
      [
        `${succeeded}<ErrorInformation><Text>Closed.</Text></ErrorInformation>`,
        ...['ErrorInformation', undefined, '{"Text":"Closed."}'],
      ],
    ] as const) {
      const error = await failure(refused(content));
      assert.deepEqual(
        [error.kind, error.reportedCode, error.facts.number, error.message],
        ['refused', code, number, message],
      );
    }
    const { result } = await read(refused(`${succeeded}<NumberOfNotifications by="x">7</NumberOfNotifications>`));
    assert.deepEqual(result, { NumberOfNotifications: 7, '@t': '1', 'NumberOfNotifications@by': 'x' });
  });

  it('says that the namespace may be set wrong when only that differs', async () => {
    assert.match((await failure(wrongNamespace)).hint ?? '', /namespace/);
  });

  it('passes on how the transport failed, as it was, so that it is repeated as such', async () => {
    const late = new RelctlError('no-answer', 'stalled', { facts: { code: 'timeout-idle' } });
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(count.body.slice(0, 200));
      throw late;
    }
    const outcome = readResponse(
      operations.NotificationGetCount,
      { status: 200, headers: {}, body: body() },
      { namespace },
    );
    await assert.rejects(outcome, (error) => error === late);
  });

  for (const code of ['truncated', 'encoding', 'limit'] as const) {
    it(`says that a body was ${code} even when nothing of it could be read`, async () => {
      async function* body(): AsyncGenerator<Uint8Array> {
        yield new Uint8Array();
        throw new RelctlError('bad-answer', 'the compressed answer is bad', { facts: { code } });
      }
      const outcome = readResponse(
        operations.NotificationGetCount,
        { status: 200, headers: {}, body: body() },
        { namespace },
      );
      await assert.rejects(outcome, (error) => error instanceof RelctlError && error.facts.code === code);
    });
  }

  describe('of a service that quotes the request', () => {
    const secret = 'Sésame & "open"';
    const quoted = 'Sésame &amp; "open"';
    const quoting: readonly [title: string, answer: AnswerText][] = [
      ['in a fault', fault12('Receiver', `Bad: &lt;Password>${quoted}&lt;/Password>`)],
      ['in the code of a fault', fault12(quoted, 'Bad.')],
      ['in a result', notSucceeded('Locked', quoted)],
      ['in ErrorInformation', errorInformation(quoted)],
      ['in the title of a page', html(quoted, 500)],
      ['in text', { status: 500, body: `<Password>${secret}</Password>` }],
      ['where a message is cut', { status: 500, body: `${'x'.repeat(197)}${secret}` }],
      ['where the message of a fault is cut', fault12('Receiver', `${'x'.repeat(993)}${quoted}`)],
      ['where the message of a result is cut', notSucceeded('Locked', `${'x'.repeat(993)}${quoted}`)],
      ['where ErrorInformation is cut', errorInformation(`${'x'.repeat(993)}${quoted}`)],
      ['where a type is cut', { status: 500, headers: { 'Content-Type': `${'x'.repeat(33)}${secret}` }, body: 'x' }],
      ['where an address is cut', { status: 302, headers: { Location: `/${'x'.repeat(92)}${secret}` } }],
      [
        'where a realm is cut',
        { status: 401, headers: { 'WWW-Authenticate': `Basic realm=${'x'.repeat(33)}${secret}` }, body: 'x' },
      ],
      ...[1, 5, 9, 14].map((shown): [string, AnswerText] => [
        `where ${shown} bytes of it are the last that are kept`,
        { status: 500, body: `${' '.repeat(4096 - shown)}${secret} and more` },
      ]),
      ['in JSON of ASCII alone', { status: 500, body: '{"Password":"S\\u00e9same \\u0026 \\u0022open\\u0022"}' }],
      ['as .NET writes it into pages', html('S&#233;same &amp; &quot;open&quot;', 500)],
      ['in base64', { status: 500, body: Buffer.from(`a${secret}b`).toString('base64') }],
      ['in its own words', envelope('1.2', `<x>${quoted}</x>`)],
    ];
    for (const [title, answer] of quoting) {
      it(`${title} holds no secret in its error, however it comes`, async () => {
        const expected = { namespace, secrets: [secret] };
        const chunkBytes = title.length % 2 === 0 ? 100_000 : 7;
        const error = await readResponse(operations.NotificationGetCount, response(answer, chunkBytes), expected).then(
          () => assert.fail('the answer was taken'),
          (thrown: unknown) => thrown,
        );
        const shown = inspect(error, { depth: 20, showHidden: true });
        assert.doesNotMatch(shown, /S(?:é|\\+u00e9|&#233;)sa|U8Opc2Ft|w6lzYW1l|Pkc2FtZS/i);
      });
    }

    it('holds no part of it in the error of a text that is out of place, wherever a piece of that ends', async () => {
      const other = "S'e&s;g<n}j>x'S&e's;g";
      const otherQuoted = `<![CDATA[${other}]]>`;
      for (const [text, { body }] of [
        ...[beforeResult(quoted), envelope('1.2', quoted)].map((answer) => [quoted, answer] as const),
        ...[beforeResult(otherQuoted), envelope('1.2', otherQuoted)].map((answer) => [other, answer] as const),
      ]) {
        assert.ok(typeof body === 'string');
        const at = body.indexOf(text);
        for (let length = 1; length <= text.length; length += 1) {
          const answer = response({ ...count, body }, Buffer.byteLength(body.slice(0, at + length)));
          const reading = readResponse(operations.NotificationGetCount, answer, {
            namespace,
            secrets: [secret, other],
          });
          const error = await reading.then(
            () => assert.fail('the answer was taken'),
            (thrown: unknown) => thrown,
          );
          assert.doesNotMatch(
            inspect(error, { depth: 20, showHidden: true }),
            /S(?:é|\\+u00e9)s|S'e&|e's;/i,
            String(length),
          );
        }
      }
    });

    it('masks what came along with a refusal as well, and nothing else of it', async () => {
      const answer = envelope(
        '1.2',
        `<NotificationGetCountResponse xmlns="${namespace}"><NotificationGetCountResult><NumberOfNotifications>7</NumberOfNotifications><Query><Login>${quoted}</Login></Query><ErrorInformation>No.</ErrorInformation></NotificationGetCountResult></NotificationGetCountResponse>`,
      );
      const expected = { namespace, secrets: [secret] };
      const outcome = readResponse(operations.NotificationGetCount, response(answer), expected);
      await assert.rejects(outcome, (error) => {
        assert.ok(error instanceof RelctlError);
        assert.deepEqual(error.data, { NumberOfNotifications: 7, Query: { Login: '********' } });
        assert.deepEqual(error.facts, { httpStatus: 200, foreignCode: 'ErrorInformation' });
        return true;
      });
    });
  });
});
