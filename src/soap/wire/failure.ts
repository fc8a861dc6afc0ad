import type { Code } from '../../core/errors/codes.js';
import { isRecord, type RecordValue, type Value, defined } from '../../core/values/value.js';
import { badAnswer, RelctlError } from '../../core/errors/relctl-error.js';
import { parseBoolean } from '../../core/text/scalars.js';
import { forMessage } from '../../core/text/text.js';
import type { Rows } from '../codec/rows.js';
import { readFault, type Fault } from './fault.js';
import { createMask, hideInQuote, hideInQuotes, type Mask } from '../../core/secrets/mask.js';
import { type RawElement, cutData } from './raw.js';
import {
  actionTextOf,
  hasActionHeader,
  versionOf,
  type NamedAction,
  type SoapActionForm,
  type SoapVersion,
  assumedVersion,
} from './version.js';

/** A code in lower case, without spaces, `_` and `-`, in which services differ. */
const plain = (code: string): string => code.toLowerCase().replace(/[\s_-]/g, '');

/** Codes that say that the credentials are refused, as docs/exit-codes.md lists them. */
export const credentialCodes: readonly string[] = [
  '401',
  'AccessDenied',
  'ApiKeyInvalid',
  'ApiKeyNotFound',
  'ApiKeyUnknown',
  'Authentication',
  'AuthenticationError',
  'AuthenticationFailed',
  'AuthenticationRequired',
  'BadCredentials',
  'CredentialsInvalid',
  'CredentialsRefused',
  'CredentialsRequired',
  'FailedAuthentication',
  'InvalidApiKey',
  'InvalidCredentials',
  'InvalidLogin',
  'InvalidPassword',
  'InvalidSecurityToken',
  'InvalidUserNameOrPassword',
  'LoginFailed',
  'NotAuthenticated',
  'NotAuthorized',
  'PasswordExpired',
  'PasswordInvalid',
  'Unauthenticated',
  'Unauthorized',
  'UnknownApiKey',
  'WrongCredentials',
  'WrongPassword',
];

const credentialNumber = 401;

const usual: ReadonlySet<string> = new Set(credentialCodes.map(plain));

const missingCodes: ReadonlySet<string> = new Set(['notfound', 'unknownuser']);

/**
 * The kind of the error for a refusal, by its code alone, never by its message: `profile` when any part of a dotted code is
 * about credentials, `not-found` when the last part is about a record that does not exist, else `refused`.
 * @param ownCodes further codes of this service that are about credentials
 */
function kindOfRefusal(
  { foreignCode = '', number }: Pick<Refusal, 'foreignCode' | 'number'>,
  ownCodes: readonly string[],
): 'profile' | 'not-found' | 'refused' {
  const parts = [foreignCode, ...foreignCode.split('.')].map(plain);
  const own = new Set(ownCodes.map(plain));
  if (number === credentialNumber || parts.some((part) => usual.has(part) || own.has(part))) return 'profile';
  return missingCodes.has(parts.at(-1) ?? '') ? 'not-found' : 'refused';
}

interface Refusal {
  readonly message: string;
  /** A code of relctl, in the place of that of the service. */
  readonly code?: Code | undefined;
  readonly foreignCode?: string | undefined;
  readonly number?: number | undefined;
  readonly data?: unknown;
}

