import { isRecord, type RecordValue, type Value } from '../../plain/value.js';
import { badAnswer } from '../../errors/bad-answer.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { parseBoolean } from '../../lexical/boolean.js';
import { forMessage } from '../../lexical/text.js';
import { readFault, type Fault } from './fault.js';
import { createMask } from './mask.js';
import type { RawElement } from './raw.js';
import { kindOfRefusal } from './refusal-codes.js';
import { soapActionOf, versionOf, type SoapVersion } from './version.js';
import { defined } from '../../plain/defined.js';

/** What a service says when it refuses. */
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

/** The last reason of a .NET message comes first: `a ---> b` is read from behind, and stack traces are left out. */
function plainReason(message: string): string {
  const reasons = message
    .split(/\s*--->\s*/)
    .map((part) => part.split('\n')[0]?.trim() ?? '')
    .filter((part) => part !== '');
  const last = reasons.at(-1) ?? '';
  return reasons.length < 2 ? last : `${last} (${reasons.slice(0, -1).join(', ')})`;
}

/** What the errors of an answer are made with. */
export interface Told {
  readonly status: number;
  /** Hides secrets. Applied before a text is cut to what a message shows: half a secret would not be known again. */
  readonly mask: (text: string) => string;
  /** Operation and namespace that were called. */
  readonly called?: { readonly operation: string; readonly namespace: string };
  /** Codes of this service that are about credentials, besides the usual ones. */
  readonly credentialCodes?: readonly string[];
}

const credentialsHint = 'relctl profile show NAME, then relctl profile edit NAME';

/** "Please supply a valid soap action", in the languages of .NET: what SOAP 1.2 calls of no known element come to. */
const wantsAction = /soap[\s-]?a[ck]t/i;

/**
 * True when a fault says that the service does not know the action. .asmx services have no code for that. In SOAP 1.1 they
 * quote the action that we sent and name the header, in any language; in SOAP 1.2 they quote the element with its
 * namespace, or ask for an action.
 */
function isUnknownAction({ code, message }: Fault, { called }: Told, version: SoapVersion): boolean {
  const [side, ...finer] = code.split('.');
  if (called === undefined || side !== 'Client') return false;
  const { operation, namespace } = called;
  const action = soapActionOf(namespace, operation).slice(1, -1);
  const isHeader = message.includes('SOAPAction') && message.includes(action);
  const isElement = message.includes(`<${operation} `) && message.includes(`xmlns='${namespace}'`);
  const isAskedFor = version === '1.2' && wantsAction.test(message);
  return finer.includes('ProcedureNotPresent') || isHeader || isElement || isAskedFor;
}

/** The error that a fault becomes; one about an action that is not known has the code `unknown-action`. */
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

const textOf = (value: Value | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** A truth also where the contract does not expect one, and its text was kept. */
const truthOf = (value: Value | undefined): boolean | undefined =>
  typeof value === 'string' ? parseBoolean(value.trim()) : typeof value === 'boolean' ? value : undefined;

/** Throws when the result envelope says that the call failed (interface document, Errors, rule 1). */
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
      data: hasContent(rest) ? rest : undefined,
    },
    told,
  );
}

/** Codes that say no more than Succeeded does. */
const contented: ReadonlySet<string> = new Set(['ok', 'success', 'succeeded', 'none', '0']);

/**
 * What the envelope of a result that succeeded says besides: its number, code and description, as far as they say
 * something. Undefined when they do not.
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

/** Throws when the result carries a message of failure; what came with it is kept (interface document, Errors, rule 2). */
export function checkErrorInformation(result: RecordValue, told: Told): void {
  const message = textOf(result['ErrorInformation']);
  if (message === undefined) return;
  const rest = Object.fromEntries(Object.entries(result).filter(([name]) => name !== 'ErrorInformation'));
  throw refused({ message, code: 'ErrorInformation', data: hasContent(rest) ? rest : undefined }, told);
}

function maskedValue(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((each) => maskedValue(each, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [mask(key), maskedValue(each, mask)]));
}

/**
 * The same error for a service that sends parts of the request back in what it complains of: secrets in its message and
 * data are masked, in every form that createMask knows.
 */
export function withoutSecrets(error: RelctlError, secrets: readonly string[]): RelctlError {
  if (secrets.length === 0) return error;
  const mask = createMask(secrets);
  const { kind, message, facts, hint, data, cause } = error;
  const { code, path } = facts;
  return new RelctlError(kind, mask(message), {
    facts: {
      ...facts,
      code: code && mask(code),
      path: path && mask(path),
    },
    hint: hint && mask(hint),
    data: maskedValue(data, mask),
    cause,
  });
}
