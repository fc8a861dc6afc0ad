import { usage } from '../../errors/usage.js';

/** What a name within a folder has in it. */
export interface Matched {
  /** The activity; no Id where the name has something else in its place. */
  readonly id?: string;
  /** The name to attach it under, where the pattern says it. */
  readonly name?: string;
}

/** A pattern for one name of a path. */
export interface NamePattern {
  /** Undefined for a name that it does not match. */
  match(name: string): Matched | undefined;
}

/** Stars and braces of a name: with more of them a long name would be tried in too many ways. */
const mostParts = 3;

const guid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/** What parts of a pattern stand for; what is no GUID in the place of an Id is a mistake that is told. */
const parts: Readonly<Record<string, string>> = { '*': '.*', '{id}': `(?<id>${guid}|.+?)`, '{name}': '(?<name>.+)' };

const wrong = (text: string, what: string): Error =>
  usage('--pattern', `--pattern '${text}' ${what}`, "--pattern '{id}/*'");

function namePattern(segment: string, text: string): NamePattern {
  const pieces = segment.split(/(\*+|\{[^}]*\})/);
  if (pieces.length > 2 * mostParts + 1) throw wrong(text, `has more than ${mostParts} stars and braces in one name`);
  if (pieces.includes('**')) throw wrong(text, 'has **, and each folder of a path is named by itself');
  const unknown = pieces.find((piece) => /^\{.*\}$/.test(piece) && parts[piece] === undefined);
  if (unknown !== undefined) throw wrong(text, `has ${unknown}: there are {id} and {name}`);
  const source = pieces.map((piece) => parts[piece] ?? piece.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('');
  const expression = new RegExp(`^${source}$`, 's');
  return {
    match(name) {
      // As shells do it: what is hidden is meant where the pattern says so.
      if (name.startsWith('.') && !segment.startsWith('.')) return undefined;
      return expression.exec(name)?.groups ?? (expression.test(name) ? {} : undefined);
    },
  };
}

const countOf = (text: string, part: string): number => text.split(part).length - 1;

/**
 * The patterns of the names of a path, from that of the first folder to that of the file: `{id}/*.pdf`, `{id}_{name}`.
 * Throws `usage`.
 */
export function patternOf(text: string): readonly [...NamePattern[], NamePattern] {
  const segments = text.split('/');
  if (segments.some((each) => each === '' || each === '.' || each === '..'))
    throw wrong(text, 'is no path within the folder');
  if (countOf(text, '{id}') !== 1) throw wrong(text, 'needs {id} once: where the Id of the activity stands');
  const inLast = countOf(segments.at(-1) ?? '', '{name}');
  if (countOf(text, '{name}') !== inLast || inLast > 1) throw wrong(text, 'takes {name} once, in the name of the file');
  // There is at least one.
  return segments.map((each) => namePattern(each, text)) as [...NamePattern[], NamePattern];
}
