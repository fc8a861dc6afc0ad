import { isRecord, type RecordValue, type Value } from '../../plain/value.js';
import { badAnswer } from '../../errors/bad-answer.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { parseBoolean } from '../../lexical/values/boolean.js';
import { forMessage } from '../../lexical/text.js';
import type { Rows } from '../codec/decode-bytes.js';
import { readFault, type Fault } from './fault.js';
import { createMask, hideInQuote, hideInQuotes, type Mask } from '../../secrets/mask.js';
import type { RawElement } from './raw.js';
import { kindOfRefusal } from './refusal-codes.js';
import { cutData } from './room.js';
import { actionTextOf, versionOf, type NamedAction, type SoapActionForm, type SoapVersion } from './version.js';
import { defined } from '../../plain/defined.js';

/** A refusal of the service. */
interface Refusal {
  readonly message: string;
  readonly code: string | undefined;
  readonly number?: number | undefined;
  readonly data?: unknown;
}

function refused({ message, code, number, data }: Refusal, { status, mask, credentialCodes = [] }: Told): RelctlError {
  const codes = defined({ code, number });
  const kind = kindOfRefusal(codes, credentialCodes);
  return new RelctlError(kind, forMessage(mask(message), 1000), {
    facts: { httpStatus: status, ...codes },
    hint: kind === 'profile' ? credentialsHint : undefined,
    data,
  });
}

/** The message of a .NET exception, its innermost reason first: `a ---> b` becomes `b (a)`, without stack traces. */
function plainReason(message: string): string {
  const reasons = message
    .split('--->')
    .map((part) => part.trim().split('\n')[0]?.trimEnd() ?? '')
    .filter((part) => part !== '');
  const last = reasons.at(-1) ?? '';
  return reasons.length < 2 ? last : `${last} (${reasons.slice(0, -1).join(', ')})`;
}

/** What was called, and how the header SOAPAction named it. */
type Called = NamedAction & { readonly form?: SoapActionForm | undefined };

/** What an error about an answer needs. */
export interface Told {
  readonly status: number;
  /** Hides secrets. Applied before a message cuts a text: the mask would not find half a secret. */
  readonly mask: (text: string) => string;
  /** Operation and namespace that were called, and how the header SOAPAction named them. */
  readonly called?: Called;
  /** Further codes of this service that are about credentials. */
  readonly credentialCodes?: readonly string[];
  /** What became of the records of a list. */
  readonly rows?: Rows | undefined;
}

const credentialsHint = 'relctl profile show NAME --origin';

/** "Please supply a valid soap action", in the languages of .NET: the fault of SOAP 1.2 for an unknown element. */
const wantsAction = /soap[\s-]?a[ck]t/i;

/** True when a message quotes the header that named the action, or complains that there was none. */
function tellsOfHeader(message: string, called: Called, version: SoapVersion): boolean {
  const action = actionTextOf(called, called.form ?? 'slash');
  if (message.includes('SOAPAction') && (action === undefined || message.includes(action))) return true;
  // Without an action in the header, services find the operation by its element, as in SOAP 1.2.
  return (version === '1.2' || action === undefined) && wantsAction.test(message);
}

/**
 * True when a fault says that the service does not know the action. .asmx services have no code for that. In SOAP 1.1 they
 * quote the action that we sent and name the header, in any language; in SOAP 1.2 they quote the element with its
 * namespace, or ask for an action.
 */
function isUnknownAction({ code, message }: Fault, { called }: Told, version: SoapVersion): boolean {
  const parts = code.split('.');
  const isNamed = parts.includes('ProcedureNotPresent');
  if (called === undefined || !(isNamed || parts[0] === 'Client')) return false;
  const { operation, namespace } = called;
  const isElement = message.includes(`<${operation} `) && message.includes(`xmlns='${namespace}'`);
  return isNamed || isElement || tellsOfHeader(message, called, version);
}

/**
 * The error for a fault: `refused`, `not-found` or `profile` by its code. For an unknown action the code is
 * `unknown-action`.
 */
export function faultError(element: RawElement, told: Told): RelctlError {
  const fault = readFault(element, told.mask);
  const { message, actor, detail } = fault;
  const code = isUnknownAction(fault, told, versionOf(element.name.namespace) ?? '1.1') ? 'unknown-action' : fault.code;
  const words = typeof detail === 'string' ? detail : 'the service gave no reason';
  const data = defined({ actor, detail });
  return refused(
    {
      message: message === '' ? words : plainReason(message),
      code,
      data: Object.keys(data).length === 0 ? undefined : data,
    },
    told,
  );
}

