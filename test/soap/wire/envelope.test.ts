import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { EnvelopeReader, writeEnvelope, Blocks } from '../../../src/soap/wire/envelope.js';
import { XmlReader } from '../../../src/xml/reader.js';
import { Recorder, type Event } from '../../support/xml/recorder.js';
import { bytesOf, textOf } from '../../support/soap/exchange.js';

const soap11 = 'http://schemas.xmlsoap.org/soap/envelope/';
const soap12 = 'http://www.w3.org/2003/05/soap-envelope';

interface Read {
  readonly version: string | undefined;
  readonly hasContent: boolean;
  readonly name: string | undefined;
  readonly events: readonly Event[];
}

function read(document: string): Read {
  const recorder = new Recorder();
  let found: string | undefined;
  const envelope = new EnvelopeReader({
    begin(name) {
      found = `{${name.namespace}}${name.local}`;
      return recorder;
    },
  });
  const reader = new XmlReader(envelope);
  reader.write(bytesOf(document));
  reader.end();
  recorder.flush();
  return { version: envelope.version, hasContent: envelope.hasContent, name: found, events: recorder.events };
}

const around = (inner: string, namespace = soap11): string =>
  `<s:Envelope xmlns:s="${namespace}">${inner}</s:Envelope>`;

describe('an envelope that is written', () => {
  it('has the same bytes in pieces of any length', () => {
    const lengths = [0, 1, 8191, 8192, 30, 20_000, 170_000, 200_000, 7, 600_000, 8192, 3];
    const pieces = ['a', '日', 'é', '\u{1F35E}'].flatMap((character) =>
      lengths.map((length) => character.repeat(length)),
    );
    const whole = writeEnvelope('1.1', [pieces.join('')]);
    assert.equal(Buffer.compare(whole, Buffer.from(textOf(whole))), 0);
    assert.ok(textOf(whole).includes(`>${pieces.join('')}<`));
    assert.equal(Buffer.compare(writeEnvelope('1.1', pieces), whole), 0);
  });

  it('is one line, with the prefixes that .NET services use', () => {
    assert.equal(
      textOf(writeEnvelope('1.1', ['<a/>'])),
      `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${soap11}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body><a/></soap:Body></soap:Envelope>`,
    );
    assert.ok(textOf(writeEnvelope('1.2', [])).includes(`xmlns:soap="${soap12}"`));
  });

  it('is read again, in either version', () => {
    for (const version of ['1.1', '1.2'] as const) {
      const { name, events, ...rest } = read(textOf(writeEnvelope(version, ['<a xmlns="u">x<b/></a>'])));
      assert.deepEqual(rest, { version, hasContent: true });
      assert.equal(name, '{u}a');
      assert.deepEqual(events, [
        ['text', 'x'],
        ['open', '{u}b'],
        ['close', '{u}b'],
      ]);
    }
  });
});

