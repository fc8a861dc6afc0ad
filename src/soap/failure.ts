import { RelctlError } from '../errors/relctl-error.js';
import { parseBoolean } from '../lexical/boolean.js';
import { visible } from '../lexical/text.js';
import { readFault } from './fault.js';
import { createMask } from './mask.js';
import type { RawElement } from './raw.js';
import { isRecord, type RecordValue, type Value } from './values.js';

/** Last parts of fault codes and values of Result.Code that say that the credentials are wrong. */
const credentialCodes: ReadonlySet<string> = new Set([
  'invalidcredentials',
  'authentication',
  'failedauthentication',
  'unauthorized',
  'accessdenied',
]);

/** The same for a record that is not there. */
const notFoundCodes: ReadonlySet<string> = new Set(['notfound', 'unknownuser']);

function kindOf(code: string | undefined): 'profile' | 'not-found' | 'refused' {
  const last = code?.split('.').at(-1)?.toLowerCase() ?? '';
  if (credentialCodes.has(last)) return 'profile';
  return notFoundCodes.has(last) ? 'not-found' : 'refused';
}

function refused(
  message: string,
  facts: { code?: string; number?: number; httpStatus: number },
  data?: unknown,
): RelctlError {
  const kind = kindOf(facts.code);
  return new RelctlError(kind, message, {
    facts,
    ...(kind === 'profile' ? { hint: 'relctl profile show, then relctl profile edit NAME' } : {}),
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

/** What the errors of an answer are made with. */
export interface Told {
  readonly status: number;
  /** Hides secrets. Applied before a text is cut to what a message shows: half a secret would not be known again. */
  readonly mask: (text: string) => string;
}

/** The error that a fault becomes. */
export function faultError(element: RawElement, { status, mask }: Told): RelctlError {
  const fault = readFault(element);
  const reason = fault.message === '' ? (fault.detail ?? 'the service gave no reason') : plainReason(fault.message);
  return refused(
    visible(mask(reason), 1000),
    { code: fault.code, httpStatus: status },
    fault.detail === undefined ? undefined : { detail: fault.detail },
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
export function checkSucceeded(outcome: Value | undefined, rest: RecordValue, { status, mask }: Told): void {
  if (!isRecord(outcome)) return;
  const { Number: number, Code, Description } = outcome;
  const succeeded = truthOf(outcome['Succeeded']);
  if (succeeded === true) return;
  if (succeeded === undefined) {
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
  throw refused(visible(mask(message), 1000), facts, hasContent(rest) ? rest : undefined);
}

/** Throws when the result carries a message of failure; what came with it goes along (interface document, Errors, rule 2). */
export function checkErrorInformation(result: RecordValue, { status, mask }: Told): void {
  const message = textOf(result['ErrorInformation']);
  if (message === undefined) return;
  const rest = Object.fromEntries(Object.entries(result).filter(([name]) => name !== 'ErrorInformation'));
  throw refused(
    visible(mask(message), 1000),
    { httpStatus: status, code: 'ErrorInformation' },
    hasContent(rest) ? rest : undefined,
  );
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
      ...(code === undefined ? {} : { code: mask(code) }),
      ...(path === undefined ? {} : { path: mask(path) }),
    },
    ...(hint === undefined ? {} : { hint: mask(hint) }),
    ...(data === undefined ? {} : { data: maskedValue(data, mask) }),
    ...(cause === undefined ? {} : { cause }),
  });
}
