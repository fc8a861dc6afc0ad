import type { Code } from '../../core/errors/codes.js';
import { type RecordValue, defined } from '../../core/values/value.js';
import type { Operation } from '../../contract/build.js';
import { isBare } from '../../contract/walk.js';
import { badAnswer, RelctlError } from '../../core/errors/relctl-error.js';
import { shellWord, forMessage } from '../../core/text/text.js';
import type { XmlEvents, XmlName } from '../../xml/events.js';
import { XmlReader } from '../../xml/reader.js';
import type { ContentSink, DecoderOptions } from '../codec/leaf.js';
import { EnvelopeReader } from './envelope.js';
import {
  checkErrorInformation,
  checkSucceeded,
  faultError,
  messageOf,
  withoutSecrets,
  type AnswerFacts,
} from './failure.js';
import type { HttpResponse } from '../transport/http.js';
import { createMask, type Mask } from '../../core/secrets/mask.js';
import { isNoCoding } from '../transport/http.js';
import { notSoap, retryAfterSeconds } from './not-soap.js';
import { createNoteCollector, type NoteCollector, type Note } from '../codec/notes.js';
import { RawReader } from './raw.js';
import { ResultReader } from './result-reader.js';
import { assumedVersion, versionOf, type SoapActionForm, type SoapVersion } from './version.js';

/** A decoded answer of the service that is neither a fault nor a refusal. */
export interface Answer {
  /** Own members of the result, unknown ones last. */
  readonly result: RecordValue;
  /** `Result` and `Data`, if the answer has them. */
  readonly envelope?: RecordValue;
  readonly notes: readonly Note[];
  readonly version: SoapVersion;
}

/** Bytes of an answer that are kept, to say what instead of SOAP. */
const headLength = 4096;

class Head {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  add(chunk: Uint8Array): void {
    const head = chunk.subarray(0, headLength - this.#length);
    if (head.length > 0) this.#chunks.push(head.slice());
    this.#length += head.length;
  }

