import { opt, record, type Fields, type Operation } from '../contract/build.js';
import { fullResult } from '../contract/walk.js';
import { RelctlError } from '../errors/relctl-error.js';
import { visible } from '../lexical/text.js';
import type { XmlEvents, XmlName } from '../xml/events.js';
import { createXmlReader } from '../xml/reader.js';
import { Decoder } from './decode.js';
import { EnvelopeReader, RawReader } from './envelope.js';
import { readFault } from './fault.js';
import type { HttpResponse } from './http.js';
import { createNotebook, type Notebook } from './notes.js';
import { notSoap } from './not-soap.js';
import type { Note, RecordValue, Value } from './values.js';
import { versionOf, type SoapVersion } from './version.js';

/** A decoded answer of the service that is neither a fault nor a refusal. */
export interface Answer {
  /** Own members of the result, unknown ones last. */
  readonly result: RecordValue;
  /** `Result` and `Data`, as far as the answer has them. */
  readonly envelope?: RecordValue;
  readonly notes: readonly Note[];
  readonly version: SoapVersion;
}

/** Characters of an answer that are kept to say what came instead of SOAP. */
const headLength = 4096;

const responseFields = new WeakMap<Operation, Fields>();

/** The response element as a record with one member, the result (interface document, "What the service does", rule 2). */
function fieldsOf(operation: Operation): Fields {
  const known = responseFields.get(operation);
  if (known !== undefined) return known;
  const result = record(`${operation.name}Result`, operation.doc, fullResult(operation));
  const made = { [`${operation.name}Result`]: opt(result, operation.doc) };
  responseFields.set(operation, made);
  return made;
}

/** Last parts of fault codes and values of Result.Code that say that the credentials are wrong. */
const credentialCodes: ReadonlySet<string> = new Set([
  'invalidcredentials',
  'authentication',
  'failedauthentication',
  'unauthorized',
  'accessdenied',
]);

function saysCredentials(code: string | undefined): boolean {
  return code !== undefined && credentialCodes.has(code.split('.').at(-1)?.toLowerCase() ?? '');
}

function refused(
  message: string,
  facts: { code?: string; number?: number; httpStatus: number },
  data?: unknown,
): RelctlError {
  const isLogin = saysCredentials(facts.code);
  return new RelctlError(isLogin ? 'profile' : 'refused', message, {
    facts,
    ...(isLogin ? { hint: 'relctl profile show, then relctl profile edit NAME' } : {}),
    ...(data === undefined ? {} : { data }),
  });
}

/** The last reason of a .NET message comes first: `a ---> b` is read from behind, and stack traces are left out. */
function plainReason(message: string): string {
  const reasons = message
    .split(/\s*--->\s*/)
    .map((part) => part.split('\n')[0]?.trim() ?? '')
    .filter((part) => part !== '');
  const last = reasons.at(-1) ?? '';
  return reasons.length < 2 ? last : `${last} (${reasons.slice(0, -1).join(', ')})`;
}

function faultError(raw: RawReader, status: number): RelctlError {
  const fault = readFault(raw.root);
  const reason = fault.message === '' ? (fault.detail ?? 'the service gave no reason') : plainReason(fault.message);
  return refused(
    visible(reason, 1000),
    { code: fault.code, httpStatus: status },
    fault.detail === undefined ? undefined : { detail: fault.detail },
  );
}

const isRecord = (value: Value | undefined): value is RecordValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function hasContent(result: RecordValue): boolean {
  return Object.values(result).some((value) => value !== null && !(Array.isArray(value) && value.length === 0));
}

