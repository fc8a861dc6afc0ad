import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { unreadableInput } from '../../state/own-file.js';
import { boundedLines } from '../../state/input-file.js';
import { jsonOf, isObject } from '../../core/values/value.js';
import { fileNames, indexName, type RecordedAnswer, type RecordedCall } from './write.js';
import { createHash, type Hash } from 'node:crypto';
import { EnvelopeReader } from '../../soap/wire/envelope.js';
import { assumedVersion, type SoapVersion } from '../../soap/wire/version.js';
import type { XmlAttribute, XmlEvents, XmlName } from '../../xml/events.js';
import { XmlReader } from '../../xml/reader.js';

/** An answer that was recorded, and can be given again. */
export interface LoadedAnswer extends RecordedAnswer {
  readonly number: number;
  /** The bytes, in pieces. Throws `usage` for a file that is not what the index says. */
  open(): Iterable<Uint8Array>;
}

/** A recording, to be served. */
export interface Recording {
  readonly namespace: string;
  /** Answers of calls of one key, in the order in which the calls were made. */
  readonly answers: ReadonlyMap<string, readonly LoadedAnswer[]>;
  /** The same by keys without the parameters that the command made by the clock, for each set of these. */
  readonly onAnotherDay: readonly {
    readonly filled: readonly string[];
    readonly answers: ReadonlyMap<string, readonly LoadedAnswer[]>;
  }[];
  /** How many calls of each operation were recorded, with an answer or without. */
  readonly calls: ReadonlyMap<string, number>;
}

const most = { lineBytes: 64 * 1024, calls: 100_000 };
const pieceBytes = 64 * 1024;

/** The bytes of a plain file of a recording, in pieces; a link is refused. Throws `usage` and `local`. */
export function* piecesOf(file: string): Generator<Uint8Array> {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (thrown) {
    throw unreadableInput(file, thrown);
  }
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw usage(file, `${file} does not match the index of the recording`);
    for (let at = 0; at < stats.size;) {
      const piece = Buffer.allocUnsafe(Math.min(pieceBytes, stats.size - at));
      const read = readSync(handle, piece, 0, piece.length, at);
      if (read === 0) return;
      at += read;
      yield piece.subarray(0, read);
    }
  } finally {
    closeSync(handle);
  }
}

const isHeaders = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((text) => typeof text === 'string' && !/[\r\n]/.test(text));

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function isAnswer(value: unknown): value is RecordedAnswer {
  if (!isObject(value)) return false;
  const { status, headers, bytes, complete } = value;
  return (
    isWhole(status) &&
    status >= 200 &&
    status < 600 &&
    isHeaders(headers) &&
    isWhole(bytes) &&
    typeof complete === 'boolean'
  );
}

function isCall(value: unknown): value is RecordedCall {
  if (!isObject(value)) return false;
  const { number, operation, namespace, answer, filled = [] } = value;
  const isNamed = typeof operation === 'string' && typeof namespace === 'string';
  const isFilled = Array.isArray(filled) && filled.every((name) => typeof name === 'string');
  return isWhole(number) && isNamed && isFilled && (answer === undefined || isAnswer(answer));
}

/** The calls that the index of a recording tells of, in their order. Throws `usage` and `local`. */
export function indexOf(folder: string): readonly RecordedCall[] {
  const file = join(folder, indexName);
  const calls: RecordedCall[] = [];
  for (const line of boundedLines(file, most.lineBytes)) {
    const call = jsonOf(line);
    if (!isCall(call)) throw usage(file, `line ${calls.length + 1} of ${file} is not a recorded call`);
    calls.push(call);
    if (calls.length > most.calls) throw usage(file, `${file} has more than ${most.calls} calls`);
  }
  if (calls.length === 0) throw usage(file, `${folder} has no recorded call`);
  // They are told when they end, and several may be made at a time.
  return calls.toSorted((left, right) => left.number - right.number);
}

function keyOf(file: string): CallKey {
  try {
    return callKey(piecesOf(file));
  } catch (thrown) {
    const { kind, message } = RelctlError.from(thrown);
    throw kind === 'bad-answer' ? usage(file, `${file} is not a request: ${message}`) : thrown;
  }
}

type Answers = Map<string, LoadedAnswer[]>;

const add = (answers: Answers, key: string, loadedAnswer: LoadedAnswer): void =>
  void answers.set(key, [...(answers.get(key) ?? []), loadedAnswer]);

