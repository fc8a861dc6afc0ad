import assert from 'node:assert/strict';
import fc from 'fast-check';
import { loadingOf } from '../../src/profiles/descriptions/load.js';
import { RelctlError } from '../../src/core/errors/relctl-error.js';
import type { DescribedType } from '../../src/wsdl/reading/described.js';
import { readDocuments } from '../../src/wsdl/reading/documents.js';
import { ImportedOperations } from '../../src/wsdl/reading/imported.js';
import { describe as describeDocuments } from '../../src/wsdl/reading/operations.js';
import { fuzz } from '../support/fuzz.js';
import { wsdlText } from '../support/wsdl.js';

const names = fc.constantFrom(
  ...[
    ...['A', 'B', 'C', 'D', 'Ask', '__proto__', 'constructor', 'toString', 'a b', '', '<x>', '"', 'é', '1'],
    'x'.repeat(300),
  ],
);
const prefixed = (name: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom('t:', 'xs:', '', 'none:', 'u:', ':', 'xml:'), name).map(([prefix, local]) => prefix + local);
const typeNames = fc.oneof(
  prefixed(names),
  fc.constantFrom('xs:int', 'xs:string', 'xs:anyType', 'xs:date', 'xs:NMTOKENS', 'xs:nothing'),
);
const counts = fc.constantFrom('0', '1', '2', 'unbounded', '-1', '1e9', 'x', '', ' 1 ');
const flags = fc.constantFrom('true', 'false', '1', '0', 'yes', '');

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0) ?? 0};`);

/** Attributes, each of which may be missing. */
const attributes = (all: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> =>
  fc.record(all, { requiredKeys: [] }).map((given) =>
    Object.entries(given)
      .map(([name, value]) => ` ${name}="${escaped(value ?? '')}"`)
      .join(''),
  );

const tag = (name: string, given: fc.Arbitrary<string>, content: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(given, content).map(([text, inner]) => `<xs:${name}${text}>${inner}</xs:${name}>`);

const several = (part: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(part, { maxLength: 4 }).map((parts) => parts.join(''));

const places = attributes({ minOccurs: counts, maxOccurs: counts });

/** Anything that may stand in a schema, rightly or not. */
const { content } = fc.letrec<{ content: string; any: string }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('<xs:any/>', '<xs:anyAttribute/>', 'text', '<!-- -->', '<x/>', '<![CDATA[<]]>', '&amp;', '<?x y?>'),
    tag(
      'element',
      attributes({
        name: names,
        type: typeNames,
        ref: prefixed(names),
        minOccurs: counts,
        maxOccurs: counts,
        nillable: flags,
        abstract: flags,
        form: fc.constantFrom('qualified', 'unqualified', 'x'),
        substitutionGroup: prefixed(names),
      }),
      tie('content'),
    ),
    tag('complexType', attributes({ name: names, mixed: flags, abstract: flags }), tie('content')),
    tag('simpleType', attributes({ name: names }), tie('content')),
    tag(
      'group',
      attributes({ name: names, ref: prefixed(names), minOccurs: counts, maxOccurs: counts }),
      tie('content'),
    ),
    ...['sequence', 'choice', 'all'].map((name) => tag(name, places, tie('content'))),
    ...['complexContent', 'simpleContent', 'annotation', 'documentation', 'union', 'schema', 'redefine'].map((name) =>
      tag(name, fc.constant(''), tie('content')),
    ),
    ...['extension', 'restriction'].map((name) => tag(name, attributes({ base: typeNames }), tie('content'))),
    tag('list', attributes({ itemType: typeNames }), tie('content')),
    tag('enumeration', attributes({ value: names }), tie('content')),
    tag('attribute', attributes({ name: names, ref: prefixed(names), use: names }), tie('content')),
    tag(
      'include',
      attributes({ schemaLocation: fc.constantFrom('a.xsd', 'b.xsd', 'service.wsdl', '') }),
      tie('content'),
    ),
    tag(
      'import',
      attributes({ schemaLocation: fc.constantFrom('a.xsd', 'b.xsd', 'service.wsdl'), namespace: names }),
      tie('content'),
    ),
  ),
  content: several(tie('any')),
}));

/** Whole descriptions: the WSDL, and two schemas beside it, which may import each other. */
const documents = fc
  .record({
    ask: content,
    answer: content,
    types: content,
    a: content,
    b: content,
    own: fc.constantFrom('', 'targetNamespace="urn:t"', 'targetNamespace="urn:u" elementFormDefault="qualified"'),
  })
  .map(({ ask, answer, types, a, b, own }) => {
    const schema = (inner: string, given: string): string =>
      `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" xmlns:u="urn:u" ${given}>${inner}</xs:schema>`;
    return {
      'service.wsdl': wsdlText({ ask, answer, types }),
      'a.xsd': schema(a, own),
      'b.xsd': schema(b, ''),
    };
  });