function hasContent(result: RecordValue): boolean {
  return Object.values(result).some((value) => value !== null && !(Array.isArray(value) && value.length === 0));
}

/** What came with a refusal; undefined for nothing. */
const dataOf = (rest: RecordValue, { mask, rows }: Told): RecordValue | undefined =>
  hasContent(rest) ? cutData(rest, mask, rows?.shown) : undefined;

const textOf = (value: Value | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** A boolean, also from a text that the decoder kept because the contract does not expect a boolean there. */
const truthOf = (value: Value | undefined): boolean | undefined =>
  typeof value === 'string' ? parseBoolean(value.trim()) : typeof value === 'boolean' ? value : undefined;

/**
 * Throws `refused`, `not-found` or `profile` when the result envelope says that the call failed, `bad-answer` when it does
 * not say whether (interface document, Errors, rule 1).
 */
export function checkSucceeded(outcome: Value | undefined, rest: RecordValue, told: Told): void {
  if (!isRecord(outcome)) return;
  const { Number: number, Code, Description } = outcome;
  const succeeded = truthOf(outcome['Succeeded']);
  if (succeeded === true) return;
  if (succeeded === undefined) {
    throw badAnswer('result-envelope', 'the result does not say whether the call succeeded');
  }
  const code = textOf(Code);
  const message =
    textOf(Description) ??
    (code === undefined ? 'the service says that the call failed' : `the service answered ${code}`);
  throw refused(
    {
      message,
      code,
      number: typeof number === 'number' ? number : undefined,
      data: dataOf(rest, told),
    },
    told,
  );
}

/** Codes that add nothing to Succeeded=true. */
const contented: ReadonlySet<string> = new Set(['ok', 'success', 'succeeded', 'none', '0']);

/**
 * The number, code and description in the envelope of a call that succeeded, those of success left out. Undefined when
 * nothing is left.
 */
export function messageOf(outcome: Value | undefined): string | undefined {
  if (!isRecord(outcome)) return undefined;
  const { Number: number = null } = outcome;
  const isTelling = (text: string | undefined): text is string =>
    text !== undefined && !contented.has(text.trim().toLowerCase());
  const texts = [textOf(outcome['Code']), textOf(outcome['Description'])].filter(isTelling);
  const isNumbered = (typeof number === 'number' && number !== 0) || textOf(number) !== undefined;
  const parts = isNumbered ? [`Number ${JSON.stringify(number)}`, ...texts] : texts;
  return parts.length === 0 ? undefined : parts.join(', ');
}

/**
 * Throws `refused` for a message in ErrorInformation, with the other members as its data (interface document, Errors,
 * rule 2).
 */
export function checkErrorInformation(result: RecordValue, told: Told): void {
  const message = textOf(result['ErrorInformation']);
  if (message === undefined) return;
  const rest = Object.fromEntries(Object.entries(result).filter(([name]) => name !== 'ErrorInformation'));
  throw refused({ message, code: 'ErrorInformation', data: dataOf(rest, told) }, told);
}

function maskedValue(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((each) => maskedValue(each, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [mask(key), maskedValue(each, mask)]));
}

/** Hides secrets in a message. The readers of XML and of the envelope quote what they stumbled over, a part of a secret perhaps. */
function hiddenBy(mask: Mask, code = ''): Mask {
  if (code.startsWith('xml-')) return (message) => hideInQuotes(mask, message);
  return code === 'envelope' ? (message) => hideInQuote(mask, message) : mask;
}

/**
 * The same error with all secrets masked in its texts and data, in every form of createMask: a service may quote the
 * request in its errors.
 */
export function withoutSecrets(error: RelctlError, secrets: readonly string[]): RelctlError {
  if (secrets.length === 0) return error;
  const mask = createMask(secrets);
  const { message, facts, advice, hint, data } = error;
  const { code, path } = facts;
  return error.but({
    message: hiddenBy(mask, code)(message),
    facts: {
      ...facts,
      code: code && mask(code),
      path: path && mask(path),
    },
    advice: advice && mask(advice),
    hint: hint && mask(hint),
    data: maskedValue(data, mask),
  });
}