function loadAnswer(folder: string, number: number, answer: RecordedAnswer): LoadedAnswer {
  const file = join(folder, fileNames(number).answer);
  // Who edited the file changed its length, which is that of the answer now.
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? answer.bytes;
  return { ...answer, bytes, number, open: () => piecesOf(file) };
}

/** Reads a recording. Throws `usage` for a folder that holds none, or a damaged one, and `local`. */
export function readRecording(folder: string): Recording {
  const all = indexOf(folder);
  const answers: Answers = new Map();
  const loose = new Map<string, { readonly filled: readonly string[]; readonly answers: Answers }>();
  const calls = new Map<string, number>();
  for (const { number, operation, answer, filled = [] } of all) {
    calls.set(operation, (calls.get(operation) ?? 0) + 1);
    if (answer === undefined) continue;
    const key = keyOf(join(folder, fileNames(number).request));
    const loaded = loadAnswer(folder, number, answer);
    add(answers, key.key, loaded);
    if (filled.length === 0) continue;
    const set = loose.get(filled.join(' ')) ?? { filled, answers: new Map() };
    loose.set(filled.join(' '), set);
    add(set.answers, key.without(filled), loaded);
  }
  return { namespace: all[0]?.namespace ?? '', answers, onAnotherDay: [...loose.values()], calls };
}

/** What a request asks for. */
export interface CallKey {
  readonly operation: string;
  readonly version: SoapVersion;
  /** The same for requests of one operation with the same parameters. */
  readonly key: string;
  readonly without: (parameters: readonly string[]) => string;
}

const credentialsName = 'credentials';

const nameText = ({ namespace, local }: Pick<XmlName, 'namespace' | 'local'>): string => `{${namespace}}${local}`;

/**
 * Hashes the parameters of a request, without the credentials: elements by namespace and name, attributes in the order of their
 * names, and text. Prefixes, declarations and white space between elements do not count; nothing is held but white space.
 */
class ParametersHash implements XmlEvents {
  readonly parameters: (readonly [name: string, hash: string])[] = [];
  #hash: Hash = createHash('sha256');
  /** White space that counts only if no element follows or came before. */
  #blank = '';
  /** Of each element that is open whether it has children. */
  readonly #hasChildren: boolean[] = [];
  #name = '';
  /** How many elements are open in the credentials, themselves included. */
  #secret = 0;

  open(name: XmlName, attributes: readonly XmlAttribute[]): void {
    const depth = this.#hasChildren.length;
    if (this.#secret > 0 || (depth === 0 && name.local === credentialsName)) {
      this.#secret += 1;
      return;
    }
    this.#blank = '';
    if (depth > 0) this.#hasChildren[depth - 1] = true;
    else this.#name = name.local;
    this.#hasChildren.push(false);
    const written = attributes.map((each) => `${nameText(each.name)}=${JSON.stringify(each.value)}`).toSorted();
    this.#hash.update(`\u0000<${nameText(name)} ${written.join(' ')}\u0000`);
  }

  text(text: string): void {
    if (this.#hasChildren.length === 0) return;
    if (/^[ \t\r\n]*$/.test(text)) this.#blank += text;
    else {
      this.#hash.update(this.#blank + text);
      this.#blank = '';
    }
  }

  close(): void {
    if (this.#secret > 0) {
      this.#secret -= 1;
      return;
    }
    if (this.#hasChildren.pop() === false) this.#hash.update(this.#blank);
    this.#blank = '';
    this.#hash.update('\u0000>\u0000');
    if (this.#hasChildren.length > 0) return;
    this.parameters.push([this.#name, this.#hash.digest('hex')]);
    this.#hash = createHash('sha256');
  }
}

/**
 * What a request asks for, by its operation and its parameters; whose credentials it has does not count. Throws `bad-answer`
 * for what is no SOAP.
 */
export function callKey(pieces: Iterable<Uint8Array>): CallKey {
  const parameters = new ParametersHash();
  let [operation, named] = ['', ''];
  const envelope = new EnvelopeReader({
    begin(name) {
      operation = name.local;
      named = nameText(name);
      return parameters;
    },
  });
  const reader = new XmlReader(envelope);
  for (const piece of pieces) reader.write(piece);
  reader.end();
  const without = (omitted: readonly string[]): string => {
    const hashes = parameters.parameters.filter(([name]) => !omitted.includes(name)).map(([, hash]) => hash);
    return `${operation} ${createHash('sha256')
      .update([named, ...hashes].join(' '))
      .digest('hex')}`;
  };
  return { operation, version: envelope.version ?? assumedVersion, key: without([]), without };
}
