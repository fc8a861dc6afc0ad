import { TextDecoder } from 'node:util';
import { forMessage } from '../lexical/text.js';
import { refusal } from './refusals.js';

const form =
  /^<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"([^"]*)"|'([^']*)')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"([A-Za-z][\w.-]*)"|'([A-Za-z][\w.-]*)'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>$/;

const asUtf8: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

/** The one name of an encoding that has several; a name that nobody knows stays as it is. */
function encodingName(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return label;
  }
}

/**
 * The encoding by which a document is to be read, as its first characters declare it. Undefined when they do not, and for
 * UTF-8, ASCII and UTF-16: those are read as UTF-8, or told by a byte order mark.
 */
export function declaredEncoding(head: string): string | undefined {
  const end = head.indexOf('?>');
  const match = end === -1 ? null : form.exec(head.slice(0, end + 2).replace(/\r\n?/g, '\n'));
  const name = match?.[3] ?? match?.[4];
  return name === undefined || asUtf8.has(name.toLowerCase()) || /^utf-?16/i.test(name) ? undefined : name;
}

/** Encodings whose documents read the same as UTF-8, or that a byte order mark has settled. */
function agrees(declared: string, used: string): boolean {
  const name = declared.toLowerCase();
  if (used.startsWith('utf-16')) return name.startsWith('utf-16');
  if (used === 'utf-8') return asUtf8.has(name);
  return encodingName(name) === encodingName(used);
}

/** How a document is being read: by which encoding, and whether the HTTP header said so. */
export interface ReadAs {
  readonly encoding: string;
  readonly isSettled: boolean;
}

/** Encodings in which bytes that belong to another one show. In most others every byte stands for something. */
const isTelling = (used: string): boolean => /^utf-?(?:8|16)/i.test(used);

/**
 * True when the encoding in use is to be taken for wrong. A header goes before a declaration, but only where reading by the
 * wrong one could not go unnoticed: otherwise nobody can say which of the two is right.
 */
function isDoubtful(declared: string, { encoding, isSettled }: ReadAs): boolean {
  return !agrees(declared, encoding) && !(isSettled && isTelling(encoding));
}

/**
 * Checks an XML declaration: version 1.0, and an encoding that agrees with how the bytes are being read. Throws
 * `bad-answer` (xml-malformed, xml-encoding).
 */
export function checkDeclaration(text: string, decoder: ReadAs): void {
  const match = form.exec(text);
  if (match === null) throw refusal('xml-malformed', `'${forMessage(text)}' is no XML declaration`);
  const version = match[1] ?? match[2] ?? '';
  if (version !== '1.0') throw refusal('xml-malformed', `XML version '${forMessage(version)}' is not read, only 1.0`);
  const declared = match[3] ?? match[4];
  if (declared !== undefined && isDoubtful(declared, decoder)) {
    throw refusal('xml-encoding', `the document declares '${forMessage(declared)}' but is read as ${decoder.encoding}`);
  }
}
