import assert from 'node:assert/strict';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import type { Body, StreamedBody } from '../../../src/soap/transport/http.js';
import { heldCharacters, readRequest } from '../../../src/soap/wire/receive.js';
import { bytesOf, envelope, namespace } from '../../support/soap/exchange.js';

const id = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
const who = `<credentials><ApiKey>${id}</ApiKey><DatabaseId xsi:nil="true"/><UserId xsi:nil="true"/></credentials>`;
const long = Buffer.alloc(heldCharacters, 'relctl').toString('base64');

const attach = (content: string): Uint8Array =>
  bytesOf(
    envelope(
      `<ActivityAddAttachment xmlns="${namespace}">${who}<activityId>${id}</activityId><fileName>a</fileName>` +
        `${content}</ActivityAddAttachment>`,
      '1.1',
    ),
  );

const element = (text: string): Uint8Array => attach(`<base64EncodedFile>${text}</base64EncodedFile>`);

/** The same bytes, not in memory. */
const elsewhere = (bytes: Uint8Array, size: number): StreamedBody => ({
  length: bytes.length,
  *open() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  },
});

/** What was received, with the content in its place in the input; or why nothing was. */
function outcome(body: Body): unknown {
  let text = '';
  try {
    const { content, ...received } = readRequest({ body }, { namespace, keep: (piece) => (text += piece) });
    if (content === undefined) return received;
    assert.equal(received.input[content.member], `[${content.length} characters]`);
    assert.deepEqual([text.length, text.slice(0, content.head.length)], [content.length, content.head]);
    assert.ok(text.length > heldCharacters && content.head.length > heldCharacters, 'short content is held');
    return { ...received, input: { ...received.input, [content.member]: text } };
  } catch (thrown) {
    const { kind, message, facts } = RelctlError.from(thrown);
    // The reader gives the end of a section the place where the piece of text begins that it has at hand.
    if (message.startsWith("']]>' in text")) return { kind, code: facts.code };
    return { kind, message, facts };
  }
}

const bodies: Readonly<Record<string, Uint8Array>> = {
  'a short content': element('cmVsY3Rs'),
  'an empty content': attach('<base64EncodedFile/>'),
  'no content': attach(''),
  'a content that is just held': element(long.slice(0, heldCharacters)),
  'a content that is just not held': element(`${long.slice(0, heldCharacters)}A`),
  'a long content': element(long),
  'white space in it': element(`\r\n${long.slice(0, 80_000)}\r\n\t ${long.slice(80_000)}\n`),
  'references in it': element(`${long.slice(0, 70_000)}&#x41;&amp;&#10;${long.slice(70_000)}`),
  'sections and comments in it': element(`${long.slice(0, 70_000)}<![CDATA[AB<CD]]><!-- no -->${long.slice(70_000)}`),
  'other letters in it': element(`${long}é€😀`),
  'an element in it': element(`${long}<b>x</b>${long}`),
  'a character that must not stand in it': element(`${long}\u0001${long}`),
  'a reference to such a character': element(`${long}&#x1f;`),
  'a bad byte in it': Buffer.concat([element(long).subarray(0, 80_000), Buffer.from([0xff]), element(long)]),
  'the end of a section in it': element(`${long}]]>`),
  'an end within it': element(long).subarray(0, 80_000),
  'an end behind it': element(long).subarray(0, -20),
  'something behind the envelope': Buffer.concat([element(long), Buffer.from('<a/>')]),
  'a second content': attach(
    `<base64EncodedFile>${long}</base64EncodedFile><base64EncodedFile>${long}</base64EncodedFile>`,
  ),
  'a content that is nil': attach('<base64EncodedFile xsi:nil="true"/>'),
  'a content that is nil and long': attach(`<base64EncodedFile xsi:nil="true">${long}</base64EncodedFile>`),
  'a content in another namespace': attach(`<base64EncodedFile xmlns="">${long}</base64EncodedFile>`),
  'an attribute of the content': attach(`<base64EncodedFile a="b">${long}</base64EncodedFile>`),
  'something behind the content': attach(`<base64EncodedFile>${long}</base64EncodedFile><other>${long}</other>`),
  'another long parameter': attach(`<fileName>${long}</fileName>`),
  'the parameter of another operation': bytesOf(
    envelope(
      `<RelationGet xmlns="${namespace}">${who}<base64EncodedFile>${long}</base64EncodedFile></RelationGet>`,
      '1.2',
    ),
  ),
  'another encoding': Buffer.from(
    `\ufeff${Buffer.from(element(long)).toString().replace('utf-8', 'utf-16')}`,
    'utf16le',
  ),
};

describe('A content that is not in memory', () => {
  for (const [what, bytes] of Object.entries(bodies)) {
    it(`is the same as one that is: ${what}`, () => {
      const expected = outcome(bytes);
      for (const size of [1009, 65_536, bytes.length])
        assert.deepEqual(outcome(elsewhere(bytes, size)), expected, `${size}`);
    });
  }

  it('says whether it is base64', () => {
    const isBase64 = (text: string): boolean | undefined =>
      readRequest({ body: elsewhere(element(text), 1009) }, { namespace, keep: () => undefined }).content?.isBase64;
    assert.equal(isBase64(long), true);
    assert.equal(isBase64(`${long.slice(0, -4)}AA==`), true);
    for (const wrong of [`${long}A`, `${long}\n`, ` ${long}`, `${long}====`, `${long.slice(4)}AA==AAAA`, `${long}-_-_`])
      assert.equal(isBase64(wrong), false, wrong.slice(-8));
  });

  it('is in the input where nobody keeps it', () => {
    const { content, input } = readRequest({ body: elsewhere(element(long), 1009) }, { namespace });
    assert.deepEqual([content, input['base64EncodedFile'] === long], [undefined, true]);
  });

  it('is passed on once and in order, and no further than it is wanted', () => {
    const pieces: string[] = [];
    const keep = (piece: string): void => {
      pieces.push(piece);
      if (pieces.length === 2) throw new Error('enough');
    };
    assert.throws(() => readRequest({ body: elsewhere(element(long), 1009) }, { namespace, keep }), /enough/);
    assert.ok(long.startsWith(pieces.join('')) && pieces.length === 2);
  });
});
