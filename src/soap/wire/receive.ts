import { isRecord, type RecordValue, defined } from '../../core/values/value.js';
import type { Operation } from '../../contract/build.js';
import { findOperation } from '../../contract/service.js';
import { requestFields } from '../../contract/walk.js';
import { badAnswer, RelctlError } from '../../core/errors/relctl-error.js';
import { forMessage } from '../../core/text/text.js';
import type { XmlAttribute, XmlEvents, XmlName } from '../../xml/events.js';
import { XmlReader } from '../../xml/reader.js';
import { nodeOfFields } from '../codec/decode-plan.js';
import { Decoder } from '../codec/decode.js';
import { ExactAttributes } from '../values/exact-attributes.js';
import { EnvelopeReader } from './envelope.js';
import { type HttpRequest, isStreamed, piecesOf } from '../transport/http.js';
import { createNoteCollector, type NoteCollector, type Note } from '../codec/notes.js';
import { RawReader } from './raw.js';
import { assumedVersion, soapVersions, versionOf, versions, type SoapVersion } from './version.js';
import { Base64Check } from '../../core/text/base64.js';
import type { TextSink } from '../codec/leaf.js';

/** The parameter that holds the content of a file; no other operation has one of that name. */
const member = 'base64EncodedFile';

/** Characters of it that are held in memory. */
export const heldCharacters = 64 * 1024;

/** The content of a file in a request, too long to be held: its text was kept elsewhere while it was read. */
export interface ReceivedContent {
  /** Name of the parameter; the input has words in its place. */
  readonly member: string;
  /** In characters. */
  readonly length: number;
  /** Its first characters. */
  readonly head: string;
  readonly isBase64: boolean;
}

/** Keeps the text of a content that is too long to be held, in pieces of any length. What it throws ends the reading. */
type KeepContent = (piece: string) => void;

/** Holds the content of a file while it is short; measures, checks and passes it on when it is not. */
class MeasuredContent implements TextSink {
  readonly path = member;
  #head = '';
  #length = 0;
  readonly #check = new Base64Check();
  readonly #keep: KeepContent;

  constructor(keep: KeepContent) {
    this.#keep = keep;
  }

  begin(): void {
    // A second element of this name is refused before it begins.
  }

