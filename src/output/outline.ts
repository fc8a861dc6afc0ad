import { escapeForTerminal } from './escape.js';

const mostLines = 40;
const mostCharacters = 400;

function linesOf(name: string, value: unknown, indent: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => linesOf(name, each, indent));
  const inner = `${indent}  `;
  if (typeof value === 'object' && value !== null) {
    return [`${indent}${name}:`, ...Object.entries(value).flatMap(([key, each]) => linesOf(key, each, inner))];
  }
  const [first = '', ...more] = (typeof value === 'string' ? value : JSON.stringify(value ?? null)).split('\n');
  if (more.length === 0) return [`${indent}${name}: ${first}`];
  return [`${indent}${name}:`, ...[first, ...more].map((line) => `${inner}${line.trim()}`)];
}

/** A line of a terminal, as long as one reads. */
function shown(line: string): string {
  const [, indent = '', text = ''] = /^( *)(.*)$/s.exec(line) ?? [];
  const cut = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
  return `${indent}${escapeForTerminal(cut)}`;
}

/**
 * Data as lines for people: a member in each, what it holds two spaces further in, several of a name below each other. Of
 * many lines the first 40, of a long one the first 400 characters; it is said that more is there.
 */
export function outline(data: object, indent: string): readonly string[] {
  const lines = Object.entries(data).flatMap(([name, value]) => linesOf(name, value, indent));
  const left = lines.length - mostLines;
  const more = left > 0 ? [`${indent}… (${left} more lines; -o json shows them)`] : [];
  return [...lines.slice(0, mostLines).map(shown), ...more];
}
