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
import { escapeAttribute, escapeText, xmlDeclaration } from '../../xml/writer.js';
import { fileNames, indexName, type RecordedCall } from './write.js';
import { Invented } from './invented.js';
import { indexOf, piecesOf } from './read.js';

/** A call of a recording that its masked copy does not have. */
export interface OmittedCall {
  readonly number: number;
  readonly operation: string;
  /** A clause that follows the call. */
  readonly why: string;
}

/** What decides the form of a call, and tells nothing of anybody: such elements stay as they are. */
const formal = /^(?:\w*\/(?:page(?:Number|Size)|Succeeded|faultcode)|Result\/(?:Number|Code)|(?:Code|Subcode)\/Value)$/;

/** A code or a small number: another service may have a name or a telephone number in an element of such a name. */
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
    (found) => `&#x${found.charCodeAt(0).toString(16)};`,
  );

/** Writes a document anew as it is read, with invented texts; comments and instructions are left out. */
class MaskedWriter implements XmlEvents {
  readonly #invented: Invented;
  readonly #namespaceOf: (prefix: string) => string | undefined;
  readonly #out: string[] = [xmlDeclaration];
  /** The elements that are open: their names, and the prefixes that stand for a namespace within each. */
  readonly #open: { readonly tag: string; readonly local: string; readonly scope: ReadonlyMap<string, string> }[] = [];
  #text = '';

  constructor(invented: Invented, namespaceOf: (prefix: string) => string | undefined) {
    this.#invented = invented;
    this.#namespaceOf = namespaceOf;
  }

  open(name: XmlName, attributes: readonly XmlAttribute[]): void {
    this.#flush();
    const scope = new Map(this.#open.at(-1)?.scope ?? [['', '']]);
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
    this.#open.push({ tag: tagOf(name), local: name.local, scope });
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
    const { local = '' } = this.#open.at(-1) ?? {};
    const { local: parent = '' } = this.#open.at(-2) ?? {};
    const text = this.#text.trim();
    return vocabulary.has(text) || (formal.test(`${parent}/${local}`) && formalText.test(text));
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
  const kept = Object.entries(headers).filter(([name]) => /^(?:content-type|soapaction|retry-after)$/.test(name));
  return Object.fromEntries(
    kept.map(([name, text]) => [name, text.replace(/charset\s*=\s*[^;,\s]+/i, 'charset=utf-8')]),
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
  if (!answer.complete) return 'has an answer that was cut off';
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
    return 'is no XML that can be parsed';
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
    throw usage('COPY', `${to} exists already`, { advice: 'Name a folder that does not.', hint: null });
  attempt(to, () => {
    makeFolders(to);
    closeSync(openSync(join(to, indexName), 'wx', 0o600));
  });
  const copy = { from, to, invented: new Invented(key) };
  const leftOut = calls.flatMap((call): readonly OmittedCall[] => {
    const why = maskCall(copy, call);
    return why === undefined ? [] : [{ number: call.number, operation: call.operation, why }];
  });
  return { calls: calls.length, leftOut };
}
