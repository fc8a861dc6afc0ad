import { RelctlError, type Remedy } from '../../core/errors/relctl-error.js';
import { forMessage } from '../../core/text/text.js';
import { schemesOf, type Headers } from '../transport/http.js';

/** An answer that is not SOAP. */
export interface NotSoap {
  readonly status: number;
  readonly headers: Headers;
  /** The first characters of its body. */
  readonly head: string;
}

function titleOf(head: string): string | undefined {
  const title = /<title[^>]*>([^<]*)/i.exec(head)?.[1]?.replace(/\s+/g, ' ').trim();
  return title === undefined || title === '' ? undefined : forMessage(title, 100);
}

const typeOf = ({ headers }: NotSoap): string => (headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';

const isEmpty = ({ head }: NotSoap): boolean => head.trim() === '';

/** True for a message of MIME, such as one of MTOM. */
const isMime = (answer: NotSoap): boolean => !isEmpty(answer) && /^multipart\//i.test(typeOf(answer));

function described(answer: NotSoap): string {
  const { head } = answer;
  const type = typeOf(answer);
  if (isEmpty(answer)) return 'an empty answer';
  if (isMime(answer)) return 'a MIME multipart answer (MTOM, or SOAP with attachments)';
  const title = titleOf(head);
  if (title !== undefined || /^\s*(?:<!doctype html|<html)/i.test(head)) {
    return title === undefined ? 'an HTML page' : `an HTML page titled '${title}'`;
  }
  return `${type === '' ? 'an answer' : forMessage(type)} that begins '${forMessage(head.replace(/\s+/g, ' ').trim(), 200)}'`;
}

/** Seconds to wait by Retry-After: a number, or a date counted from the answer's own Date. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const text = headers['retry-after']?.trim();
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const until = Date.parse(text) - Date.parse(headers['date'] ?? '');
  return Number.isFinite(until) ? Math.max(0, Math.ceil(until / 1000)) : undefined;
}

/** The words by which addresses of pages for a login are known; a query may have them, and is never shown. */
const loginWords = /\b(?:log-?[io]n|sign-?in|sso|saml2?|adfs|oauth2?|authorize)\b|returnurl=/i;

/** Where a redirect leads: an origin with the path, or a path of the same host; without query and login. */
function targetOf(location: string): string {
  const none = 'http://none.invalid';
  if (location === '' || !URL.canParse(location, none)) return '';
  const { origin, protocol, host, pathname } = new URL(location, none);
  return `${origin === none ? '' : `${protocol}//${host}`}${pathname}`;
}

const forPeople =
  'That is a login page for people. Ask its administrator for a URL or a login for programs: the profile can send a user ' +
  '(gatewayUser), a token (gatewayToken) or headers.';

function redirect({ status, headers }: NotSoap): RelctlError {
  const location = headers['location']?.trim() ?? '';
  const target = targetOf(location);
  const isLogin = loginWords.test(location);
  // The path of another host says no more to people than its name.
  const address = URL.canParse(target) ? target.replace(/^(\w+:\/\/[^/]*).*$/s, '$1') : forMessage(target, 100);
  const where = address === '' ? 'an unnamed address' : address;
  return new RelctlError(
    'no-answer',
    `the service redirects to ${isLogin ? 'a login page, ' : ''}${where}; relctl does not follow redirects, because they would send the credentials there`,
    {
      facts: { httpStatus: status, code: 'redirect', location: target === '' ? undefined : forMessage(target, 200) },
      advice: isLogin ? forPeople : 'If you trust that address, set it as base URL of the profile, with --base-url.',
      hint: 'relctl profile show NAME',
    },
  );
}

const baseUrlRight: Remedy = { advice: 'Is the base URL of the profile right?', hint: 'relctl profile show NAME' };

const noAnswerRemedy = (later: string): Remedy => ({
  advice: `A gateway in front of the service got no answer from it. Try again ${later}.`,
});

const remedies: Readonly<Record<number, (later: string) => Remedy>> = {
  404: () => baseUrlRight,
  405: () => baseUrlRight,
  407: () => ({
    advice: 'A proxy that is not in the profile requires a login. Set it as proxy, with user name and password.',
    hint: 'relctl profile edit NAME --secret proxy=-',
  }),
  410: () => baseUrlRight,
  413: () => ({ advice: 'Send less, for example a smaller file.' }),
  415: () => ({
    advice: 'Try the other SOAP version, 1.1 or 1.2.',
    hint: 'relctl profile test NAME --set soapVersion=1.1',
  }),
  429: (later) => ({ advice: `The service is busy. Try again ${later}, with smaller requests.` }),
  500: (later) => ({ advice: `The service failed. Try again ${later}; ask its administrator if that lasts.` }),
  501: () => ({ ...baseUrlRight, advice: 'That server does not offer SOAP. Is the base URL of the profile right?' }),
  502: noAnswerRemedy,
  503: (later) => ({ advice: `The service is busy or down. Try again ${later}; ask its administrator if that lasts.` }),
  504: noAnswerRemedy,
};

/** @param wait seconds that the service asks for */
const remedyFor = (status: number, wait: number | undefined): Remedy =>
  remedies[status]?.(wait === undefined ? 'later' : `in ${wait} s`) ?? {};

function noAccess(answer: NotSoap): RelctlError {
  const { status, headers } = answer;
  const realm = /realm="?([^",]*)/i.exec(headers['www-authenticate'] ?? '')?.[1];
  const where = realm === undefined ? '' : ` for '${forMessage(realm)}'`;
  const message = `the web server, not the service, refused access${where} with HTTP ${status}: ${described(answer)}`;
  return new RelctlError('profile', message, {
    facts: { httpStatus: status, code: `http-${status}`, ...schemesOf(headers['www-authenticate']) },
    advice: 'A gateway in front of the service requires a login or a permission; ask its administrator.',
  });
}

/** The error for an answer without SOAP: `bad-answer`, `profile` for 401 and 403, otherwise `no-answer`. */
export function notSoap(answer: NotSoap): RelctlError {
  const { status, headers } = answer;
  const what = described(answer);
  if (status >= 300 && status < 400) return redirect(answer);
  if (status < 300) {
    const code = isEmpty(answer) ? 'empty' : 'not-soap';
    const advice = isMime(answer)
      ? 'relctl does not read MIME messages; `relctl call NAME --raw-output` prints them.'
      : undefined;
    return new RelctlError('bad-answer', `${what} instead of SOAP`, {
      facts: { httpStatus: status, code },
      advice,
    });
  }
  if (status === 401 || status === 403) return noAccess(answer);
  const wait = retryAfterSeconds(headers);
  return new RelctlError('no-answer', `HTTP ${status} without SOAP: ${what}`, {
    facts: {
      httpStatus: status,
      code: `http-${status}`,
      retryAfterSeconds: wait,
      ...schemesOf(headers['proxy-authenticate']),
    },
    ...remedyFor(status, wait),
  });
}
