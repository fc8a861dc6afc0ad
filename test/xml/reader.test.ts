import assert from 'node:assert/strict';
import { RelctlError } from '../../src/core/errors/relctl-error.js';
import { XmlReader } from '../../src/xml/reader.js';
import { bytesOf, eventsOf, eventsOfChunks, refusalOf, refusalOfChunks } from '../support/xml/recorder.js';

/** The text of a root element. */
const textOf = (document: string | Uint8Array): unknown => eventsOf(document).find(([kind]) => kind === 'text')?.[1];

describe('the reader takes', () => {
  for (const [what, document, text] of [
    ['the five entities', '<a>&lt;&amp;&gt;&quot;&apos;</a>', `<&>"'`],
    ['decimal and hexadecimal references', '<a>&#233;&#xe9;&#xE9;&#x1F600;&#128512;</a>', 'ééé😀😀'],
    ['references with leading zeros', '<a>&#x00041;&#00065;</a>', 'AA'],
    [
      'references to control characters, as .NET services send them',
      '<a>&#x1F;&#x1;&#11;&#xFFFE;&#xFFFF;</a>',
      '\u001f\u0001\u000b\ufffe\uffff',
    ],
    ['white space as it stands', '<a>  \t\n 007 \n</a>', '  \t\n 007 \n'],
    ['line ends of three kinds as LF', '<a>1\r\n2\r3\n4\r\r\n5</a>', '1\n2\n3\n4\n\n5'],
    ['a carriage return that is a reference', '<a>1&#xD;&#xA;2&#13;3</a>', '1\r\n2\r3'],
    ['CDATA as text', '<a>x<![CDATA[<b>&amp;]]]]><![CDATA[>]]>y</a>', 'x<b>&amp;]]>y'],
    ['an empty CDATA section', '<a>x<![CDATA[]]>y</a>', 'xy'],
    ['comments within text, and leaves them out', '<a>12<!-- - > <b> &x; -->34</a>', '1234'],
    ['instructions within text, and leaves them out', '<a>12<?go <b> &x; ?>34<?stop?></a>', '1234'],
    ['brackets that are no section end', '<a>]] ]&gt; ]]&gt; > ]</a>', ']] ]> ]]> > ]'],
    ['NEL and the line separator as they stand', '<a>\u0085\u2028\u0085</a>', '\u0085\u2028\u0085'],
    ['DEL and C1 controls', '<a>\u007f\u009f</a>', '\u007f\u009f'],
    ['U+FEFF within text', '<a>\ufeffx</a>', '\ufeffx'],
    ['astral characters', '<a>\u{10ffff}😀</a>', '\u{10ffff}😀'],
  ] as const)
    it(what, () => assert.equal(textOf(document), text));

  for (const [what, document] of [
    ['an empty root element', '<a/>'],
    ['white space within tags', '<a\n\t ></a\n>'],
    ['an XML declaration', '<?xml version="1.0"?><a/>'],
    ['an XML declaration in single quotes', "<?xml version = '1.0' encoding='UTF-8' standalone='no' ?>\n<a></a>"],
    [
      'comments, instructions and white space around the root',
      '<!--1--> <?go?>\n<a/> \n<!----><?xml-stylesheet href="x"?>\n',
    ],
    ['an empty comment', '<a><!----></a>'],
    ['an instruction whose target begins with xml', '<a><?xmlx?></a>'],
  ] as const)
    it(what, () =>
      assert.deepEqual(eventsOf(document), [
        ['open', 'a'],
        ['close', 'a'],
      ]),
    );

  it('attributes in either quote, their white space as blanks, references in them as they are', () => {
    assert.deepEqual(eventsOf(`<a b='"1"' c = "'2'\t\n3&#x9;&#xA;&#xD;&#x1F;" d=">"/>`), [
      ['open', 'a', { b: '"1"', c: "'2'  3\t\n\r\u001f", d: '>' }],
      ['close', 'a'],
    ]);
  });

  it('names beyond ASCII, and names that objects have already', () => {
    assert.deepEqual(
      eventsOf('<日本><__proto__/><constructor/><Éa-b.c·1/></日本>').map(([, name]) => name),
      ['日本', '__proto__', '__proto__', 'constructor', 'constructor', 'Éa-b.c·1', 'Éa-b.c·1', '日本'],
    );
  });
});

