import { RelctlError } from '../../core/errors/relctl-error.js';
import { forbidden } from '../decoder.js';
import type { FlatElement, FlatForm, FlatShape } from '../events.js';
import { FlatScanner, type Child, type Form, type Template } from './scanner.js';
import { decodeReferences } from '../references.js';
import type { Tag } from '../tags.js';

/** A template made ready: an expression that takes an element at once, value by value. */
interface Pattern {
  readonly expression: RegExp;
  readonly shape: FlatShape;
  readonly optional: readonly (readonly FlatForm[])[];
  /** The same for bytes, made when it is first asked for; undefined when there can be none. */
  scanner?: FlatScanner | undefined;
}

/** Bounds on what is learned. Beyond them elements are read tag by tag. */
const maxChildren = 200;
const maxForms = 4;
const maxPatterns = 64;
const maxFailures = 8;
/** Failures in a row, more or less, that make an expression be given up. */
const mostCredit = 16;

const opening = /[ \t\n]*<([^<>]+)>/y;

/**
 * The children of an element that a reader has taken, or undefined when it is not flat.
 * @param text the element, from its `<` to its last `>`
 * @param known start tags in the scope of the element, by what stands between their brackets
 */
function childrenOf(
  text: string,
  known: ReadonlyMap<string, Tag>,
): { readonly forms: readonly Form[]; readonly tail: string } | undefined {
  const forms: Form[] = [];
  opening.lastIndex = text.indexOf('>') + 1;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const [literal, raw = ''] = match;
    if (raw.startsWith('/')) return opening.lastIndex === text.length ? { forms, tail: literal } : undefined;
    const tag = known.get(raw);
    if (tag === undefined || forms.length === maxChildren) return undefined;
    forms.push({ literal, tag });
    if (tag.isEmpty) continue;
    const end = text.indexOf('<', opening.lastIndex);
    const close = `</${tag.raw}>`;
    if (!text.startsWith(close, end)) return undefined;
    opening.lastIndex = end + close.length;
  }
  return undefined;
}

function withForm(child: Child, form: Form): Child | undefined {
  if (child.forms.some(({ literal }) => literal === form.literal)) return child;
  return child.forms.length === maxForms ? undefined : { ...child, forms: [...child.forms, form] };
}

/** Children that take in these as well; undefined when they stand in another order, or one of them twice. */
function merged(children: readonly Child[], forms: readonly Form[]): readonly Child[] | undefined {
  const all = [...children];
  const isFirst = children.length === 0;
  let next = 0;
  const skipTo = (column: number): void => {
    for (; next < column; next += 1) all.splice(next, 1, ...all.slice(next, next + 1).map(asOptional));
  };
  for (const form of forms) {
    const { raw } = form.tag;
    const position = all.findIndex((child) => child.raw === raw);
    const known = all[position];
    if (known === undefined) all.splice(next, 0, { raw, forms: [form], isOptional: !isFirst });
    else {
      const more = position < next ? undefined : withForm(known, form);
      if (more === undefined) return undefined;
      skipTo(position);
      all[position] = more;
    }
    next += 1;
  }
  skipTo(all.length);
  return all.length > maxChildren ? undefined : all;
}

const asOptional = (child: Child): Child => (child.isOptional ? child : { ...child, isOptional: true });

const quoted = (literal: string): string => literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Makes an expression of a template. No part of it can match in two ways, so that it fails as fast as it matches. */
function patternOf(tag: Tag, { head, children, tail }: Template): Pattern {
  let groups = 0;
  let source = quoted(head);
  const shape: FlatForm[][] = [];
  const optional: FlatForm[][] = [];
  for (const { forms, isOptional } of children) {
    const isSure = forms.length === 1 && !isOptional;
    const ways = forms.map(({ literal, tag: { name, attributes, isEmpty, raw } }) => {
      // What is sure to be there needs no group of its own.
      const index = isEmpty && isSure ? 0 : (groups += 1);
      const text = isEmpty ? quoted(literal) : `${quoted(literal)}([^<]*)</${quoted(raw)}>`;
      return { form: { name, attributes, index, isEmpty }, text: isEmpty && !isSure ? `(${text})` : text };
    });
    const expressions = ways.map(({ form }) => form);
    shape.push(expressions);
    if (isOptional) optional.push(expressions);
    const text = ways.map((form) => form.text).join('|');
    source += isSure ? text : `(?:${text})${isOptional ? '?' : ''}`;
  }
  const { name, attributes } = tag;
  return { expression: new RegExp(source + quoted(tail), 'y'), shape: { name, attributes, children: shape }, optional };
}