/** Pieces on which readers of XML stumble. */
const pieces = fc.constantFrom(
  ...['<', '>', '&', ']]>', '<![CDATA[', '<!--', '<?x ?>', '<!DOCTYPE a [<!ENTITY b "c">]>', '&#0;', '&#x1F;', '&b;'],
  ...['\0', '\ufeff', '\ufffe', '\ud800', ' xmlns:t=""', ' xmlns="urn:x"', ' a="', "'", '<__proto__/>', '</w:types>'],
);

/** What is wrong in the bytes: cut, replaced, put in another encoding. */
const broken = fc
  .tuple(documents, fc.array(fc.tuple(fc.nat(), pieces), { maxLength: 4 }), fc.nat(4))
  .map(([all, cuts, encoding]) => {
    let text = all['service.wsdl'];
    for (const [at, piece] of cuts) {
      const place = at % (text.length + 1);
      text = at % 3 === 0 ? text.slice(0, place) + piece : text.slice(0, place) + piece + text.slice(place + (at % 7));
    }
    const bytes =
      encoding === 0
        ? Buffer.from(`\ufeff${text}`, 'utf16le')
        : encoding === 1
          ? Buffer.from(text, 'latin1')
          : encoding === 2
            ? Buffer.from(text, 'utf16le')
            : Buffer.from(encoding === 3 ? `\ufeff${text}` : text);
    return { ...all, 'service.wsdl': bytes };
  });

const origin = 'http://fuzz.example/';

/** Reads a description as an import does, and looks at all that it says. Throws what no error of relctl is. */
async function readAll(all: Readonly<Record<string, string | Buffer>>): Promise<void> {
  const load = loadingOf({
    get: (url) => {
      const document = all[url.slice(origin.length)];
      return Promise.resolve(Buffer.from(document ?? ''));
    },
    allowed: [],
  });
  try {
    const description = describeDocuments(await readDocuments(`${origin}service.wsdl`, load));
    const imported = new ImportedOperations(description, () => 'add');
    for (const name of imported.names) assert.equal(imported.find(name)?.name, name);
    // What is kept comes back as it was, and refers to nothing that is not there.
    assert.deepEqual(JSON.parse(JSON.stringify(description)), description);
    const seen = JSON.stringify(description).matchAll(/"kind":"ref","at":(\d+)/g);
    for (const [, at] of seen)
      assert.ok((description.types[Number(at)] satisfies DescribedType | undefined) !== undefined);
    for (const { place, what } of description.unread) assert.ok(what !== '' && typeof place === 'string');
  } catch (thrown) {
    if (!(thrown instanceof RelctlError)) throw thrown;
    assert.ok(thrown.kind === 'bad-answer' || thrown.kind === 'usage', `${thrown.kind}: ${thrown.message}`);
    assert.notEqual(thrown.message, '');
  }
}

describe('whatever a WSDL is', () => {
  it('its schemas are read, or refused in words', async () => {
    await fuzz(fc.asyncProperty(documents, readAll));
  }).timeout(0);

  it('its bytes are read, or refused in words', async () => {
    await fuzz(fc.asyncProperty(broken, readAll));
  }).timeout(0);
});