describe('the reader refuses', () => {
  for (const [what, document, code] of [
    ['nothing at all', '', 'xml-truncated'],
    ['white space alone', ' \n', 'xml-truncated'],
    ['a document without root', '<?xml version="1.0"?><!--x-->', 'xml-truncated'],
    ['text alone', 'hello', 'xml-malformed'],
    ['text before the root', 'x<a/>', 'xml-malformed'],
    ['text behind the root', '<a/>x', 'xml-malformed'],
    ['a reference behind the root', '<a/>&#32;', 'xml-malformed'],
    ['CDATA outside the root', '<a/><![CDATA[x]]>', 'xml-malformed'],
    ['a second root', '<a/><b/>', 'xml-malformed'],
    ['an element left open', '<a><b></b>', 'xml-truncated'],
    ['a tag left open', '<a', 'xml-truncated'],
    ['a comment left open', '<a/><!-- x -', 'xml-truncated'],
    ['an instruction left open', '<a/><?go ?', 'xml-truncated'],
    ['CDATA left open', '<a><![CDATA[x]]</a>', 'xml-truncated'],
    ['the wrong end tag', '<a><b></a></b>', 'xml-malformed'],
    ['an end tag in another case', '<a></A>', 'xml-malformed'],
    ['an end tag with another prefix for the same namespace', '<p:a xmlns:p="u" xmlns:q="u"></q:a>', 'xml-malformed'],
    ['an end tag alone', '</a>', 'xml-malformed'],
    ['an end tag with attributes', '<a></a b="1">', 'xml-malformed'],
    ['an end tag with a blank before its name', '<a></ a>', 'xml-malformed'],
    ['an attribute without value', '<a b/>', 'xml-malformed'],
    ['an attribute without quotes', '<a b=1/>', 'xml-malformed'],
    ['an attribute twice', '<a b="1" b="2"/>', 'xml-malformed'],
    ['an attribute twice by two prefixes', '<a xmlns:p="u" xmlns:q="u" p:b="1" q:b="2"/>', 'xml-malformed'],
    ['a declaration of a prefix twice', '<a xmlns:p="u" xmlns:p="v"/>', 'xml-malformed'],
    ['attributes without white space between', '<a b="1"c="2"/>', 'xml-malformed'],
    ['a no-break space between attributes', '<a b="1"\u00a0/>', 'xml-malformed'],
    ['< in an attribute', '<a b="<"/>', 'xml-malformed'],
    ['a bare & in an attribute', '<a b="&"/>', 'xml-malformed'],
    ['a bare &', '<a>AT & T</a>', 'xml-malformed'],
    ['a bare & before a long text', `<a>& ${'x'.repeat(100)};</a>`, 'xml-malformed'],
    ['an entity of HTML', '<a>&nbsp;</a>', 'xml-malformed'],
    ['an empty reference', '<a>&;</a>', 'xml-malformed'],
    ['a reference to NUL', '<a>&#0;</a>', 'xml-malformed'],
    ['a reference to half a surrogate pair', '<a>&#xD83D;&#xDE00;</a>', 'xml-malformed'],
    ['a reference beyond Unicode', '<a>&#x110000;</a>', 'xml-malformed'],
    ['a reference that is no number', '<a>&#xG;</a>', 'xml-malformed'],
    ['a decimal reference with hexadecimal digits', '<a>&#1F;</a>', 'xml-malformed'],
    [']]> in text', '<a>x]]>y</a>', 'xml-malformed'],
    ['-- in a comment', '<a><!-- -- --></a>', 'xml-malformed'],
    ['a comment that ends in --->', '<a><!-- ---></a>', 'xml-malformed'],
    ['a raw control character', '<a>\u001f</a>', 'xml-malformed'],
    ['a raw NUL', '<a>\u0000</a>', 'xml-malformed'],
    ['a raw U+FFFF', '<a>\uffff</a>', 'xml-malformed'],
    ['a raw control character in a comment', '<a><!--\u0001--></a>', 'xml-malformed'],
    ['a blank before the name', '< a/>', 'xml-malformed'],
    ['a name that begins with a digit', '<1a/>', 'xml-malformed'],
    ['a name that begins with a dash', '<-a/>', 'xml-malformed'],
    ['a tag without name', '<a><></></a>', 'xml-malformed'],
    ['an instruction without name', '<a><? go?></a>', 'xml-malformed'],
    ['? in the name of an instruction', '<a><?g?o?></a>', 'xml-malformed'],
    [': in the name of an instruction', '<a><?g:o?></a>', 'xml-malformed'],
    ['an XML declaration behind white space', '\n<?xml version="1.0"?><a/>', 'xml-malformed'],
    ['an XML declaration within', '<a><?xml version="1.0"?></a>', 'xml-malformed'],
    ['an XML declaration in capitals', '<?XML version="1.0"?><a/>', 'xml-malformed'],
    ['XML 1.1', '<?xml version="1.1"?><a/>', 'xml-malformed'],
    ['an XML declaration without version', '<?xml encoding="utf-8"?><a/>', 'xml-malformed'],
    [
      'an XML declaration in another order',
      '<?xml version="1.0" standalone="yes" encoding="utf-8"?><a/>',
      'xml-malformed',
    ],
    ['markup that is none', '<a><!ELEMENT b></a>', 'xml-malformed'],
    ['an HTML page', '<!doctype html><html><body><br></body></html>', 'xml-malformed'],
    ['JSON', '{"a":1}', 'xml-malformed'],
  ] as const)
    it(what, () => assert.equal(refusalOf(document)?.facts.code, code));

  it('document types of any kind, before a single entity is looked at', () => {
    const entities = '<!DOCTYPE a [<!ENTITY x "boom"><!ENTITY y SYSTEM "file:///etc/passwd">]><a>&x;&y;</a>';
    for (const document of ['<!DOCTYPE a><a/>', entities, '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "" ""><a/>'])
      assert.equal(refusalOf(document)?.facts.code, 'xml-doctype', document);
    assert.equal(refusalOf('<a>&x;</a>')?.facts.code, 'xml-malformed');
  });

  it('and says where', () => {
    const error = refusalOf('<a>\n  <b>\r\n    <c></d>\n</a>');
    assert.equal(error?.kind, 'bad-answer');
    assert.equal(error.facts.path, '3:8');
    assert.match(error.message, /<\/d>.*<\/c>.*\(line 3, column 8\)/);
  });

  it('without showing control characters of the document on a terminal', () => {
    assert.doesNotMatch(refusalOf('<a>&\u009b31m;</a>')?.message ?? '\u009b', /\u009b/);
  });
});

