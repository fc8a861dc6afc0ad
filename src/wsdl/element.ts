import { escapeAttribute, escapeText, xmlDeclaration } from '../xml/writer.js';

/** An element of a description: its attributes in their order, and either words or other elements. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: string | readonly Element[];
}

/** Makes an element. */
export const element = (
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  content: string | readonly Element[] = [],
): Element => ({ name, attributes, content });

function written({ name, attributes, content }: Element, indent: string): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`);
  const tag = `${indent}<${name}${pairs.join('')}`;
  if (content.length === 0) return `${tag} />`;
  if (typeof content === 'string') return `${tag}>${escapeText(content)}</${name}>`;
  return [`${tag}>`, ...content.map((each) => written(each, `${indent}  `)), `${indent}</${name}>`].join('\n');
}

/** A whole document: indented, without a byte order mark, as .asmx services write it. */
export const writeDocument = (root: Element): string => `${xmlDeclaration}\n${written(root, '')}`;
