import { existsSync, closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { enumerations } from '../../contract/enumerations.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { addTo } from '../../state/added-file.js';
import { attempt, makeFolders } from '../../state/own-file.js';
import { defined } from '../../core/values/value.js';
import { xsiNamespace } from '../../soap/values/scalars.js';
import type { XmlAttribute, XmlEvents, XmlName } from '../../xml/events.js';
import { XmlReader } from '../../xml/reader.js';
import { escapeAttribute, escapeText, xmlDeclaration } from '../../xml/escape.js';
import { fileNames, indexName, type RecordedCall } from './write.js';
import { indexOf, piecesOf } from './read.js';
import { createHmac } from 'node:crypto';

const guid = '[\\dA-Fa-f]{8}(?:-[\\dA-Fa-f]{4}){3}-[\\dA-Fa-f]{12}';
// Not of a longer number: that may be of a telephone.
const time =
  '(?<![\\d-])\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])(?:T\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?)?(?:Z|[+-]\\d\\d:\\d\\d)?(?![\\p{L}\\p{N}]|-\\d)';
// Of a text that is a number and nothing else: within a code it says what the code is.
const exponent = '(?<=^\\s*[+-]?\\d+(?:\\.\\d+)?)[eE][+-]?\\d{1,3}(?=\\s*$)';

/** What of a text is replaced as one: Ids, times, numbers, words. What stands between them stays. */
const parts = new RegExp(`${guid}|${time}|${exponent}|[\\p{L}\\p{M}]+|\\p{N}+`, 'gu');

const whole = {
  guid: new RegExp(`^${guid}$`),
  time: new RegExp(`^${time}$`),
  exponent: /^[eE][+-]?\d+$/,
};

/** The content of a file, as it is sent: its letters say nothing to who reads them, and everything to who decodes them. */
const base64 = /^(?:[A-Za-z\d+/\r\n]{64,}={0,2}|[A-Za-z\d+/]{2,}={1,2})\s*$/;

const consonants = 'bdfghjklmnprstvz';
const vowels = 'aeiou';
const dayMs = 86_400_000;

const isUpper = (text: string): boolean => text !== text.toLowerCase() && text === text.toUpperCase();

/** Texts that are invented for others: the same for the same in one case, whatever stands around it; no way leads back. */
export class Invented {
  readonly #key: Uint8Array;
  readonly #days: number;

  /** @param key random bytes, which are kept nowhere */
  constructor(key: Uint8Array) {
    this.#key = key;
    this.#days = 1 + (this.#bytes('days')[0] ?? 0);
  }

  /** A text of the same form: letters for letters, digits for digits, a GUID for a GUID, a time some months before. */
  textFor(text: string): string {
    if (base64.test(text)) return this.#fileFor(text);
    return text.replaceAll(parts, (part) => this.#partFor(part));
  }

  #partFor(part: string): string {
    if (whole.guid.test(part)) return this.#guidFor(part);
    if (whole.time.test(part)) return this.#timeFor(part);
    if (whole.exponent.test(part)) return part;
    return /^\p{N}/u.test(part) ? this.#digitsFor(part) : this.#wordFor(part);
  }

  #bytes(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }

  #guidFor(id: string): string {
    if (/^[0-]+$/.test(id)) return id;
    const hex = this.#bytes(`guid ${id.toLowerCase()}`).toString('hex');
    const made = hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
    return isUpper(id) ? made.toUpperCase() : made;
  }

  #timeFor(moment: string): string {
    // The ends of time stand for none.
    if (/^(?:0001-01-01|9999-12-31)/.test(moment)) return moment;
    const day = Date.parse(moment.slice(0, 10));
    const days = moment.startsWith('000') ? this.#days : -this.#days;
    return new Date(day + days * dayMs).toISOString().slice(0, 10) + moment.slice(10);
  }

  /** A number of as many digits, that fits wherever the other did: one of many digits begins with 1. */
  #digitsFor(digits: string): string {
    if (/^0+$/.test(digits)) return digits;
    const zeros = /^0*/.exec(digits)?.[0] ?? '';
    const { length } = digits.slice(zeros.length);
    for (let round = 0; ; round += 1) {
      const made = [...this.#stream(`digits ${round} ${digits}`, length)].map((byte) => byte % 10).join('');
      const first = length > 4 ? '1' : String((Number(made[0]) % 9) + 1);
      const number = `${zeros}${first}${made.slice(1)}`;
      if (number !== digits) return number;
    }
  }

  #wordFor(word: string): string {
    for (let round = 0; ; round += 1) {
      const letters = Array.from(word);
      const bytes = this.#stream(`word ${round} ${word.toLowerCase()}`, letters.length);
      const made = letters.map((letter, at) => {
        const choice = at % 2 === 0 ? consonants : vowels;
        const invented = choice[(bytes[at] ?? 0) % choice.length] ?? 'x';
        return isUpper(letter) ? invented.toUpperCase() : invented;
      });
      if (made.join('') !== word) return made.join('');
    }
  }

  #fileFor(text: string): string {
    const { length } = Buffer.from(text, 'base64');
    return Buffer.alloc(length, 'invented ').toString('base64');
  }

  #stream(text: string, length: number): Buffer {
    const pieces: Buffer[] = [];
    for (let bytes = 0; bytes < length; bytes += 32) pieces.push(this.#bytes(`${bytes} ${text}`));
    return Buffer.concat(pieces, length);
  }
}

