import { XMLBuilder, XMLParser } from 'fast-xml-parser';
import { createXmlReader } from './reader.js';
import { refusal } from './refusals.js';

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
} as const;

const declaration = /^\ufeff?(<\?xml[ \t\r\n][^>]*\?>)/;

/**
 * One node of a free-form document, as fast-xml-parser keeps it: one key for the element, `:@` for its attributes;
 * `#text`, `#cdata` and `#comment` for what is none.
 */
export type TreeNode = Readonly<Record<string, unknown>>;

function refuseBadXml(text: string): void {
  const reader = createXmlReader({ open: () => undefined, text: () => undefined, close: () => undefined });
  reader.write(new TextEncoder().encode(text));
  reader.end();
}

/**
 * A whole document as a plain tree, for what no contract describes. The strict reader looks at it first, because the
 * library takes truncated documents and document types; references stay as they are written. Declaration and instructions
 * are left out. Throws `bad-answer`.
 */
export function parseTree(text: string): readonly TreeNode[] {
  refuseBadXml(text);
  try {
    // Without this the library renames elements such as <toString>.
    const parser = new XMLParser({ ...exact, onDangerousProperty: (name) => name });
    // With preserveOrder the library gives a list of such nodes; its types say any.
    return parser.parse(text) as readonly TreeNode[];
  } catch {
    // The document is well-formed: what the library still refuses is an element or attribute named `__proto__`.
    throw refusal('xml-malformed', 'the document has a name that no tree can hold');
  }
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
  // eslint-disable-next-line @typescript-eslint/no-deprecated
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
