import assert from 'node:assert/strict';
import fc from 'fast-check';
import { XMLParser } from 'fast-xml-parser';
import { parseTree, prettyPrint } from '../../src/xml/tree.js';
import { wellFormed } from '../support/xml/documents.js';
import { eventsOf, refusalOf } from '../support/xml/recorder.js';

const hasCode =
  (code: string) =>
  ({ facts }: { readonly facts?: { readonly code?: string } }): boolean =>
    facts?.code === code;

describe('parseTree', () => {
  it('keeps order, attributes and text as they are written', () => {
    assert.deepEqual(parseTree('<a b="1"> 007 <c/>12.50<c>&lt;&#x1F;</c></a>'), [
      {
        a: [{ '#text': ' 007 ' }, { c: [] }, { '#text': '12.50' }, { c: [{ '#text': '&lt;&#x1F;' }] }],
        ':@': { b: '1' },
      },
    ]);
  });

  it('keeps CDATA apart from text, because only text has references', () => {
    assert.deepEqual(parseTree('<a><![CDATA[<b>&amp;]]>&amp;</a>'), [
      { a: [{ '#cdata': [{ '#text': '<b>&amp;' }] }, { '#text': '&amp;' }] },
    ]);
  });

  it('keeps names that objects have already, and refuses those that no object can hold', () => {
    assert.deepEqual(parseTree('<a><toString/></a>'), [{ a: [{ toString: [] }] }]);
    for (const document of ['<__proto__/>', '<a><constructor/></a>', '<a __proto__="1"/>'])
      assert.throws(() => parseTree(document), { kind: 'bad-answer', facts: { code: 'xml-malformed' } });
  });

  it('leaves the declaration and instructions out', () => {
    const document = '<?xml version="1.0"?><?go href="x"?><a><?go <b c="1" ?>x</a><?stop?>';
    assert.deepEqual(parseTree(document), [{ a: [{ '#text': 'x' }] }]);
  });

  it('keeps a list of one a list', () => {
    assert.deepEqual(parseTree('<a><b>1</b></a>'), [{ a: [{ b: [{ '#text': '1' }] }] }]);
  });

  // Why a strict reader reads first. The library's own validation, which is deprecated, accepts the same.
  for (const [what, document, code] of [
    ['a document type', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', 'xml-doctype'],
    ['a second root', '<a/><b/>', 'xml-malformed'],
    ['text after the root', '<a/>x', 'xml-malformed'],
    ['a prefix that is not bound', '<p:a/>', 'xml-malformed'],
    ['a prefix of an attribute that is not bound', '<a p:x="1"/>', 'xml-malformed'],
    ['one attribute under two prefixes', '<a xmlns:p="u" xmlns:q="u" p:x="1" q:x="2"/>', 'xml-malformed'],
    ['an entity that is not declared', '<a>&nope;</a>', 'xml-malformed'],
    ['a reference to a character that XML forbids', '<a>&#0;</a>', 'xml-malformed'],
    ['a control character', '<a>\u0001</a>', 'xml-malformed'],
    ['a tag within an attribute', '<a x="<"/>', 'xml-malformed'],
  ] as const)
    it(`refuses ${what}, which the library accepts`, () => {
      const library = new XMLParser({ preserveOrder: true, ignoreAttributes: false, maxNestedTags: 256 });
      assert.doesNotThrow(() => library.parse(document));
      assert.throws(() => parseTree(document), hasCode(code));
    });

  for (const [what, document, code] of [
    ['a document that is cut short', '<a><b>', 'xml-truncated'],
    ['an HTML page', '<html><br></html>', 'xml-malformed'],
  ] as const)
    it(`refuses ${what}`, () => {
      assert.throws(() => parseTree(document), hasCode(code));
    });
});

describe('prettyPrint', () => {
  it('puts one element on a line and leaves text alone', () => {
    const envelope =
      '<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="urn:s"><s:Body><RelationGet xmlns="urn:n"><relationId> 1 &amp; 2 </relationId><to xsi:nil="true" xmlns:xsi="urn:x" /><fields /></RelationGet></s:Body></s:Envelope>';
    assert.equal(
      prettyPrint(envelope),
      [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<s:Envelope xmlns:s="urn:s">',
        '  <s:Body>',
        '    <RelationGet xmlns="urn:n">',
        '      <relationId> 1 &amp; 2 </relationId>',
        '      <to xsi:nil="true" xmlns:xsi="urn:x"/>',
        '      <fields/>',
        '    </RelationGet>',
        '  </s:Body>',
        '</s:Envelope>',
      ].join('\n'),
    );
  });

  it('gives a document that says the same, when elements hold either text or elements', () => {
    const envelope = fc
      .array(
        fc.tuple(
          fc.constantFrom('Id', 'Name', 'Value'),
          fc.constantFrom('', ' ', 'x', '&lt;b&gt;', '&#x1F;', ' 1\n2 ', '0012'),
        ),
      )
      .map((fields) => `<a xmlns="u">${fields.map(([name, text]) => `<${name}>${text}</${name}>`).join('')}</a>`);
    const said = (document: string): unknown =>
      eventsOf(document).filter(([kind, text]) => kind !== 'text' || !/^\s*$/.test(String(text)));
    fc.assert(fc.property(envelope, (document) => assert.deepEqual(said(prettyPrint(document)), said(document))));
  });

  it('gives a document that is well-formed for every one that is', () => {
    fc.assert(
      fc.property(wellFormed, (document) => {
        // The library looks into instructions for names that it does not take.
        fc.pre(refusalOf(document) === undefined && !/__proto__|constructor|prototype/.test(document));
        assert.equal(refusalOf(prettyPrint(document)), undefined);
      }),
    );
  });

  it('keeps CDATA and comments', () => {
    assert.equal(
      prettyPrint('<a><!-- 1 --><b><![CDATA[<c> & ]]></b></a>'),
      '<a>\n  <!-- 1 -->\n  <b><![CDATA[<c> & ]]>\n  </b>\n</a>',
    );
  });

  it('shows an envelope as it is already when it is printed again', () => {
    const once = prettyPrint('<a><b>1</b><c/></a>');
    assert.equal(prettyPrint(once), once);
  });
});