/** A call of a recording that its masked copy does not have. */
export interface OmittedCall {
  readonly number: number;
  readonly operation: string;
  readonly why: string;
}

/**
 * Where a call says how it went, or which page it asks for: that stays as it is. Elsewhere elements of these names may hold
 * names and telephone numbers.
 */
const formal = /^Envelope\/Body\/(?:[^/]+\/page(?:Number|Size)|Fault\/(?:faultcode|Code\/(?:Subcode\/)*Value))$/;
const inOutcome = /^Envelope\/Body\/[^/]+Response\/(?:[^/]+Result\/)?Result\/(?:Succeeded|Number|Code)$/;
const formalText = /^(?:-?\d{1,7}|[A-Za-z][\w.:-]{0,63})$/;

const vocabulary: ReadonlySet<string> = new Set([
  'true',
  'false',
  'NaN',
  'INF',
  '-INF',
  ...Object.values(enumerations).flatMap(({ values }) => [...values]),
]);

/** Characters that came as references, and must not stand in a document as they are; they say nothing of anybody. */
const referring = (text: string): string =>
  text.replaceAll(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g,
    (character) => `&#x${character.charCodeAt(0).toString(16)};`,
  );

/** Writes a document anew as it is read, with invented texts; comments and instructions are left out. */
class MaskedWriter implements XmlEvents {
  readonly #invented: Invented;
  readonly #namespaceOf: (prefix: string) => string | undefined;
  readonly #out: string[] = [xmlDeclaration];
  /** The elements that are open: the prefixes that stand for a namespace within each, and whether one in it is Succeeded. */
  readonly #open: { tag: string; path: string; scope: ReadonlyMap<string, string>; isOutcome: boolean }[] = [];
  #text = '';

  constructor(invented: Invented, namespaceOf: (prefix: string) => string | undefined) {
    this.#invented = invented;
    this.#namespaceOf = namespaceOf;
  }

