import { TextDecoder } from 'node:util';
import { forMessage } from '../core/text/text.js';
import { badAnswer } from '../core/errors/relctl-error.js';

const form =
  /^<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"([^"]*)"|'([^']*)')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"([A-Za-z][\w.-]*)"|'([A-Za-z][\w.-]*)'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>$/;

const asUtf8: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

/** The standard name of an encoding that has several names; an unknown name stays as it is. */
function encodingName(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return label;
  }
}

/** The encoding that an XML declaration names, as it stands there. */
export function declaredLabel(head: string): string | undefined {
  const end = head.indexOf('?>');
  const match = end === -1 ? null : form.exec(head.slice(0, end + 2).replace(/\r\n?/g, '\n'));
  return match?.[3] ?? match?.[4];
}

/** The encoding of a declaration; undefined for UTF-8, ASCII and UTF-16, which are read without it. */
export const declaredEncoding = (label: string | undefined): string | undefined =>
  label === undefined || asUtf8.has(label.toLowerCase()) || /^utf-?16/i.test(label) ? undefined : label;

/** True for a name of UTF-8. */
export const isUtf8Label = (label = ''): boolean => /^utf-?8$/i.test(label);

/** True for names of different encodings. */
export const differ = (left: string, right: string): boolean => encodingName(left) !== encodingName(right);

/** True when a document that declares one encoding can be read by the other. */
function agrees(declared: string, used: string): boolean {
  const name = declared.toLowerCase();
  if (used.startsWith('utf-16')) return name.startsWith('utf-16');
  if (used === 'utf-8') return asUtf8.has(name);
  return encodingName(name) === encodingName(used);
}

/** The encoding by which a document is read, and whether the HTTP header or a byte order mark named it. */
export interface ReadAs {
  readonly encoding: string;
  readonly isSettled: boolean;
}

/** True for encodings that have invalid bytes, which show that a document has another one. */
const isTelling = (used: string): boolean => /^utf-?(?:8|16)/i.test(used);

/**
 * True when the encoding in use may be wrong. The header has precedence over the declaration, but only for an encoding in
 * which a mistake would show: otherwise nobody can say which of the two is right.
 */
function isDoubtful(declared: string, { encoding, isSettled }: ReadAs): boolean {
  return !agrees(declared, encoding) && !(isSettled && isTelling(encoding));
}

/** Checks an XML declaration: version 1.0, and an encoding like that of the bytes. Throws `bad-answer`. */
export function checkDeclaration(text: string, decoder: ReadAs): void {
  const match = form.exec(text);
  if (match === null) throw badAnswer('xml-malformed', `'${forMessage(text)}' is no XML declaration`);
  const version = match[1] ?? match[2] ?? '';
  if (version !== '1.0') throw badAnswer('xml-malformed', `XML version '${forMessage(version)}' is not read, only 1.0`);
  const declared = match[3] ?? match[4];
  if (declared !== undefined && isDoubtful(declared, decoder)) {
    throw badAnswer(
      'xml-encoding',
      `the document declares '${forMessage(declared)}' but is read as ${decoder.encoding}`,
    );
  }
}
