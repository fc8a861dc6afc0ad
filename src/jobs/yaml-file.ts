import { isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, parseDocument, type Document, type Node } from 'yaml';
import type { Mistake, Position, Report } from './mistakes.js';

/** A value of a YAML file with its place. Every scalar is the text that stands there: nothing is taken for a number. */
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

/** The content of a file, as far as it can be read. */
export interface YamlFile {
  /** Undefined for a file without content, and for one that is not YAML. */
  readonly root: YamlNode | undefined;
  readonly mistakes: readonly Mistake[];
}

const mostDepth = 16;
const tooDeep = `nested more than ${mostDepth} deep`;

interface Reading {
  readonly report: Report;
  readonly position: (offset: number) => Position;
}

/** Nesting as the tokens show it: open brackets, and marks of blocks within one line. */
interface Nesting {
  flow: number;
  inLine: number;
}

function count(nesting: Nesting, token: string): void {
  if (token === '[' || token === '{') nesting.flow += 1;
  else if (token === ']' || token === '}') nesting.flow -= 1;
  else if (token.includes('\n')) nesting.inLine = 0;
  // A bracket that is not closed does not keep the parser from lists behind it.
  else if (token === '-' || (nesting.flow === 0 && /^[?:]$/.test(token))) nesting.inLine += 1;
}

/** Marks that the lexer adds; they are not in the text. `flowEnd` stands where brackets that were never closed end. */
const scalarMark = '\u001f';
const flowEnd = '\u0018';
const ownMarks: readonly string[] = ['\u0002', flowEnd, scalarMark];

/**
 * The offset at which a file is nested too deep; undefined when it is nowhere. It is found by the tokens: the parser calls
 * itself for each level, and a file that is deep enough ends the process instead of throwing.
 */
function tooDeepAt(text: string): number | undefined {
  const nesting: Nesting = { flow: 0, inLine: 0 };
  let [offset, before] = [0, ''];
  for (const token of new Lexer().lex(text)) {
    if (token === flowEnd && before !== scalarMark) nesting.flow = 0;
    if (!ownMarks.includes(token)) {
      if (before !== scalarMark) count(nesting, token);
      if (nesting.flow > mostDepth || nesting.inLine > mostDepth) return offset;
      offset += token.length;
    }
    before = token;
  }
  return undefined;
}

function refuseExtras(node: Node, at: Position, report: Report): void {
  if (isAlias(node)) report(at, 'aliases are not taken: write the value out');
  else if (node.anchor !== undefined) report(at, `the anchor &${node.anchor} is not taken: write values out`);
  if (node.tag !== undefined) report(at, `the tag ${node.tag} is not taken: values are text, lists and maps`);
}

function entryOf(pair: { readonly key: unknown; readonly value: unknown }, reading: Reading, depth: number): YamlEntry {
  // The parser makes nodes of all keys and values; its types leave room for documents made by hand.
  const [key, value] = [pair.key as Node | null, pair.value as Node | null];
  const at = reading.position(key?.range?.[0] ?? 0);
  if (key !== null) refuseExtras(key, at, reading.report);
  if (!isScalar(key)) reading.report(at, 'a key is a name');
  const name = isScalar(key) ? String(key.value) : '';
  return { key: name, at, value: nodeOf(value, reading, { depth: depth + 1, elsewhere: at }) };
}

function refuseRepeated(entries: readonly YamlEntry[], report: Report): void {
  const first = new Map<string, Position>();
  for (const { key, at } of entries) {
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, at);
    else report(at, `'${key}' stands here once more; the first is on line ${earlier.line}`);
  }
}

function nodeOf(
  node: Node | null,
  reading: Reading,
  { depth, elsewhere }: { readonly depth: number; readonly elsewhere: Position },
): YamlNode {
  const offset = node?.range?.[0];
  const at = offset === undefined ? elsewhere : reading.position(offset);
  const nothing: YamlNode = { kind: 'text', at, text: '', isPlain: true };
  if (node === null) return nothing;
  refuseExtras(node, at, reading.report);
  if (depth > mostDepth) {
    reading.report(at, tooDeep);
    return nothing;
  }
  if (isMap(node)) {
    const entries = node.items.map((pair) => entryOf(pair, reading, depth));
    refuseRepeated(entries, reading.report);
    return { kind: 'map', at, entries };
  }
  if (isSeq(node)) {
    const items = node.items.map((item) => nodeOf(item as Node, reading, { depth: depth + 1, elsewhere: at }));
    return { kind: 'list', at, items };
  }
  if (!isScalar(node)) return nothing;
  return { kind: 'text', at, text: String(node.value), isPlain: node.type === 'PLAIN' };
}

function reportErrors(document: Document, { report, position }: Reading): void {
  for (const { message, pos, code } of document.errors) {
    report(position(pos[0]), code === 'MULTIPLE_DOCS' ? 'one document is enough: a second begins here' : message);
  }
  if (document.directives?.yaml.explicit === true) report({ line: 1, column: 1 }, 'directives (%YAML) are not taken');
}

/**
 * Reads one YAML 1.2 document; every scalar stays text. Refuses what a list of jobs does not need and what is unsafe in
 * untrusted files: aliases, anchors, tags, directives, repeated keys, nesting beyond sixteen.
 */
export function readYaml(text: string): YamlFile {
  const mistakes: Mistake[] = [];
  const report: Report = (at, message) => mistakes.push({ at, message });
  const lineCounter = new LineCounter();
  const position = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const deepAt = tooDeepAt(text);
  if (deepAt !== undefined) {
    const before = text.slice(0, deepAt).split('\n');
    report({ line: before.length, column: (before.at(-1) ?? '').length + 1 }, tooDeep);
    return { root: undefined, mistakes };
  }
  // With the failsafe schema every scalar stays text; repeated keys are looked for here, where both places are known.
  const options = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, logLevel: 'error' } as const;
  const document = parseDocument(text, { ...options, lineCounter });
  const reading = { report, position };
  reportErrors(document, reading);
  if (mistakes.length > 0 || document.contents === null) return { root: undefined, mistakes };
  const root = nodeOf(document.contents, reading, { depth: 0, elsewhere: { line: 1, column: 1 } });
  return { root, mistakes };
}