function refused(
  { message, code, foreignCode, number, data }: Refusal,
  { status, mask, credentialCodes = [] }: AnswerFacts,
): RelctlError {
  const kind = kindOfRefusal({ foreignCode, number }, credentialCodes);
  return new RelctlError(kind, forMessage(mask(message), 1000), {
    facts: { httpStatus: status, code, foreignCode: code === undefined ? foreignCode : undefined, number },
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

type Called = NamedAction & { readonly form?: SoapActionForm | undefined };

/** What an error about an answer needs. */
export interface AnswerFacts {
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
function mentionsHeader(message: string, called: Called, version: SoapVersion): boolean {
  const action = actionTextOf(called, called.form ?? 'slash');
  if (message.includes('SOAPAction') && (action === undefined || message.includes(action))) return true;
  // Without an action in the header, services find the operation by its element, as in SOAP 1.2.
  return (!hasActionHeader(version) || action === undefined) && wantsAction.test(message);
}

/**
 * True when a fault says that the service does not know the action. .asmx services have no code for that. In SOAP 1.1 they
 * quote the action that we sent and name the header, in any language; in SOAP 1.2 they quote the element with its
 * namespace, or ask for an action.
 */
function isUnknownAction({ code, message }: Fault, { called }: AnswerFacts, version: SoapVersion): boolean {
  const parts = code.split('.');
  const isNamed = parts.includes('ProcedureNotPresent');
  if (called === undefined || !(isNamed || parts[0] === 'Client')) return false;
  const { operation, namespace } = called;
  const isElement = message.includes(`<${operation} `) && message.includes(`xmlns='${namespace}'`);
  return isNamed || isElement || mentionsHeader(message, called, version);
}

/** The error for a fault, its kind by its code; the code is `unknown-action` for an unknown action. */
export function faultError(element: RawElement, answerFacts: AnswerFacts): RelctlError {
  const fault = readFault(element, answerFacts.mask);
  const { message, actor, detail } = fault;
  const isUnknown = isUnknownAction(fault, answerFacts, versionOf(element.name.namespace) ?? assumedVersion);
  const words = typeof detail === 'string' ? detail : 'the service gave no reason';
  const data = defined({ actor, detail });
  return refused(
    {
      message: message === '' ? words : plainReason(message),
      ...(isUnknown ? { code: 'unknown-action' } : { foreignCode: fault.code }),
      data: Object.keys(data).length === 0 ? undefined : data,
    },
    answerFacts,
  );
}

function hasContent(result: RecordValue): boolean {
  return Object.values(result).some((value) => value !== null && !(Array.isArray(value) && value.length === 0));
}

const dataOf = (rest: RecordValue, { mask, rows }: AnswerFacts): RecordValue | undefined =>
  hasContent(rest) ? cutData(rest, mask, rows?.printed) : undefined;

const plainOf = (value: Value | undefined): Value | undefined => (isRecord(value) ? value['#text'] : value);

const textOf = (value: Value | undefined): string | undefined => {
  const plain = plainOf(value);
  return typeof plain === 'string' && plain.trim() !== '' ? plain : undefined;
};

/** A boolean, also from a text that the decoder kept because the contract does not expect a boolean there. */
function truthOf(value: Value | undefined): boolean | undefined {
  const plain = plainOf(value);
  return typeof plain === 'string' ? parseBoolean(plain.trim()) : typeof plain === 'boolean' ? plain : undefined;
}

/** Throws by the code when Succeeded is false, `bad-answer` when it says nothing (interface document, Errors, rule 1). */
export function checkSucceeded(outcome: Value | undefined, rest: RecordValue, facts: AnswerFacts): void {
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
    (code === undefined ? 'the service reported that the call failed' : `the service answered ${code}`);
  throw refused(
    {
      message,
      foreignCode: code,
      number: typeof number === 'number' ? number : undefined,
      data: dataOf(rest, facts),
    },
    facts,
  );
}

/** Codes that add nothing to Succeeded=true. */
const contented: ReadonlySet<string> = new Set(['ok', 'success', 'succeeded', 'none', '0']);

/** Number, code and description in the envelope of a success, but those that say so; undefined without any. */
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
 * Throws `refused` for a message in ErrorInformation, with the other members as data (Errors, rule 2). Elements are one, too,
 * where the contract has a text.
 */
export function checkErrorInformation(result: RecordValue, facts: AnswerFacts, isText: boolean): void {
  const { ErrorInformation: information } = result;
  const isElements = isText && isRecord(information) && hasContent(information);
  const message = textOf(information) ?? (isElements ? JSON.stringify(information) : undefined);
  if (message === undefined) return;
  const rest = Object.fromEntries(Object.entries(result).filter(([name]) => name !== 'ErrorInformation'));
  throw refused({ message, foreignCode: 'ErrorInformation', data: dataOf(rest, facts) }, facts);
}

function maskedValue(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((each) => maskedValue(each, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [mask(key), maskedValue(each, mask)]));
}

/** Hides secrets in a message. The readers of XML and of the envelope quote what they stumbled over, a part of a secret perhaps. */
function hiddenBy(mask: Mask, code: Code | undefined): Mask {
  if (code?.startsWith('xml-') === true) return (message) => hideInQuotes(mask, message);
  return code === 'envelope' ? (message) => hideInQuote(mask, message) : mask;
}

/** The same error with all secrets masked, in every form of createMask: a service may quote the request. */
export function withoutSecrets(error: RelctlError, secrets: readonly string[]): RelctlError {
  if (secrets.length === 0) return error;
  const mask = createMask(secrets);
  const { message, facts, advice, hint, data } = error;
  const { code, foreignCode, path } = facts;
  return error.but({
    message: hiddenBy(mask, code)(message),
    facts: {
      ...facts,
      foreignCode: foreignCode && mask(foreignCode),
      path: path && mask(path),
    },
    advice: advice && mask(advice),
    ...(hint === undefined ? {} : { hint: mask(hint) }),
    data: maskedValue(data, mask),
  });
}