describe('namespaces', () => {
  it('are told by their name, whatever the prefix', () => {
    assert.deepEqual(eventsOf('<p:a xmlns:p="u"><q:b xmlns:q="u" q:c="1" d="2"/></p:a>'), [
      ['open', '{u}a'],
      ['open', '{u}b', { '{u}c': '1', d: '2' }],
      ['close', '{u}b'],
      ['close', '{u}a'],
    ]);
  });

  it('may be bound anew within, and are as before behind', () => {
    const document =
      '<a xmlns="u" xmlns:p="p1"><b xmlns="v" xmlns:p="p2"><p:c/><d/></b><b/><p:c/><b xmlns=""><d/></b></a>';
    assert.deepEqual(
      eventsOf(document)
        .filter(([kind]) => kind === 'open')
        .map(([, name]) => name),
      ['{u}a', '{v}b', '{p2}c', '{v}d', '{u}b', '{p1}c', 'b', 'd'],
    );
  });

  it('are those of the tag itself, also where the same tag came before in another scope', () => {
    const document = '<r><a xmlns="u"><x/></a><a xmlns="v"><x/></a><x/><a xmlns="u"/><x/></r>';
    assert.deepEqual(
      eventsOf(document)
        .filter(([kind, name]) => kind === 'open' && String(name).endsWith('x'))
        .map(([, name]) => name),
      ['{u}x', '{v}x', 'x', 'x'],
    );
  });

  it('do not reach attributes without prefix', () => {
    assert.deepEqual(eventsOf('<a xmlns="u" b="1"/>')[0], ['open', '{u}a', { b: '1' }]);
  });

  it('know the prefix xml', () => {
    const name = '{http://www.w3.org/XML/1998/namespace}lang';
    assert.deepEqual(eventsOf('<a xml:lang="nl"/>')[0], ['open', 'a', { [name]: 'nl' }]);
  });

  for (const [what, document] of [
    ['a prefix that is not bound', '<p:a/>'],
    ['a prefix that is no longer bound', '<a><b xmlns:p="u"/><p:c/></a>'],
    ['an attribute whose prefix is not bound', '<a p:b="1"/>'],
    ['a prefix bound to nothing', '<a xmlns:p=""/>'],
    ['two colons', '<a:b:c xmlns:a="u"/>'],
    ['a name that begins with a colon', '<:a/>'],
    ['a name that ends with a colon', '<a: xmlns:a="u"/>'],
    ['a declaration without prefix behind its colon', '<a xmlns:="u"/>'],
    ['the prefix xmlns bound', '<a xmlns:xmlns="u"/>'],
    ['the prefix xml bound to something else', '<a xmlns:xml="u"/>'],
    ['another prefix for the namespace of xml', '<a xmlns:x="http://www.w3.org/XML/1998/namespace"/>'],
    ['a prefix for the namespace of xmlns', '<a xmlns:x="http://www.w3.org/2000/xmlns/"/>'],
    ['an element in the namespace of declarations', '<xmlns:a/>'],
  ] as const)
    it(`refuse ${what}`, () => assert.equal(refusalOf(document)?.facts.code, 'xml-malformed'));

  it('are known by prefix while an element is being opened, for names in values', () => {
    const found: unknown[] = [];
    const reader = new XmlReader({
      open: () => found.push([reader.namespaceOf('p'), reader.namespaceOf('')]),
      text: () => undefined,
      close: () => undefined,
    });
    reader.write(bytesOf('<a xmlns:p="1"><b xmlns="n" xmlns:p="2"/><c/></a>'));
    reader.end();
    assert.deepEqual(found, [
      ['1', ''],
      ['2', 'n'],
      ['1', ''],
    ]);
    assert.equal(reader.namespaceOf('q'), undefined);
  });
});