  open(name: XmlName, attributes: readonly XmlAttribute[]): void {
    this.#flush();
    const parent = this.#open.at(-1);
    if (parent !== undefined && name.local === 'Succeeded') parent.isOutcome = true;
    const scope = new Map(parent?.scope ?? [['', '']]);
    const declared = new Map<string, string>();
    const declare = (prefix: string, namespace: string | undefined): void => {
      if (namespace === undefined || prefix === 'xml' || scope.get(prefix) === namespace) return;
      scope.set(prefix, namespace);
      declared.set(prefix, namespace);
    };
    declare(name.prefix, name.namespace);
    const written = attributes.map(({ name: own, value }) => {
      if (own.prefix !== '') declare(own.prefix, own.namespace);
      if (own.namespace !== xsiNamespace || !/^(?:nil|type)$/.test(own.local))
        return [tagOf(own), this.#invented.textFor(value)] as const;
      const [prefix = ''] = value.includes(':') ? value.split(':') : [];
      if (own.local === 'type') declare(prefix, this.#namespaceOf(prefix));
      return [tagOf(own), value] as const;
    });
    const namespaces = [...declared].map(
      ([prefix, uri]) => [prefix === '' ? 'xmlns' : `xmlns:${prefix}`, uri] as const,
    );
    const all = [...namespaces, ...written].map(([key, value]) => ` ${key}="${referring(escapeAttribute(value))}"`);
    this.#out.push(`<${tagOf(name)}${all.join('')}>`);
    const path = parent === undefined ? name.local : `${parent.path}/${name.local}`;
    this.#open.push({ tag: tagOf(name), path, scope, isOutcome: false });
  }

  text(text: string): void {
    this.#text += text;
  }

  close(): void {
    this.#flush();
    const { tag = '' } = this.#open.pop() ?? {};
    this.#out.push(`</${tag}>`);
  }

  document(): string {
    return this.#out.join('');
  }

  #flush(): void {
    if (this.#text !== '')
      this.#out.push(referring(escapeText(this.#keepsValue() ? this.#text : this.#invented.textFor(this.#text))));
    this.#text = '';
  }

  #keepsValue(): boolean {
    const text = this.#text.trim();
    if (vocabulary.has(text)) return true;
    const { path = '' } = this.#open.at(-1) ?? {};
    const isFormal = formal.test(path) || (this.#open.at(-2)?.isOutcome === true && inOutcome.test(path));
    return isFormal && formalText.test(text);
  }
}

const tagOf = ({ prefix, local }: XmlName): string => (prefix === '' ? local : `${prefix}:${local}`);

/** A document with invented texts. Throws `bad-answer` for what cannot be parsed, and what reading its file throws. */
function maskedDocument(pieces: Iterable<Uint8Array>, invented: Invented, charset?: string): string {
  const writer = new MaskedWriter(invented, (prefix) => reader.namespaceOf(prefix));
  const reader: XmlReader = new XmlReader(writer, defined({ charset }));
  for (const piece of pieces) reader.write(piece);
  reader.end();
  return writer.document();
}

/** Headers without what they tell of a machine or a moment; the text is in UTF-8 now. */
function maskedHeaders(headers: RecordedCall['headers']): RecordedCall['headers'] {
  const harmless = Object.entries(headers).filter(([name, text]) =>
    name === 'retry-after' ? /^\d+$/.test(text) : /^(?:content-type|soapaction)$/.test(name),
  );
  return Object.fromEntries(
    harmless.map(([name, text]) => [name, text.replace(/charset\s*=\s*[^;,\s]+/i, 'charset=utf-8')]),
  );
}

interface Copy {
  readonly from: string;
  readonly to: string;
  readonly invented: Invented;
}

function maskCall({ from, to, invented }: Copy, call: RecordedCall): string | undefined {
  const { number, operation, at, namespace, headers, answer, filled } = call;
  if (answer === undefined) return 'has no answer';
  if (!answer.complete) return 'has a truncated answer';
  const names = fileNames(number);
  const charset = /charset\s*=\s*["']?([\w.:-]+)/i.exec(answer.headers['content-type'] ?? '')?.[1];
  let texts: { readonly request: string; readonly answer: string };
  try {
    texts = {
      request: maskedDocument(piecesOf(join(from, names.request)), invented),
      answer: maskedDocument(piecesOf(join(from, names.answer)), invented, charset),
    };
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    if (error.kind !== 'bad-answer') throw error;
    return 'is not well-formed XML';
  }
  for (const part of ['request', 'answer'] as const) {
    const file = join(to, names[part]);
    attempt(file, () => writeFileSync(file, texts[part], { flag: 'wx', mode: 0o600 }));
  }
  const bytes = Buffer.byteLength(texts.answer);
  const { status, masked, complete } = answer;
  const line: RecordedCall = {
    number,
    operation,
    at: invented.textFor(at),
    url: 'https://service.invalid/V1/service.asmx',
    namespace,
    headers: maskedHeaders(headers),
    ...defined({ filled }),
    answer: { status, headers: maskedHeaders(answer.headers), bytes, masked, complete },
  };
  addTo(join(to, indexName), `${JSON.stringify(line)}\n`);
  return undefined;
}

/**
 * Copies a recording with invented names, numbers, times, Ids and texts in the place of all that it has: the same for the same
 * everywhere. What cannot be parsed is left out, never copied. Throws `usage` for a folder without a recording and for a place
 * that is taken, and `local`.
 * @param key random bytes
 */
export function maskRecording(
  from: string,
  to: string,
  key: Uint8Array,
): { calls: number; leftOut: readonly OmittedCall[] } {
  const calls = indexOf(from);
  if (existsSync(to))
    throw usage('COPY', `${to} already exists`, { advice: 'Choose a folder that does not exist.', hint: null });
  attempt(to, () => {
    makeFolders(to);
    closeSync(openSync(join(to, indexName), 'wx', 0o600));
  });
  const copy = { from, to, invented: new Invented(key) };
  const omitted = calls.flatMap((call): readonly OmittedCall[] => {
    const why = maskCall(copy, call);
    return why === undefined ? [] : [{ number: call.number, operation: call.operation, why }];
  });
  return { calls: calls.length, leftOut: omitted };
}