  /** As text, without half a character at its end. */
  text(): string {
    return new TextDecoder().decode(Buffer.concat(this.#chunks), { stream: true });
  }
}

/** A text whose end may be missing, without secrets and without what may be the beginning of one. */
const maskedHead = (text: string, mask: Mask): string => mask(`${text}…`).slice(0, -1);

interface BodyReaders {
  result?: ResultReader;
  fault?: RawReader;
}

function wrongElement(name: XmlName, expected: Omit<XmlName, 'prefix'>, mask: Mask): RelctlError {
  const rootName = `<${forMessage(mask(name.local))}> in namespace '${forMessage(mask(name.namespace), 80)}'`;
  return new RelctlError(
    'bad-answer',
    `expected <${expected.local}> in namespace '${expected.namespace}', not ${rootName}`,
    {
      facts: { code: 'wrong-element' },
      // No profile can have an empty namespace.
      ...(name.local === expected.local && name.namespace !== ''
        ? { hint: `relctl profile edit NAME --namespace ${shellWord(forMessage(mask(name.namespace), 200))}` }
        : {}),
    },
  );
}

function bodyReader(
  operation: Operation,
  readers: BodyReaders,
  { mask, ...options }: DecoderOptions & { readonly mask: Mask },
): EnvelopeReader {
  const { namespace } = options;
  return new EnvelopeReader({
    begin(name, _version, attributes): XmlEvents {
      if (name.local === 'Fault' && versionOf(name.namespace) !== undefined) {
        readers.fault = new RawReader(name);
        return readers.fault;
      }
      const expected = operation.wire?.response ?? { local: `${operation.name}Response`, namespace };
      if (name.local !== expected.local || name.namespace !== expected.namespace)
        throw wrongElement(name, expected, mask);
      readers.result = new ResultReader(operation, options);
      readers.result.begin(name, attributes);
      return readers.result;
    },
  });
}

const charsetForm = /;\s*charset\s*=\s*["']?([^\s;,"']+)/i;

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

/** What is no encoding will be told of: it is masked before it is found, which could be half a secret. */
function charsetOf({ headers }: HttpResponse, mask: Mask): string | undefined {
  const type = headers['content-type'] ?? '';
  const charset = charsetForm.exec(type)?.[1];
  return charset === undefined || isEncoding(charset) ? charset : charsetForm.exec(mask(type))?.[1];
}

/** Codes of errors below XML that say more than the title of a page. */
const transportBreaches: ReadonlySet<Code | undefined> = new Set(['truncated', 'encoding', 'limit', 'answer-limit']);

/** Codes of the XML reader that only XML can cause. */
const readerBreaches: ReadonlySet<Code | undefined> = new Set(['xml-truncated', 'xml-encoding', 'xml-limit']);

/** True when the answer is meant as XML: then the error of the reader says most. */
function isOurComplaint(
  error: RelctlError,
  answer: { head: string; status: number; version?: SoapVersion | undefined },
): boolean {
  if (error.kind !== 'bad-answer' || answer.version !== undefined) return true;
  if (answer.status >= 300) return false;
  const { code } = error.facts;
  if (transportBreaches.has(code)) return true;
  return /^(?:\ufeff)?\s*<\?xml/.test(answer.head) || (readerBreaches.has(code) && answer.head.trim() !== '');
}

/** A `bad-answer` with the HTTP status. Other kinds stay without it, because retry.ts would decide by it. */
function withStatus(error: RelctlError, status: number): RelctlError {
  return error.kind === 'bad-answer' ? error.with({ httpStatus: status }) : error;
}

const tooLong = (bytes: number): RelctlError =>
  badAnswer('answer-limit', `the answer has more than ${bytes / 1024 / 1024} MiB, too many for memory`).but({
    advice: '`relctl call OPERATION --list MEMBER` reads a list of any length row by row.',
  });

const nothing = new Uint8Array();
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;
const blanks: ReadonlySet<number> = new Set([0x20, 0x0a, 0x0d, 0x09]);

/** Bytes of a byte order mark that a text begins with; undefined where they may be its first bytes, and more is to come. */
function markOf(bytes: Uint8Array): number | undefined {
  const isLike = byteOrderMark.every((byte, at) => at >= bytes.length || bytes[at] === byte);
  if (!isLike) return 0;
  return bytes.length < byteOrderMark.length ? undefined : byteOrderMark.length;
}

function endOfBlanks(bytes: Uint8Array, from: number): number {
  const index = bytes.findIndex((byte, at) => at >= from && !blanks.has(byte));
  return index === -1 ? bytes.length : index;
}

/** Takes away white space at the beginning, also behind a byte order mark: it must not stand before an XML declaration. */
function withoutBlanks(notes: NoteCollector): (chunk: Uint8Array) => Uint8Array {
  /** A byte order mark, or the beginning of one, which waits for what follows; undefined behind the beginning. */
  let held: Uint8Array | undefined = nothing;
  let isBlank = false;
  return (chunk) => {
    if (held === undefined) return chunk;
    const all: Uint8Array = Buffer.concat([held, chunk]);
    const mark = markOf(all);
    const at = mark === undefined ? all.length : endOfBlanks(all, mark);
    isBlank ||= mark !== undefined && at > mark;
    held = at < all.length ? undefined : all.subarray(0, mark);
    if (held !== undefined) return nothing;
    if (isBlank) notes.add('leading-space', 'HTTP');
    return at === mark ? all : Buffer.concat([all.subarray(0, mark), all.subarray(at)]);
  };
}

const longBytes = 2 * 1024 * 1024;

async function readBody(
  response: HttpResponse,
  reader: XmlReader,
  {
    envelope,
    sink,
    mask,
    mostBytes,
    onLong,
    notes,
  }: Pick<Expected, 'sink' | 'mostBytes' | 'onLong'> & { envelope: EnvelopeReader; mask: Mask; notes: NoteCollector },
): Promise<void> {
  const { status, headers } = response;
  const first = new Head();
  let bytes = 0;
  const fromBeginning = withoutBlanks(notes);
  try {
    for await (const chunk of response.body) {
      bytes += chunk.length;
      if (mostBytes !== undefined && bytes > mostBytes) throw tooLong(mostBytes);
      if (bytes > longBytes) onLong?.();
      first.add(chunk);
      reader.write(fromBeginning(chunk));
      if (sink !== undefined) await sink.ready();
    }
    reader.end();
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    const head = first.text();
    if (isOurComplaint(error, { head, status, version: envelope.version })) throw withStatus(error, status);
    // Masked before a message cuts it: the mask would not find half a secret.
    const masked = Object.entries(headers).map(([name, text]) => [name, mask(text)] as const);
    throw notSoap({ status, headers: Object.fromEntries(masked), head: maskedHead(head, mask) });
  }
}

const soapType = /^\s*(?:text\/xml|application\/soap\+xml)\s*(?:;|$)/i;

function noteContent(
  { headers }: HttpResponse,
  { differingEncodings }: XmlReader,
  { notes, mask }: { readonly notes: NoteCollector; readonly mask: Mask },
): void {
  if (differingEncodings !== undefined) notes.add('differing-encodings', 'HTTP', mask(differingEncodings));
  const type = headers['content-type'] ?? '';
  // Masked while it is whole, in the case that it came in.
  const coding = headers['content-encoding'] ?? '';
  if (isNoCoding(coding)) notes.add('content-encoding', 'HTTP', forMessage(mask(coding)));
  if (!soapType.test(type)) notes.add('content-type', 'HTTP', forMessage(mask(type).split(';')[0]?.trim() ?? ''));
}

function answerOf(
  members: RecordValue,
  {
    notes,
    version,
    isBare,
  }: { readonly notes: NoteCollector; readonly version: SoapVersion; readonly isBare: boolean },
): Answer {
  // In the answer of another kind of service they are members like all others.
  if (isBare) return { result: members, notes: notes.all(), version };
  const { Result, Data, ...result } = members;
  const outer = defined({ Result, Data });
  const envelope = Object.keys(outer).length === 0 ? {} : { envelope: outer };
  return { result, ...envelope, notes: notes.all(), version };
}

/** What a reader of answers expects. */
export interface Expected {
  readonly namespace: string;
  /** Texts that no error may show: a service may quote the request in its errors. */
  readonly secrets?: readonly string[];
  /** Takes the text of one member, which the result then does not hold. */
  readonly sink?: ContentSink;
  /** Bytes of an answer that is kept as a whole until it is printed. */
  readonly mostBytes?: number | undefined;
  /** Called, perhaps often, for an answer that takes more memory than most. */
  readonly onLong?: (() => void) | undefined;
  /** What becomes of the records of one list. */
  readonly rows?: DecoderOptions['rows'];
  /** Codes of this service that say that the credentials are refused, besides the usual ones. */
  readonly credentialCodes?: readonly string[];
  /** The form in which the header SOAPAction named the operation. */
  readonly soapAction?: SoapActionForm;
}

/**
 * Reads the answer to a call. Its content decides whether it is SOAP, not its status or Content-Type. Throws `refused` for
 * faults of either version, Succeeded=false and ErrorInformation (with the data of the answer), `not-found` and `profile`
 * when their code says so, `no-answer` and `bad-answer` for everything else that is not the expected result.
 */
export async function readResponse(operation: Operation, response: HttpResponse, expected: Expected): Promise<Answer> {
  try {
    return await read(operation, response, expected);
  } catch (thrown) {
    throw withoutSecrets(RelctlError.from(thrown), expected.secrets ?? []);
  }
}

function checkOutcome(
  { envelope, result }: Answer,
  answerFacts: AnswerFacts,
  { source, notes }: Pick<Operation, 'source'> & { readonly notes: NoteCollector },
): void {
  const outcome = envelope?.['Result'];
  checkSucceeded(outcome, result, answerFacts);
  checkErrorInformation(result, answerFacts, source !== 'imported');
  const message = messageOf(outcome);
  if (message !== undefined) notes.add('message', 'Result', answerFacts.mask(message));
}

/** The error for a fault by which a gateway says that a read may be repeated later: as for the same status without SOAP. */
function forNow(error: RelctlError, { access }: Operation, { status, headers }: HttpResponse): RelctlError {
  const wait = retryAfterSeconds(headers);
  const isForNow = (status === 429 || status === 503) && wait !== undefined;
  if (!isForNow || access !== 'read' || error.kind !== 'refused') return error;
  const { message, facts } = error;
  return error.but({
    kind: 'no-answer',
    message: `HTTP ${status}: ${message}`,
    facts: { ...facts, httpStatus: status, code: `http-${status}`, retryAfterSeconds: wait },
    advice: `The service is busy. Try again in ${wait} s, with smaller requests.`,
  });
}

async function read(operation: Operation, response: HttpResponse, expected: Expected): Promise<Answer> {
  const notes = createNoteCollector();
  const bodyReaders: BodyReaders = {};
  const { sink, rows, mostBytes, onLong, secrets = [], credentialCodes = [], soapAction } = expected;
  const namespace = operation.wire?.namespace ?? expected.namespace;
  // Most answers need none.
  const mask: Mask = (text) => createMask(secrets)(text);
  const namespaceOf = (prefix: string): string | undefined => reader.namespaceOf(prefix);
  const envelope = bodyReader(operation, bodyReaders, {
    namespace,
    notes,
    mask,
    namespaceOf,
    rows,
    ...defined({ sink }),
  });
  const charset = charsetOf(response, mask);
  const reader = new XmlReader(envelope, defined({ charset }));
  sink?.restart();
  await readBody(response, reader, { envelope, mask, notes, mostBytes, onLong, ...defined({ sink }) });
  const { status } = response;
  const facts = {
    status,
    mask,
    credentialCodes,
    called: { operation: operation.name, namespace, described: operation.wire?.soapAction, form: soapAction },
    rows,
  };
  if (bodyReaders.fault !== undefined) throw forNow(faultError(bodyReaders.fault.root, facts), operation, response);
  if (bodyReaders.result === undefined) {
    throw badAnswer('envelope', 'the Body of the envelope is empty', { httpStatus: status });
  }
  const answer = answerOf(bodyReaders.result.result(), {
    notes,
    version: envelope.version ?? assumedVersion,
    isBare: isBare(operation),
  });
  checkOutcome(answer, facts, { source: operation.source, notes });
  noteContent(response, reader, { notes, mask });
  return { ...answer, notes: notes.all() };
}
