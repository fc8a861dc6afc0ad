import assert from 'node:assert/strict';
import { keyOf, nameAt, readNodes, type Node } from '../../../src/wsdl/reading/node.js';
import { valuesOf } from '../../support/thrown.js';

const nodesOf = (text: string): Node =>
  readNodes(text, {
    count: () => undefined,
    countDeclaration: () => undefined,
    maxText: 1000,
    maxNames: 100,
    maxSections: 10,
  });

describe('nodes of a description', () => {
  it('have the names that their prefixes stand for where they are', () => {
    const root = nodesOf(
      '<a xmlns="urn:1" xmlns:p="urn:2"><p:b/><c xmlns="urn:3" xmlns:p="urn:4"><p:d/></c><e xmlns=""/></a>',
    );
    const [b, c, e] = root.children;
    assert.equal(keyOf(root), '{urn:1}a');
    assert.deepEqual(
      [b, c, c?.children[0], e].map((node) => node && keyOf(node)),
      ['{urn:2}b', '{urn:3}c', '{urn:4}d', '{}e'],
    );
  });

  it('have attributes and text with their references replaced', () => {
    const root = nodesOf(
      '<a href="x?a=1&amp;b=2" xmlns:p="urn:2" p:other="no">one &lt; <![CDATA[<two>&amp;]]><b/> three</a>',
    );
    const names = ['href', 'p:other', 'xmlns', 'xmlns:p', 'constructor'];
    assert.deepEqual(
      names.map((name) => root.attribute(name)),
      ['x?a=1&b=2', 'no', undefined, 'urn:2', undefined],
    );
    assert.equal(root.text, 'one < <two>&amp; three');
  });

  it('give names in attributes their namespaces', () => {
    const root = nodesOf('<a xmlns="urn:1" xmlns:p="urn:2"/>');
    assert.equal(keyOf(nameAt(root, ' p:x ')), '{urn:2}x');
    assert.equal(keyOf(nameAt(root, 'x')), '{urn:1}x');
    assert.throws(() => nameAt(root, 'q:x'), /the prefix 'q' has no namespace/);
  });

  it('have names that objects have, too', () => {
    const root = nodesOf('<a><valueOf/><toString hidden="1"/></a>');
    assert.deepEqual(valuesOf(root.children, 'local'), ['valueOf', 'toString']);
  });

  for (const [what, text, message] of [
    ['a document type', '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', /document type/],
    ['an unknown entity', '<a>&e;</a>', /&e; stands for nothing/],
    ['a document that ends early', '<a><b></a>', /./],
    ['nothing', '', /./],
    ['elements too deep', `${'<a>'.repeat(200)}${'</a>'.repeat(200)}`, /./],
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.throws(
        () => nodesOf(text),
        (thrown: Error & { kind?: string }) => thrown.kind === 'bad-answer' && message.test(thrown.message),
      );
    });
  }
});