describe('encodings', () => {
  const document = '<?xml version="1.0" encoding="utf-16"?><a>é😀</a>';
  const little = Buffer.from(`\ufeff${document}`, 'utf16le');
  const big = Buffer.from(little).swap16();

  it('are UTF-8 with or without a byte order mark', () => {
    assert.equal(textOf('\ufeff<?xml version="1.0"?><a>é</a>'), 'é');
    assert.equal(textOf('<?xml version="1.0" encoding="utf-8"?><a>é</a>'), 'é');
  });

  it('are UTF-16 of either order with a byte order mark, however it is cut', () => {
    for (const bytes of [little, big]) {
      assert.equal(textOf(bytes), 'é😀');
      const single = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
      assert.deepEqual(eventsOfChunks(single), eventsOf(bytes));
    }
  });

  it('follow the header before the declaration, and a byte order mark before both', () => {
    const latin = Buffer.from('<a>é</a>', 'latin1');
    assert.deepEqual(eventsOf(latin, { charset: 'iso-8859-1' })[1], ['text', 'é']);
    assert.deepEqual(eventsOf(little, { charset: 'utf-8' })[1], ['text', 'é😀']);
    assert.deepEqual(eventsOf('<?xml version="1.0" encoding="utf-16"?><a>é</a>', { charset: 'utf-8' })[1], [
      'text',
      'é',
    ]);
  });

  it('are UTF-8 where header or declaration says so and each byte is right, however it is cut', () => {
    const told = (declared: string, text = 'é'): string => `<?xml version="1.0" encoding="${declared}"?><a>${text}</a>`;
    for (const charset of ['iso-8859-1', 'us-ascii', 'windows-1252', 'utf-16', 'klingon']) {
      const bytes = bytesOf(told('utf-8'));
      assert.deepEqual(eventsOf(bytes, { charset })[1], ['text', 'é'], charset);
      const single = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
      assert.deepEqual(eventsOfChunks(single, { charset }), eventsOf(bytes, { charset }));
      const wrong = refusalOf(Buffer.from(told('utf-8'), 'latin1'), { charset });
      assert.equal(wrong?.facts.code, 'xml-encoding');
      assert.match(wrong.message, new RegExp(`is not utf-8; the header says ${charset}, and the declaration utf-8`));
    }
    for (const declared of ['iso-8859-1', 'utf-16'])
      assert.deepEqual(eventsOf(told(declared), { charset: 'UTF-8' })[1], ['text', 'é'], declared);
    assert.equal(refusalOf(told('utf-16'), { charset: 'iso-8859-1' })?.facts.code, 'xml-encoding');
    assert.equal(refusalOf(told('iso-8859-15'), { charset: 'iso-8859-1' })?.facts.code, 'xml-encoding');
  });

  it('are that of a byte order mark, whatever header and declaration say', () => {
    const text = '<?xml version="1.0" encoding="iso-8859-1"?><a>é</a>';
    const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
    for (const charset of [undefined, 'iso-8859-1', 'utf-8', 'utf-16'])
      for (const bytes of [bytesOf(`\ufeff${text}`), wide])
        assert.deepEqual(eventsOf(bytes, charset === undefined ? {} : { charset })[1], ['text', 'é'], charset);
  });

  it('are that of the header where the declaration agrees', () => {
    const agreed = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', 'latin1');
    for (const charset of ['iso-8859-1', 'latin1']) assert.deepEqual(eventsOf(agreed, { charset })[1], ['text', 'é']);
  });

  for (const [what, bytes] of [
    ['a byte that UTF-8 does not have', [0xff]],
    ['a character cut short', [0xc3]],
    ['a character written too long', [0xc0, 0xaf]],
    ['half a surrogate pair', [0xed, 0xa0, 0x80]],
    ['Latin-1', [0xe9, 0x20]],
    ['a code point beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
  ] as const)
    it(`refuse ${what}, instead of guessing`, () => {
      const broken = Buffer.concat([bytesOf('<a>'), Uint8Array.from(bytes), bytesOf('</a>')]);
      assert.equal(refusalOf(broken)?.facts.code, 'xml-encoding');
    });

  it('are what the declaration says when neither header nor mark does, however it is cut', () => {
    const declared = (name: string): string => `<?xml version="1.0" encoding='${name}'?><a>é€</a>`;
    const windows = Buffer.from(declared('Windows-1252').replace('€', '\u0080'), 'latin1');
    const wide = Buffer.from(declared('utf-16'), 'utf16le');
    for (const bytes of [windows, wide, Buffer.from(wide).swap16()]) {
      const single = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
      assert.deepEqual(eventsOf(bytes)[1], ['text', 'é€']);
      assert.deepEqual(eventsOfChunks(single), eventsOf(bytes));
    }
  });

  it('refuse what is wrong at its place, however it is cut', () => {
    const before = '<a>\r\n<b>é😀</b>\r';
    const places: readonly (readonly [bytes: Buffer, place: string])[] = [
      [Buffer.concat([bytesOf(before), Buffer.of(0xff), bytesOf('</a>')]), '3:1'],
      [Buffer.concat([bytesOf('<a>\n<b>é😀'), Buffer.of(0xe9), bytesOf(' </b></a>')]), '2:7'],
      [Buffer.concat([bytesOf('<a>\nxy'), Buffer.of(0xf0, 0x9f), bytesOf('</a>')]), '2:3'],
      // Found by fuzzing: one character that is begun within another, and two things that are wrong in one text.
      [Buffer.concat([bytesOf('<a>\nxy'), Buffer.of(0xc3, 0xc0), bytesOf('</a>')]), '2:3'],
      [Buffer.from('<a>\n<!--x-1--y--></a>'), '2:8'],
      [Buffer.from('<a>\nx&&#x1F;&]]></a>'), '2:2'],
      [Buffer.from('<a>\nxy\u0001</a>'), '2:3'],
      [Buffer.from('\ufeff<a>\n<b c="\ud83d"/></a>', 'utf16le'), '2:7'],
      [Buffer.from('\ufeff<!--x\ud95f\ud8cb\ude5f-->', 'utf16le'), '1:6'],
      [Buffer.from('\ufeff\ufeff<a/>', 'utf16le'), '1:1'],
      [Buffer.concat([bytesOf("<?xml version='1.0' encoding='gb18030'?>\n<a>x"), Buffer.of(0xff)]), '2:5'],
    ];
    for (const [bytes, place] of places) {
      for (const size of [1, 2, 3, 5, 1000]) {
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        assert.equal(refusalOfChunks(chunks)?.facts.path, place, `${place} in pieces of ${size}`);
      }
    }
  });

  it('refuse input that ends within a character', () => {
    const bytes = bytesOf('<a/>\n\u00e9').subarray(0, -1);
    assert.equal(refusalOf(bytes)?.facts.code, 'xml-encoding');
  });

  it('refuse a declaration that does not fit, and a charset that nobody knows', () => {
    assert.equal(refusalOf('<?xml version="1.0" encoding="utf-16"?><a/>')?.facts.code, 'xml-encoding');
    assert.equal(refusalOf('<?xml version="1.0" encoding="klingon"?><a/>')?.facts.code, 'xml-encoding');
    assert.equal(refusalOf('<a/>', { charset: 'klingon' })?.facts.code, 'xml-encoding');
  });
});

describe('limits', () => {
  const nested = (depth: number): string => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;
  const attributes = (count: number): string =>
    `<a${Array.from({ length: count }, (_, index) => ` b${index}=""`).join('')}/>`;

  for (const [what, limits, within, beyond] of [
    ['depth', { maxDepth: 5 }, nested(5), nested(6)],
    ['length', { maxLength: 20 }, `<a>${'x'.repeat(13)}</a>`, `<a>${'x'.repeat(14)}</a>`],
    ['attributes', { maxAttributes: 3 }, attributes(3), attributes(4)],
    ['length of an element name', { maxNameLength: 8 }, `<${'a'.repeat(8)}/>`, `<${'a'.repeat(9)}/>`],
    ['length of an attribute name', { maxNameLength: 8 }, `<a ${'b'.repeat(8)}=""/>`, `<a ${'b'.repeat(9)}=""/>`],
    ['length of an instruction name', { maxNameLength: 8 }, `<?${'a'.repeat(8)}?><a/>`, `<?${'a'.repeat(9)}?><a/>`],
    ['number of elements', { maxElements: 3 }, '<a><b/><c/></a>', '<a><b/><c/><d/></a>'],
  ] as const)
    it(`bound the ${what}`, () => {
      assert.equal(refusalOf(within, { limits }), undefined);
      const error = refusalOf(beyond, { limits });
      assert.equal(error?.kind, 'bad-answer');
      assert.equal(error.facts.code, 'xml-limit');
    });

  it('hold without being asked for', () => {
    assert.equal(refusalOf(nested(64)), undefined);
    assert.equal(refusalOf(nested(65))?.facts.code, 'xml-limit');
    assert.equal(refusalOf(attributes(65))?.facts.code, 'xml-limit');
  });

  it('bound a tag that does not end, long before the document is too long', () => {
    const reader = new XmlReader({ open: () => undefined, text: () => undefined, close: () => undefined });
    const chunk = bytesOf('x'.repeat(256 * 1024));
    reader.write(bytesOf('<a b="'));
    const feed = (): void => {
      for (let count = 0; count < 8; count += 1) reader.write(chunk);
    };
    assert.throws(feed, (error) => error instanceof RelctlError && error.facts.code === 'xml-limit');
  });

  it('let a long text through piece by piece, holding nothing back', () => {
    let length = 0;
    const reader = new XmlReader({
      open: () => undefined,
      text: (text) => (length += text.length),
      close: () => undefined,
    });
    const chunk = bytesOf('x'.repeat(64 * 1024));
    reader.write(bytesOf('<a>'));
    for (let count = 1; count <= 50; count += 1) {
      reader.write(chunk);
      assert.equal(length, count * chunk.length);
    }
  });
});

describe('an error of whoever takes the events', () => {
  const failing = (error: Error): (() => void) => {
    const reader = new XmlReader({
      open: () => {
        throw error;
      },
      text: () => undefined,
      close: () => undefined,
    });
    return () => reader.write(bytesOf('<a/>'));
  };

  it('goes through as it is when it says where already, or is not ours', () => {
    const placed = new RelctlError('bad-answer', 'twice', { facts: { path: 'Relations' } });
    assert.throws(failing(placed), (thrown) => thrown === placed);
    const foreign = new TypeError('x');
    assert.throws(failing(foreign), (thrown) => thrown === foreign);
  });

  it('gets a place otherwise, and keeps its kind, code and hint', () => {
    const error = new RelctlError('bad-answer', 'wrong element', {
      facts: { code: 'wrong-element' },
      hint: 'look here',
    });
    assert.throws(failing(error), {
      kind: 'bad-answer',
      hint: 'look here',
      facts: { code: 'wrong-element', path: '1:5' },
    });
  });
});
