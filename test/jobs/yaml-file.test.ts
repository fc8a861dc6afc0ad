import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readYaml, type YamlNode } from '../../src/jobs/yaml-file.js';
import { assertTold, yamlMarks } from '../support/fuzz.js';
import { argv } from '../support/argv.js';

type Plain = string | readonly Plain[] | { readonly [key: string]: Plain };

function plain(node: YamlNode): Plain {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'list':
      return node.items.map(plain);
    case 'map':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
  }
}

const read = (text: string): Plain | undefined => {
  const { root, mistakes } = readYaml(text);
  assert.deepEqual(mistakes, []);
  return root === undefined ? undefined : plain(root);
};

const told = (text: string): string[] =>
  readYaml(text).mistakes.map(({ at, message }) => `${at.line}:${at.column} ${message}`);

describe('A YAML file', () => {
  it('keeps every scalar as the text that stands there', () => {
    const scalars = argv`1e5 0x10 0o17 007 1_000 +1 .5 12:30:45 2026-01-31 yes NO true null ~ .inf 1.10`;
    assert.deepEqual(read(scalars.map((text) => `- ${text}`).join('\n')), scalars);
    assert.deepEqual(read('{a: 1e5, "b": "0x10", c: \'1\'}'), { a: '1e5', b: '0x10', c: '1' });
  });

  it('reads every number as its own text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger()), (value) =>
        assert.deepEqual(read(`a: ${value}`), { a: String(value) }),
      ),
    );
  });

  it('tells quoted text from plain text', () => {
    const { root } = readYaml('- true\n- "true"');
    assert.deepEqual(root?.kind === 'list' && root.items.map((item) => item.kind === 'text' && item.isPlain), [
      true,
      false,
    ]);
  });

  it('says where every value and key stands', () => {
    const { root } = readYaml('# jobs\na:\n  b: [x,\n    y]\n');
    assert.ok(root?.kind === 'map');
    const inner = root.entries[0]?.value;
    assert.ok(inner?.kind === 'map');
    const [entry] = inner.entries;
    assert.deepEqual(entry?.at, { line: 3, column: 3 });
    assert.deepEqual(entry.value.kind === 'list' && entry.value.items.map(({ at }) => at), [
      { line: 3, column: 7 },
      { line: 4, column: 5 },
    ]);
  });

  it('is nothing when it is empty', () => {
    for (const text of ['', '\n', '# only a remark\n', '---\n']) assert.deepEqual(readYaml(text).mistakes, []);
  });

  for (const [what, text, mistake] of [
    ['a key that stands twice', 'a: 1\nb: 2\na: 3\n', "3:1 'a' is repeated here; the first is on line 1"],
    ['an anchor', 'a: &x 1\n', '1:7 the anchor &x is not supported: write values out'],
    ['an alias', 'b: *x\n', '1:4 aliases are not supported: write the value out'],
    ['a tag', 'a: !!int 1\n', '1:10 the tag tag:yaml.org,2002:int is not supported: values are text, lists and maps'],
    ['a tag of its own', 'a: !env HOME\n', '1:9 the tag !env is not supported: values are text, lists and maps'],
    ['a second document', 'a: 1\n---\nb: 2\n', '2:1 only one document is allowed: a second begins here'],
    ['a directive', '%YAML 1.1\n---\na: yes\n', '1:1 directives (%YAML) are not supported'],
    ['a key that is a list', '? [a]\n: b\n', '1:3 a key is a name'],
    ['a tab for an indentation', 'a:\n\tb: 1\n', '2:1 Tabs are not allowed as indentation'],
    [
      'a bracket that is not closed',
      'a: [1, 2\n',
      '2:1 Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
  ] as const) {
    it(`is refused for ${what}, with its place`, () => assert.ok(told(text).includes(mistake), told(text).join('\n')));
  }

  it('never writes an alias out: a file of aliases to aliases is refused as fast as it is read', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 30; level += 1) {
      lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`);
    }
    const mistakes = told(lines.join('\n'));
    assert.ok(mistakes.some((line) => line.includes('the anchor &a0 is not supported')));
    assert.ok(mistakes.some((line) => line.includes('aliases are not supported')));
  });

  for (const opening of ['[', '{a: ', '- ', '? ', '- ? ', '[{a: ', ': ']) {
    it(`is refused when it is nested by 100,000 times ${opening}`, () => {
      assert.match(told(opening.repeat(100_000)).join('\n'), /^1:\d+ nested more than 16 deep$/);
    });
  }

  // Where a bracket that is never closed ends, what follows is no longer within it.
  for (const [opening, what] of [
    ['a:\n  b: {\n', '- '],
    ['a: [\u0018,', '[\u0018,'],
    ['a:\n  [:\n  ', '- '],
    ['a:\n  {\n  ', '- '],
  ] as const) {
    it(`is refused when it is nested behind ${JSON.stringify(opening)} by 100,000 times ${JSON.stringify(what)}`, () => {
      assert.match(told(opening + what.repeat(100_000)).join('\n'), /nested more than 16 deep/);
    });
  }

  it('is refused when it is nested by its indentation', () => {
    const lines = Array.from({ length: 600 }, (_, level) => `${' '.repeat(level)}a:`);
    assert.match(told(lines.join('\n')).join('\n'), /nested more than 16 deep/);
  });

  it('is read or refused whatever it holds', () => {
    const pieces = fc.constantFrom('a', ' ', '&a', '!t', '%', ...yamlMarks);
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = parts.join('');
        const { root, mistakes } = readYaml(text);
        assertTold(mistakes, text);
        if (mistakes.length === 0 && root !== undefined) plain(root);
      }),
      { numRuns: 2000 },
    );
  });
});