/** A flat element that was found in a text. */
export interface FlatMatch {
  readonly element: FlatElement;
  readonly end: number;
  /** Elements that it is and holds. */
  readonly count: number;
}

/** Decodes the references in values; tells whether control characters came of them, and undefined when one is none. */
function decode(values: (string | undefined)[]): boolean | undefined {
  let hasControls = false;
  try {
    for (let index = 1; index < values.length; index += 1) {
      const value = values[index];
      if (value?.includes('&') !== true) continue;
      const text = decodeReferences(value);
      values[index] = text;
      hasControls ||= forbidden.test(text);
    }
    return hasControls;
  } catch (thrown) {
    // Found again tag by tag, and told with its place.
    if (thrown instanceof RelctlError) return undefined;
    throw thrown;
  }
}

/**
 * What is learned of the elements with one start tag in one scope, so that the next one can be taken at once. An element
 * is found only where its markup is, to the character, what was read tag by tag before.
 */
export class Flat {
  readonly #tag: Tag;
  #template: Template | undefined;
  #pattern: Pattern | undefined;
  #patterns = 0;
  #failures = 0;
  #credit = mostCredit;

  constructor(tag: Tag) {
    this.#tag = tag;
  }

  /**
   * The element at a place; undefined when it is none that is known, or not all of it is there.
   * @param place.reference index of the first `&` at or behind `at`, -1 when there is none
   */
  match({ text, at, reference }: { text: string; at: number; reference: number }): FlatMatch | undefined {
    if (this.#pattern === undefined) return undefined;
    const { expression, shape, optional } = this.#pattern;
    expression.lastIndex = at;
    const values = expression.exec(text);
    if (values === null) return undefined;
    const end = expression.lastIndex;
    const hasControls = reference !== -1 && reference < end ? decode(values) : false;
    if (hasControls === undefined) return undefined;
    let count = 1 + shape.children.length;
    for (const forms of optional) if (forms.every(({ index }) => values[index] === undefined)) count -= 1;
    return { element: { shape, values, hasControls }, end, count };
  }

  /** What finds the same elements in bytes; undefined when nothing was learned, or it cannot be had. */
  scanner(): FlatScanner | undefined {
    const [pattern, template] = [this.#pattern, this.#template];
    if (pattern === undefined || template === undefined) return undefined;
    if (!('scanner' in pattern)) pattern.scanner = FlatScanner.of(pattern.shape, template);
    return pattern.scanner;
  }

  /** Keeps count of how often the pattern serves, and gives up one that does not. */
  served(times = 1): void {
    this.#credit = Math.min(mostCredit, this.#credit + times);
  }

  failed(): void {
    if (this.#pattern === undefined) return;
    this.#credit -= 1;
    if (this.#credit === 0) this.#giveUp();
  }

  /**
   * Looks at an element that was read tag by tag.
   * @param text the element, from its `<` to its last `>`
   * @param known start tags in its scope, by what stands between their brackets
   */
  learn(text: string, known: ReadonlyMap<string, Tag>): void {
    if (this.#failures >= maxFailures || this.#patterns >= maxPatterns) return;
    const template = this.#with(text, known);
    if (template === undefined) {
      this.#failures += 1;
      return;
    }
    this.#failures = 0;
    if (template === this.#template) return;
    this.#template = template;
    this.#pattern = patternOf(this.#tag, template);
    this.#patterns += 1;
    this.#credit = mostCredit;
  }

  #with(text: string, known: ReadonlyMap<string, Tag>): Template | undefined {
    const head = text.slice(0, text.indexOf('>') + 1);
    if (known.get(head.slice(1, -1)) !== this.#tag) return undefined;
    const childShapes = childrenOf(text, known);
    if (childShapes === undefined || childShapes.forms.length === 0) return undefined;
    const old = this.#template;
    if (old !== undefined && old.tail !== childShapes.tail) return undefined;
    const children = merged(old?.children ?? [], childShapes.forms);
    if (children === undefined) return undefined;
    const isSame = old !== undefined && children.every((child, index) => child === old.children[index]);
    return isSame && children.length === old.children.length ? old : { head, children, tail: childShapes.tail };
  }

  #giveUp(): void {
    this.#pattern = undefined;
    this.#patterns = maxPatterns;
  }
}
