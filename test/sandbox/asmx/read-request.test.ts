import assert from 'node:assert/strict';
import { type Element, readDocument } from '../../../src/sandbox/asmx/document.js';
import { positionAfter } from '../../../src/sandbox/asmx/read-request.js';
import { valuesOf } from '../../support/thrown.js';

describe('Where .NET’s reader stands when it has read an element', () => {
  const places: readonly (readonly [title: string, text: string, element: number, place: readonly [number, number]])[] =
    [
      ['at the name of the tag behind it', '<a><b>x</b><c/></a>', 1, [1, 13]],
      ['at the name of the end tag around it', '<a><b>x</b></a>', 1, [1, 14]],
      ['at the white space behind it', '<a>\n <b>x</b>\n</a>', 1, [2, 10]],
      ['behind an empty element', '<a><b /><c/></a>', 1, [1, 10]],
      ['behind the end tag of its own, not that of a namesake within it', '<a><b><b/></b><c/></a>', 1, [1, 16]],
      [
        'past tags in attributes, comments and sections',
        '<a x=">"><!-- <b> --><![CDATA[<b>]]><b>x</b></a>',
        1,
        [1, 47],
      ],
      ['on a line that is counted with CR LF, CR and LF alike', '<a>\r\n\r\n<b>x</b></a>', 1, [3, 11]],
    ];
  for (const [title, text, element, [line, column]] of places) {
    it(title, () => assert.deepEqual(positionAfter(text, element), { line, column }));
  }
});

const within = (element: Element): readonly Element[] => [element, ...element.children.flatMap(within)];

describe('Elements with comments or instructions of their own', () => {
  const documents: readonly (readonly [text: string, found: readonly number[]])[] = [
    ['<?xml version="1.0"?><a><b/></a>', []],
    ['<!-- x --><?x y?><a><b/></a><!-- z -->', []],
    ['<a><!-- x --><b/></a>', [0]],
    ['<a><b>1<!-- x --></b><c><?x y?></c></a>', [1, 2]],
    ['<a><b/><c><!-- x --></c></a>', [2]],
    ['<a><b><![CDATA[<!-- x -->]]></b></a>', []],
    ['<a x="<!-- y -->"><b/></a>'.replace('<!--', '&lt;!--'), []],
  ];
  for (const [text, found] of documents) {
    it(`are ${found.length === 0 ? 'none' : found.join(' and ')} in ${text}`, () => {
      const { root } = readDocument(text);
      const marked = root === undefined ? [] : within(root).filter(({ hasAside }) => hasAside);
      assert.deepEqual(valuesOf(marked, 'number'), found);
    });
  }
});