  text(piece: string): void {
    const wasHeld = this.#isHeld;
    this.#length += piece.length;
    this.#check.write(piece);
    if (wasHeld) this.#head += piece;
    if (!this.#isHeld) this.#keep(wasHeld ? this.#head : piece);
  }

  end(): string {
    return this.#isHeld ? this.#head : `[${this.#length} characters]`;
  }

  get received(): ReceivedContent | undefined {
    if (this.#isHeld) return undefined;
    return { member, length: this.#length, head: this.#head, isBase64: this.#check.isWhole() };
  }

  /** Characters that were passed on so far. */
  get passedLength(): number {
    return this.#isHeld ? 0 : this.#length;
  }

  get #isHeld(): boolean {
    return this.#length <= heldCharacters;
  }
}

/** A request as the service receives it. */
export interface ReceivedRequest {
  readonly version: SoapVersion;
  readonly operationName: string;
  /** The operation of the contract; absent for an unknown name (the input is empty then). */
  readonly operation?: Operation;
  /** Undefined when the element is absent. */
  readonly credentials: RecordValue | undefined;
  readonly input: RecordValue;
  /** The content of a file that is not in the input, because it is too long. */
  readonly content?: ReceivedContent;
}

function clientFault(message: string, code = 'Client'): RelctlError {
  return new RelctlError('refused', message, { facts: { foreignCode: code } });
}

const noteWords: Readonly<Partial<Record<Note['kind'], string>>> = {
  'missing-field': 'is required',
  'unknown-field': 'is not known',
  'bad-value': 'has a value that does not match its type',
  'unexpected-elements': 'has a value that does not match its type',
  'stray-text': 'has text beside its members',
  'other-item': 'is not known',
  'out-of-order': 'is after members that follow it in the contract',
};

/** Throws `bad-answer` for a reference to a character that no document has: such services take that for no XML. */
function refuseCharacters(notes: readonly Note[]): void {
  const note = notes.find(({ kind }) => kind === 'control-character');
  if (note === undefined) return;
  throw badAnswer('xml-character', `${note.path} has a reference to a character that XML 1.0 does not allow.`);
}

const ownRoles: ReadonlySet<string> = new Set(versions.flatMap((version) => soapVersions[version].ownRoles));

/** Throws `refused` for an entry of a Header that whoever receives the request must understand (SOAP 1.1, 4.2.3; 1.2, 2.4). */
function refuseEntry({ local }: XmlName, attributes: readonly XmlAttribute[]): void {
  const valueOf = (...names: readonly string[]): string | undefined =>
    attributes.find(({ name }) => names.includes(name.local) && versionOf(name.namespace) !== undefined)?.value.trim();
  const role = valueOf('actor', 'role') ?? '';
  const isOurs = role === '' || ownRoles.has(role);
  if (isOurs && ['1', 'true'].includes(valueOf('mustUnderstand') ?? ''))
    throw clientFault(`The mandatory header ${forMessage(local, 80)} is not known.`, 'MustUnderstand');
}

const isOfCredentials = (path: string): boolean => path === 'credentials' || path.startsWith('credentials.');

/** Throws `refused` for the first thing in a request that a strict service does not accept. */
function refuseOddities(notes: readonly Note[]): void {
  for (const { kind, path, value } of notes) {
    const words = noteWords[kind];
    if (words === undefined) continue;
    // The path of the operation itself is empty.
    const subject = path === '' ? 'The request' : path;
    const quoted = value === undefined || isOfCredentials(path) ? '' : `: '${value}'`;
    throw clientFault(`${subject} ${words}${quoted}.`);
  }
}

function operationAt(name: XmlName, { namespace, find = findOperation }: Service): Operation | undefined {
  if (versionOf(name.namespace) === undefined && name.namespace !== namespace) {
    throw clientFault(
      `The element ${forMessage(name.local)} is in the namespace '${forMessage(name.namespace, 80)}'; the service's is '${namespace}'.`,
      'Client.ProcedureNotPresent',
    );
  }
  return find(name.local);
}

interface Seen {
  name?: XmlName;
  operation?: Operation;
  decoder?: Decoder;
}

function received(seen: Seen, version: SoapVersion, notes: NoteCollector): ReceivedRequest {
  const { name, operation, decoder } = seen;
  if (name === undefined) throw clientFault('The Body of the envelope is empty.');
  if (operation === undefined || decoder === undefined) {
    return { version, operationName: name.local, credentials: undefined, input: {} };
  }
  // The decoder notes missing members when the element closes.
  decoder.close();
  refuseCharacters(notes.all());
  refuseOddities(notes.all());
  const value = isRecord(decoder.value) ? decoder.value : {};
  const { credentials, ...input } = value;
  return {
    version,
    operationName: name.local,
    operation,
    credentials: isRecord(credentials) ? credentials : undefined,
    input,
  };
}

interface Service {
  readonly namespace: string;
  /** Finds an operation; where it is left out, one of the contract. */
  readonly find?: (name: string) => Operation | undefined;
  /** Where a long content of a body goes that is not in memory; where it is left out, it is in the input. */
  readonly keep?: KeepContent;
}

/** Bytes of a request besides the content of a file; what is read of them takes up to five times as much memory. */
const mostBytes = 32 * 1024 * 1024;

function readBody(pieces: Iterable<Uint8Array>, service: Service, sink?: MeasuredContent): ReceivedRequest {
  const notes = createNoteCollector();
  const seen: Seen = {};
  const envelope = new EnvelopeReader({
    begin(name, _version, attributes): XmlEvents {
      seen.name = name;
      const operation = operationAt(name, service);
      if (operation === undefined) return new RawReader(name);
      const { namespace } = service;
      const namespaceOf = (prefix: string): string | undefined => reader.namespaceOf(prefix);
      const fields = requestFields(operation);
      const decoder = new Decoder(nodeOfFields(fields), { namespace, notes, namespaceOf, ...defined({ sink }) });
      const exact = new ExactAttributes(decoder, { fields, namespace, namespaceOf });
      exact.open(name, attributes);
      Object.assign(seen, { operation, decoder });
      return exact;
    },
    secondHeader(): void {
      throw clientFault('An envelope has one Header, and this one has two.');
    },
    entry: refuseEntry,
    instruction(target): void {
      throw clientFault(
        `A SOAP message cannot have processing instructions, and this one has <?${forMessage(target, 80)}?>`,
      );
    },
  });
  const reader = new XmlReader(envelope);
  let bytes = 0;
  for (const piece of pieces) {
    bytes += piece.length;
    // Content is base64, a byte each character, and what is held of it counts as well.
    if (bytes - (sink?.passedLength ?? 0) > mostBytes)
      throw clientFault(`A request has at most ${mostBytes} bytes besides the content of a file.`);
    reader.write(piece);
  }
  reader.end();
  return received(seen, envelope.version ?? assumedVersion, notes);
}

/**
 * Reads a request as a strict service does: schema, order of members, forms of values, no processing instructions. Throws
 * `refused` with code `Client` for what such a service does not accept, and `bad-answer` for what is not XML or not SOAP.
 * A long content of a body that is not in memory is kept elsewhere.
 */
export function readRequest({ body }: Pick<HttpRequest, 'body'>, service: Service): ReceivedRequest {
  const { keep } = service;
  if (!isStreamed(body) || keep === undefined) return readBody(piecesOf(body), service);
  const measured = new MeasuredContent(keep);
  const received = readBody(body.open(), service, measured);
  return { ...received, ...defined({ content: measured.received }) };
}
