import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  parseDocument,
  Parser,
  type Node,
  type YAMLMap,
} from 'yaml';

/** A position in a file; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A mistake in a job file. */
export interface Mistake {
  readonly at: Position;
  readonly message: string;
}

/** Records a mistake; reading continues, so that all mistakes are reported at once. */
export type Report = (at: Position, message: string) => void;

/** A value of a YAML file with its position. Every scalar is the text that stands there: nothing is taken for a number. */
export type YamlNode = { readonly at: Position } & (
  | { readonly kind: 'map'; readonly entries: readonly YamlEntry[] }
  | { readonly kind: 'list'; readonly items: readonly YamlNode[] }
  // Plain is without quotes: only then do `true` and `null` have a meaning.
  | { readonly kind: 'text'; readonly text: string; readonly isPlain: boolean }
);

/** One key with its value. */
export interface YamlEntry {
  readonly key: string;
  readonly at: Position;
  readonly value: YamlNode;
}

/** True where there is no value: no node, nothing behind its key, `~` or `null`. */
export const isNothing = (node: YamlNode | undefined): boolean =>
  node === undefined || (node.kind === 'text' && node.isPlain && /^(?:|~|null|Null|NULL)$/.test(node.text));

interface Reading {
  readonly report: Report;
  readonly position: (offset: number) => Position;
}

const mostDepth = 16;

/**
 * The offset at which a file is nested too deep; undefined when it is nowhere. The parser keeps a stack, but what makes
 * nodes of its tokens calls itself for each level, and a file that is deep enough ends the process instead of throwing.
 */
function tooDeepAt(text: string): number | undefined {
  const parser = new Parser();
  for (const token of new Lexer().lex(text)) {
    Array.from(parser.next(token));
    if (parser.stack.filter((each) => 'items' in each).length > mostDepth) return parser.offset;
  }
  return undefined;
}

function refuseExtras(node: Node, at: Position, report: Report): void {
  if (isAlias(node)) report(at, 'aliases are not supported: write the value out');
  else if (node.anchor !== undefined) report(at, `the anchor &${node.anchor} is not supported: write values out`);
  if (node.tag !== undefined) report(at, `the tag ${node.tag} is not supported: values are text, lists and maps`);
}

function entriesOf({ items }: YAMLMap, reading: Reading): readonly YamlEntry[] {
  const { report, position } = reading;
  const first = new Map<string, Position>();
  return items.map((pair) => {
    // The parser makes nodes of all keys and values; its types leave room for documents made by hand.
    const [key, value] = [pair.key as Node | null, pair.value as Node | null];
    const at = position(key?.range?.[0] ?? 0);
    if (key !== null) refuseExtras(key, at, report);
    if (!isScalar(key)) report(at, 'a key is a name');
    const name = isScalar(key) ? String(key.value) : '';
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, at);
    else report(at, `'${name}' is repeated here; the first is on line ${earlier.line}`);
    return { key: name, at, value: nodeOf(value, at, reading) };
  });
}

/** @param parent the position of a node that has none itself, because there is nothing */
function nodeOf(node: Node | null, parent: Position, reading: Reading): YamlNode {
  const offset = node?.range?.[0];
  const at = offset === undefined ? parent : reading.position(offset);
  if (node !== null) refuseExtras(node, at, reading.report);
  if (isMap(node)) return { kind: 'map', at, entries: entriesOf(node, reading) };
  if (isSeq(node)) return { kind: 'list', at, items: node.items.map((item) => nodeOf(item as Node, at, reading)) };
  if (!isScalar(node)) return { kind: 'text', at, text: '', isPlain: true };
  return { kind: 'text', at, text: String(node.value), isPlain: node.type === 'PLAIN' };
}

/**
 * Reads one YAML 1.2 document; every scalar stays text. Refuses what a list of jobs does not need and what is unsafe in
 * untrusted files: aliases, anchors, tags, directives, repeated keys, nesting beyond sixteen. Its root is undefined for a file
 * without content, and for one that is not YAML.
 */
export function readYaml(text: string): {
  readonly root: YamlNode | undefined;
  readonly mistakes: readonly Mistake[];
} {
  const mistakes: Mistake[] = [];
  const report: Report = (at, message) => mistakes.push({ at, message });
  const deepAt = tooDeepAt(text);
  if (deepAt !== undefined) {
    const before = text.slice(0, deepAt).split('\n');
    report({ line: before.length, column: (before.at(-1) ?? '').length + 1 }, `nested more than ${mostDepth} deep`);
    return { root: undefined, mistakes };
  }
  const lineCounter = new LineCounter();
  const position = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  // With the failsafe schema every scalar stays text; repeated keys are looked for here, where both positions are known.
  const options = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, logLevel: 'error' } as const;
  const { errors, directives, contents } = parseDocument(text, { ...options, lineCounter });
  for (const { message, pos, code } of errors)
    report(position(pos[0]), code === 'MULTIPLE_DOCS' ? 'only one document is allowed: a second begins here' : message);
  const start = { line: 1, column: 1 };
  if (directives.yaml.explicit === true) report(start, 'directives (%YAML) are not supported');
  if (mistakes.length > 0 || contents === null) return { root: undefined, mistakes };
  const root = nodeOf(contents, start, { report, position });
  return { root, mistakes };
}
