import type { ScalarName, Type } from '../contract/build.js';
import type { RelctlError } from '../errors/relctl-error.js';
import { nearest } from '../lexical/nearest.js';
import { mistakeAt, type Given, type Words } from './mistake.js';
import type { Token, Tree } from './syntax.js';

/** The type of what a part of an expression gives; undefined where anything may come. */
export type Known = Type | undefined;

/** A node of the tree. */
export type NodeOf<K extends Tree['type']> = Extract<Tree, { readonly type: K }>;

/** What is known of an expression while it is checked. */
export interface Place {
  readonly given: Given;
  readonly tokens: readonly Token[];
  /** Type of what the whole expression is asked of. */
  readonly root: Known;
}

const nameTypes = new Set(['UnquotedIdentifier', 'QuotedIdentifier']);

/** The token of a name: the tree does not say where it stands, and a name that is wrong once is wrong each time. */
function nameToken({ tokens }: Place, name: string, isFunction: boolean): Token | undefined {
  return tokens.find(
    ({ type, value }, at) =>
      nameTypes.has(type) && value === name && (tokens[at + 1]?.type === 'Lparen') === isFunction,
  );
}

/** A mistake at the first token with these letters, for an operator. */
export function mistakeAtSign(place: Place, sign: string, words: Words): RelctlError {
  const at = place.tokens.find(({ text }) => text.startsWith(sign))?.start ?? 0;
  return mistakeAt(place.given, at, words);
}

/** A mistake at the name of a function. */
export const mistakeAtFunction = (place: Place, name: string, words: Words): RelctlError =>
  mistakeAt(place.given, nameToken(place, name, true)?.start ?? 0, words);

/** A mistake at the name of a member. */
const mistakeAtMember = (place: Place, name: string, words: Words): RelctlError =>
  mistakeAt(place.given, nameToken(place, name, false)?.start ?? 0, words);

/** A type in words. */
export const kindOf = (type: Type): string => (type.kind === 'scalar' ? type.name : type.kind);

/** True for a scalar of one of these names. */
export const isScalar = (type: Known, names: ReadonlySet<ScalarName>): boolean =>
  type?.kind === 'scalar' && names.has(type.name);

/** Numbers that are kept as text. */
export const textNumbers: ReadonlySet<ScalarName> = new Set(['decimal', 'long']);

/** Numbers that are numbers here too. */
export const wholeNumbers: ReadonlySet<ScalarName> = new Set(['int', 'short']);

/** Times, which are kept as text. */
export const times: ReadonlySet<ScalarName> = new Set(['dateTime']);

/** True for a type that says nothing. */
export const isOpen = (type: Known): type is undefined =>
  type === undefined || (type.kind === 'scalar' && type.name === 'anyType');

/** Words that are values in most languages, and names here. */
const valueWords: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/** What all objects have by birth, and records do not. */
const inborn = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Refuses a name that no record has. Throws `usage`. */
export function checkName(place: Place, name: string): void {
  if (inborn.has(name)) throw mistakeAtMember(place, name, [`no record has a member '${name}'`]);
}

function unknownMember(place: Place, name: string, known: readonly string[]): RelctlError {
  if (nameToken(place, name, false)?.type === 'QuotedIdentifier') {
    const hint = `'${name.replaceAll("'", "\\'")}'`;
    return mistakeAtMember(place, name, [
      `"${name}" in double quotes is a member; a text stands in single quotes`,
      hint,
    ]);
  }
  if (valueWords.has(name)) return mistakeAtMember(place, name, [`${name} stands in backticks`, `\`${name}\``]);
  const near = nearest(name, known);
  return mistakeAtMember(place, name, [`there is no '${name}' here; there are ${known.join(', ')}`, near]);
}

/** The type of a member. Throws `usage` for one that a value of the type does not have. */
export function memberOf(place: Place, { name }: NodeOf<'Field'>, type: Known): Known {
  checkName(place, name);
  if (isOpen(type)) return undefined;
  if (type.kind === 'list') {
    throw mistakeAtMember(place, name, [
      `'${name}' is asked of a list; with [] behind the list it is asked of each item`,
    ]);
  }
  if (type.kind !== 'record') {
    throw mistakeAtMember(place, name, [`'${name}' is asked of a ${kindOf(type)}, which has no members`]);
  }
  if (Object.hasOwn(type.fields, name)) return type.fields[name]?.type;
  throw unknownMember(place, name, Object.keys(type.fields));
}

/** The type of the items of a list. Throws `usage` for what is none. */
export function itemOf(place: Place, type: Known): Known {
  if (isOpen(type)) return undefined;
  if (type.kind === 'list') return type.item;
  const fields = type.kind === 'record' ? Object.entries(type.fields) : [];
  const lists = fields.filter(([, field]) => field.type.kind === 'list').map(([name]) => name);
  const inside = lists.length === 0 ? '' : `; its lists are ${lists.join(', ')}`;
  throw mistakeAtSign(place, '[', [`a ${kindOf(type)} is no list${inside}`]);
}
