import { XMLBuilder, XMLParser } from 'fast-xml-parser';
import type { XmlEvents, XmlName } from './events.js';
import { XmlReader } from './reader.js';
import { badAnswer } from '../core/errors/relctl-error.js';

const exact = {
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  // Kept apart from text: a section holds its text as it is, text holds references.
  cdataPropName: '#cdata',
  commentPropName: '#comment',
  // The library would take the content of an instruction for attributes.
  ignorePiTags: true,
  // Paths as texts, which nothing asks for, take a fifth of the time.
  jPath: false,
} as const;

/** As above, for what is read for its elements: without comments, and without white space between elements. */
const bare = {
  ...exact,
  commentPropName: false,
  tagValueProcessor: (_name: string, text: string): string => (/[^ \t\r\n]/.test(text) ? text : ''),
} as const;

const declaration = /^\ufeff?(<\?xml[ \t\r\n][^>]*\?>)/;

/** A node as fast-xml-parser keeps it: a key for the element, `:@` its attributes; `#text`, `#cdata`, `#comment`. */
export type TreeNode = Readonly<Record<string, unknown>>;

/** How much may be in a document. */
export interface TreeLimits {
  /** Counts an element by its attributes. Throws when there are too many. */
  readonly count: (attributes: number) => void;
  /** Counts a declaration of a namespace, which is no attribute. Throws when there are too many. */
  readonly countDeclaration: () => void;
  /** How many names elements and attributes have, and how many prefixes: each makes another kind of object in the tree. */
  readonly maxNames: number;
  /** How many CDATA sections there are. */
  readonly maxSections: number;
  /** Longest text without an element in it, in UTF-16 units: the library takes 32 bytes for each while it reads one. */
  readonly maxText: number;
}

const pieceUnits = 1024 * 1024;

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const last = text.charCodeAt(at + pieceUnits - 1);
    const end = at + pieceUnits - (last >= 0xd800 && last <= 0xdbff ? 1 : 0);
    yield text.slice(at, end);
    at = end;
  }
}

function check(text: string, events: XmlEvents): void {
  const reader = new XmlReader(events);
  for (const piece of piecesOf(text)) reader.write(Buffer.from(piece));
  reader.end();
}

/** Looks whether a document is within its limits while it is looked at for what is not well-formed. */
function limited({ count, maxText, maxNames }: TreeLimits): XmlEvents {
  const names = new Set<string>();
  let units = 0;
  const take = ({ local }: XmlName): void => {
    if (names.size < maxNames) names.add(local);
    else if (!names.has(local)) throw badAnswer('xml-limit', `more than ${maxNames} names of elements and attributes`);
  };
  return {
    open: (name, attributes) => {
      units = 0;
      take(name);
      for (const each of attributes) take(each.name);
      count(attributes.length);
    },
    text: ({ length }) => {
      units += length;
      if (units > maxText) throw badAnswer('xml-limit', `a text of more than ${maxText} characters`);
    },
    close: () => (units = 0),
  };
}

function refuseSections(text: string, most: number): void {
  let count = 0;
  for (let at = text.indexOf('<![CDATA['); at !== -1; at = text.indexOf('<![CDATA[', at + 1)) {
    count += 1;
    if (count > most) throw badAnswer('xml-limit', `more than ${most} CDATA sections`);
  }
}

/** Looks for declarations of namespaces, which the strict reader does not tell; one within a text counts too. */
function limitDeclarations(text: string, { countDeclaration, maxNames }: TreeLimits): void {
  const prefixes = new Set<string>();
  for (const [, prefix = ''] of text.matchAll(/[ \t\r\n]xmlns(?::([^ \t\r\n=]+))?[ \t\r\n]*=/g)) {
    prefixes.add(prefix);
    if (prefixes.size > maxNames) throw badAnswer('xml-limit', `more than ${maxNames} prefixes of namespaces`);
    countDeclaration();
  }
}

function parsed(text: string, options: typeof exact | typeof bare): readonly TreeNode[] {
  try {
    // Without this the library renames elements such as <toString>.
    const parser = new XMLParser({ ...options, onDangerousProperty: (name) => name });
    // With preserveOrder the library gives a list of such nodes; its types say any.
    return parser.parse(text) as readonly TreeNode[];
  } catch {
    // The document is well-formed: what the library still refuses is an element or attribute named `__proto__`.
    throw badAnswer('xml-malformed', 'the document has a name that no tree can hold');
  }
}

/**
 * A whole document as a plain tree, for what no contract describes. The strict reader looks at it first, because the
 * library takes truncated documents and document types; references stay as they are written. Declaration and instructions
 * are left out. Throws `bad-answer`.
 */
export function parseTree(text: string): readonly TreeNode[] {
  check(text, { open: () => undefined, text: () => undefined, close: () => undefined });
  return parsed(text, exact);
}

/** The same without comments and without white space between elements, bounded. Throws `bad-answer`, and what counting throws. */
export function parseBareTree(text: string, limits: TreeLimits): readonly TreeNode[] {
  check(text, limited(limits));
  refuseSections(text, limits.maxSections);
  limitDeclarations(text, limits);
  return parsed(text, bare);
}

const isBlank = (node: TreeNode): boolean => typeof node['#text'] === 'string' && node['#text'].trim() === '';

/** White space between elements goes, so that indentation can take its place; text is left as it is. */
function withoutBlanks(nodes: readonly TreeNode[]): TreeNode[] {
  const hasElements = nodes.some((node) => !('#text' in node) && !('#cdata' in node));
  return nodes
    .filter((node) => !(hasElements && isBlank(node)))
    .map((node) =>
      Object.fromEntries(
        Object.entries(node).map(([name, value]) => [
          name,
          Array.isArray(value) ? withoutBlanks(value as readonly TreeNode[]) : value,
        ]),
      ),
    );
}

/** A document with one element a line, for people to read. Throws `bad-answer` when it is not well-formed. */
export function prettyPrint(text: string): string {
  // The parser's own package exports it again; naming the package behind it would be one more to keep.
  // oxlint-disable-next-line typescript/no-deprecated
  const builder = new XMLBuilder({
    ...exact,
    format: true,
    indentBy: '  ',
    suppressEmptyNode: true,
    suppressBooleanAttributes: false,
  });
  const head = declaration.exec(text)?.[1];
  const lines = builder.build(withoutBlanks(parseTree(text))).trim();
  return head === undefined ? lines : `${head}\n${lines}`;
}