const textOf = (value: Value | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** Throws when the result envelope says that the call failed (interface document, Errors, rule 1). */
function checkSucceeded(outcome: Value | undefined, rest: RecordValue, status: number): void {
  if (!isRecord(outcome)) return;
  const { Succeeded, Number: number, Code, Description } = outcome;
  if (Succeeded === true) return;
  if (Succeeded !== false) {
    throw new RelctlError('bad-answer', 'the result does not say whether the call succeeded', {
      facts: { code: 'result-envelope' },
    });
  }
  const code = textOf(Code);
  const facts = {
    httpStatus: status,
    ...(code === undefined ? {} : { code }),
    ...(typeof number === 'number' ? { number } : {}),
  };
  const message =
    textOf(Description) ??
    (code === undefined ? 'the service says that the call failed' : `the service answered ${code}`);
  throw refused(visible(message, 1000), facts, hasContent(rest) ? rest : undefined);
}

/** Throws when the result carries a message of failure; what came with it goes along (interface document, Errors, rule 2). */
function checkErrorInformation(result: RecordValue, status: number): void {
  const message = textOf(result['ErrorInformation']);
  if (message === undefined) return;
  const rest = Object.fromEntries(Object.entries(result).filter(([name]) => name !== 'ErrorInformation'));
  throw refused(
    visible(message, 1000),
    { httpStatus: status, code: 'ErrorInformation' },
    hasContent(rest) ? rest : undefined,
  );
}

/** What the Body turned out to hold. */
interface Body {
  decoder?: Decoder;
  fault?: RawReader;
}

function wrongElement(name: XmlName, operation: Operation, namespace: string): RelctlError {
  const found = `<${visible(name.local)}> in namespace '${visible(name.namespace, 80)}'`;
  return new RelctlError(
    'bad-answer',
    `${found} came where <${operation.name}Response> in namespace '${namespace}' was expected`,
    {
      facts: { code: 'wrong-element' },
      ...(name.local === `${operation.name}Response`
        ? { hint: 'Check the namespace of the profile: relctl profile show' }
        : {}),
    },
  );
}

function bodyReader(operation: Operation, namespace: string, found: Body & { notes: Notebook }): EnvelopeReader {
  return new EnvelopeReader({
    begin(name): XmlEvents {
      if (name.local === 'Fault' && versionOf(name.namespace) !== undefined) {
        found.fault = new RawReader(name);
        return found.fault;
      }
      if (name.local !== `${operation.name}Response` || name.namespace !== namespace)
        throw wrongElement(name, operation, namespace);
      found.decoder = new Decoder(fieldsOf(operation), '', { namespace, notes: found.notes });
      return found.decoder;
    },
  });
}

function charsetOf(response: HttpResponse): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(response.headers['content-type'] ?? '')?.[1];
}

/** Reads the body into an envelope. Throws `not-soap` errors when no envelope ever began. */
async function readBody(response: HttpResponse, envelope: EnvelopeReader): Promise<void> {
  const charset = charsetOf(response);
  const reader = createXmlReader(envelope, charset === undefined ? {} : { charset });
  const { status, headers } = response;
  let head = '';
  try {
    for await (const chunk of response.body) {
      if (head.length < headLength) head += Buffer.from(chunk.subarray(0, headLength)).toString('utf8');
      reader.write(chunk);
    }
    reader.end();
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    const isOurs = error.kind !== 'bad-answer' || envelope.version !== undefined;
    const isXml = /^(?:\ufeff)?\s*<\?xml/.test(head) && status < 300;
    const isCut = error.facts.code === 'truncated' || error.facts.code === 'encoding' || error.facts.code === 'limit';
    if (isOurs || isCut || isXml) throw error.with({ httpStatus: status });
    throw notSoap({ status, headers, head });
  }
}

function noteContentType(response: HttpResponse, notes: Notebook): void {
  const type = (response.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'text/xml' && type !== 'application/soap+xml') notes.add('content-type', 'HTTP', visible(type));
}

function resultOf(operation: Operation, body: RecordValue): RecordValue {
  const member = `${operation.name}Result`;
  const other = Object.keys(body).find((name) => name !== member);
  if (other !== undefined) {
    throw new RelctlError('bad-answer', `<${visible(other)}> came where <${member}> was expected`, {
      facts: { code: 'wrong-element' },
    });
  }
  const result = body[member];
  if (isRecord(result)) return result;
  // An operation whose result is empty may leave it out; for any other, rows might be missing without a word.
  if (Object.keys(operation.result).length === 0) return {};
  throw new RelctlError('bad-answer', `the answer has no <${member}>`, { facts: { code: 'no-result' } });
}

/**
 * Reads the answer to a call. Whether it is SOAP is decided by reading it, not by status or Content-Type. Throws
 * `refused` for faults of either version, Succeeded=false and ErrorInformation (with the data that came along), `profile`
 * when they speak of credentials, `no-answer` and `bad-answer` for everything that is not the expected result.
 */
export async function readResponse(
  operation: Operation,
  response: HttpResponse,
  expected: { readonly namespace: string },
): Promise<Answer> {
  const notes = createNotebook();
  const found: Body & { notes: Notebook } = { notes };
  const envelope = bodyReader(operation, expected.namespace, found);
  await readBody(response, envelope);
  const { status } = response;
  if (found.fault !== undefined) throw faultError(found.fault, status);
  if (found.decoder === undefined) {
    throw new RelctlError('bad-answer', 'the Body of the envelope is empty', {
      facts: { code: 'envelope', httpStatus: status },
    });
  }
  const { Result, Data, ...result } = resultOf(operation, found.decoder.finish());
  checkSucceeded(Result, result, status);
  checkErrorInformation(result, status);
  noteContentType(response, notes);
  const outer = { ...(Result === undefined ? {} : { Result }), ...(Data === undefined ? {} : { Data }) };
  return {
    result,
    ...(Object.keys(outer).length === 0 ? {} : { envelope: outer }),
    notes: notes.list(),
    version: envelope.version ?? '1.1',
  };
}
