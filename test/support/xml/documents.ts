import fc from 'fast-check';

/** Characters that may stand in a document as they are. */
export const sayable = fc
  .string({ unit: 'binary', maxLength: 12 })
  .map((text) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, ''));

const name = fc.constantFrom('a', 'B', '_x', 'Éa', 'a-b.c', 'row1', '日本', 'a·b', '\u{10000}x');
const prefix = fc.constantFrom('', '', 'p', 'q');
const uri = fc.constantFrom('urn:one', 'urn:two', 'http://example.test/a?b=c&d');
const space = fc.constantFrom(' ', '\n', '\t ', '\r\n');
const maybeSpace = fc.oneof(fc.constant(''), space);

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

const reference = fc.oneof(
  fc.constantFrom(
    '&amp;',
    '&lt;',
    '&gt;',
    '&quot;',
    '&apos;',
    '&#9;',
    '&#xA;',
    '&#13;',
    '&#x1F600;',
    '&#233;',
    '&#x0e9;',
  ),
  fc.integer({ min: 0x20, max: 0xd7ff }).map((code) => `&#x${code.toString(16)};`),
);

const text = fc
  .array(fc.oneof(sayable.map(escaped), reference, fc.constantFrom(']', ']]')), {
    maxLength: 4,
  })
  .map((parts) => parts.join(''))
  .filter((joined) => !joined.includes(']]>'));
const cdata = sayable
  .filter((content) => !content.includes(']]>') && !content.endsWith(']'))
  .map((content) => `<![CDATA[${content}]]>`);
const comment = sayable.map((content) => `<!--${content.replace(/-/g, '~')}-->`);
const instruction = fc
  .tuple(fc.constantFrom('go', 'xml-stylesheet', 'X'), sayable)
  .map(([target, content]) => `<?${target} ${content.replace(/\?/g, '.')}?>`);

const attributeValue = fc
  .array(
    fc.oneof(
      sayable.map((each) => escaped(each).replace(/"/g, '&quot;').replace(/'/g, '&apos;')),
      reference,
    ),
    { maxLength: 2 },
  )
  .map((parts) => parts.join(''));
const attribute = fc.record({
  key: fc.tuple(fc.constantFrom('', 'p:', 'xml:'), name).map((parts) => parts.join('')),
  value: attributeValue,
  quote: fc.constantFrom('"', "'"),
  before: space,
  around: fc.tuple(maybeSpace, maybeSpace),
});
const declarations = fc.record({
  p: uri,
  q: fc.option(uri, { nil: undefined }),
  none: fc.option(fc.oneof(uri, fc.constant('')), { nil: undefined }),
});

interface Opening {
  readonly prefix: string;
  readonly local: string;
  readonly attributes: string;
}

const opening: fc.Arbitrary<Opening> = fc
  .record({
    prefix,
    local: name,
    attributes: fc.uniqueArray(attribute, { maxLength: 3, selector: ({ key }) => key }),
    declared: fc.option(declarations, { nil: undefined }),
  })
  .map(({ prefix: given, local, attributes, declared }) => {
    const bound =
      declared === undefined
        ? ''
        : ` xmlns:p="${escaped(declared.p)}"${declared.q === undefined ? '' : `\n xmlns:q='${escaped(declared.q)}'`}${declared.none === undefined ? '' : ` xmlns="${escaped(declared.none)}"`}`;
    const written = attributes
      .map(
        ({ key, value, quote, before, around }) => `${before}${key}${around[0]}=${around[1]}${quote}${value}${quote}`,
      )
      .join('');
    return { prefix: given === '' ? '' : `${given}:`, local, attributes: bound + written };
  });

function element(depth: number): fc.Arbitrary<string> {
  const leaf = fc.oneof(text, cdata, comment, instruction);
  const child =
    depth === 0
      ? leaf
      : fc.oneof({ weight: 2, arbitrary: leaf }, { weight: 1, arbitrary: fc.memo((n) => element(n - 1))(depth) });
  return fc
    .tuple(opening, fc.array(child, { maxLength: 4 }), maybeSpace, fc.boolean())
    .map(([{ prefix: given, local, attributes }, children, blank, isEmpty]) => {
      const tag = `${given}${local}`;
      return isEmpty
        ? `<${tag}${attributes}${blank}/>`
        : `<${tag}${attributes}${blank}>${children.join('')}</${tag}${blank}>`;
    });
}

const misc = fc.array(fc.oneof(comment, instruction, space), { maxLength: 2 }).map((parts) => parts.join(''));
const declaration = fc.constantFrom(
  '',
  '<?xml version="1.0"?>',
  "<?xml version='1.0' encoding='utf-8' standalone='yes'?>\r\n",
  '<?xml version="1.0" encoding="UTF-8" ?>',
);

/** Well-formed documents without a document type, over all that XML 1.0 with namespaces can say. */
export const wellFormed: fc.Arbitrary<string> = fc
  .tuple(declaration, misc, element(2), misc)
  .map(([head, before, root, after]) => `${head}${before}<r xmlns:p="urn:p" xmlns:q="urn:q">${root}</r>${after}`);