describe('an envelope that is read', () => {
  it('gives what stands between the tags of the one element in its Body', () => {
    assert.deepEqual(read(around('\n<s:Body>\r\n\t<a><b>1</b><b/></a> </s:Body>\n')).events, [
      ['open', 'b'],
      ['text', '1'],
      ['close', 'b'],
      ['open', 'b'],
      ['close', 'b'],
    ]);
  });

  it('may have a Header, which is passed over whatever it holds', () => {
    const header = '<s:Header>text<x:Envelope xmlns:x="u"><s:Body><a/></s:Body></x:Envelope></s:Header>';
    const { name, hasContent } = read(around(`${header}<s:Body><b/></s:Body>`));
    assert.deepEqual({ name, hasContent }, { name: '{}b', hasContent: true });
  });

  it('may name its namespace by any prefix, or by none', () => {
    assert.equal(read(`<Envelope xmlns="${soap12}"><Body><a xmlns=""/></Body></Envelope>`).version, '1.2');
  });

  it('says when there is nothing in it', () => {
    assert.equal(read(around('<s:Body/>')).hasContent, false);
    assert.equal(read(around('<s:Body>  </s:Body>')).hasContent, false);
    assert.equal(read(around('')).hasContent, false);
  });

  for (const [what, document] of [
    ['another element', '<html><body/></html>'],
    ['an Envelope in no namespace', '<Envelope><Body/></Envelope>'],
    ['an Envelope of a version that there is not', around('<s:Body/>', 'http://www.w3.org/2001/12/soap-envelope')],
    ['a Body of the other version', `<s:Envelope xmlns:s="${soap11}"><t:Body xmlns:t="${soap12}"/></s:Envelope>`],
    ['a Body in no namespace', around('<Body/>')],
    ['a second Body', around('<s:Body/><s:Body><a/></s:Body>')],
    ['a Header behind the Body', around('<s:Body><a/></s:Body><s:Header/>')],
    ['something else beside the Body', around('<s:Body/><a/>')],
    ['two elements in the Body', around('<s:Body><a/><b/></s:Body>')],
    ['text in the Body', around('<s:Body>hello</s:Body>')],
    ['text in the envelope', around('hello<s:Body/>')],
    ['a no-break space in the envelope', around('\u00a0<s:Body/>')],
  ] as const)
    it(`is refused with ${what}`, () => {
      assert.throws(
        () => read(document),
        (error) => error instanceof RelctlError && error.kind === 'bad-answer' && error.facts.code === 'envelope',
      );
    });

  it('was never begun when the version is not known', () => {
    const envelope = new EnvelopeReader({ begin: () => new Recorder() });
    const reader = new XmlReader(envelope);
    assert.throws(() => reader.write(bytesOf('<html/>')));
    assert.equal(envelope.version, undefined);
  });
});

describe('Blocks of text', () => {
  const short = fc.string({ unit: 'binary', maxLength: 40 });
  // Some are longer than what is left of a block, and than a block.
  const long = fc
    .tuple(fc.constantFrom('a', 'é', '€', '😀'), fc.constantFrom(10, 8_192, 90_000, 180_000, 600_000))
    .map(([letter, length]) => letter.repeat(length));
  const texts = fc.array(fc.oneof({ weight: 3, arbitrary: short }, long), { maxLength: 12 });

  it('hold the bytes of their texts, whoever writes others at the same time or afterwards', () => {
    fc.assert(
      fc.property(texts, texts, (first, second) => {
        const [one, other] = [new Blocks(), new Blocks()];
        for (let at = 0; at < Math.max(first.length, second.length); at += 1) {
          one.write(first[at] ?? '');
          other.write(second[at] ?? '');
        }
        const bytes = one.take();
        const third = new Blocks();
        third.write('x'.repeat(1_000_000));
        const found = [bytes, other.take()].map((each) => Buffer.from(each).toString('utf8'));
        assert.deepEqual(found, [first.join(''), second.join('')]);
        assert.equal(Buffer.from(third.take()).toString(), 'x'.repeat(1_000_000));
      }),
      { numRuns: 60 },
    );
  });

  it('hold what does not fit into what is left of a block', () => {
    for (const left of [1, 2, 3, 4]) {
      const blocks = new Blocks();
      for (let at = 0; at < 512 * 1024 - left; at += 1) blocks.write('a');
      blocks.write('€');
      assert.equal(Buffer.from(blocks.take()).toString(), `${'a'.repeat(512 * 1024 - left)}€`);
    }
  });

  it('are used again for what is written next', () => {
    const block = new Blocks();
    block.write('one');
    const bytes = block.take();
    const next = new Blocks();
    next.write('two');
    assert.equal(Buffer.from(bytes).toString(), 'one');
    assert.equal(Buffer.from(next.take()).toString(), 'two');
    assert.equal(Buffer.from(new Blocks().take()).toString(), '');
  });
});
