import { type RelctlError, usage } from '../../core/errors/relctl-error.js';
import { shellWord } from '../../core/text/text.js';

/** A header for the gateway in front of a service: its value, or a reference to it, as `resolveSecret` takes one. */
export interface Header {
  readonly name: string;
  readonly value: string;
}

const mostHeaders = 32;
const mostNameLetters = 128;
/** What servers take in one line. */
const mostValueLetters = 8000;

/** Headers that say how a request is sent and what it asks for; the transport writes them. */
const owned: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'range',
  'soapaction',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Families of such headers: those for the proxy, which has an address of its own, and conditions. */
const ownedStart = /^(?:proxy|if)-/;

/** True for a header that relctl writes itself, or that would change what an answer means. */
const isOwned = (name: string): boolean => owned.has(name.toLowerCase()) || ownedStart.test(name.toLowerCase());

const nameForm = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The text between the ends of a value: what HTTP carries without a change. */
const valueForm = /^[\u0021-\u007e](?:[\u0020-\u007e\t]*[\u0021-\u007e])?$/;

/** The error for a value of the wrong form, with the flag or setting that holds it. */
export const wrong = (what: string, path: string): RelctlError => usage(path, `${path} ${what}`);

/** Throws `usage` for a text that cannot name a header, and for a header that relctl writes itself. */
export function checkHeaderName(name: string, path: string): void {
  if (!nameForm.test(name) || name.length > mostNameLetters)
    throw wrong(`must be the name of a header: letters, digits and -, such as X-Tenant`, path);
  if (isOwned(name)) throw wrong(`cannot set ${name}: relctl writes that header itself`, path);
}

/** Throws `usage` for a value that HTTP would not carry to the letter; the message never shows it. */
export function checkHeaderValue({ name, value }: Header, path: string): void {
  if (value.length > mostValueLetters)
    throw wrong(`has a value of ${name} with over ${mostValueLetters} letters`, path);
  if (!valueForm.test(value))
    throw wrong(
      `has a value of ${name} that is not valid in a header: it is empty, begins or ends with a space, or has a character outside ASCII`,
      path,
    );
}

/**
 * The headers in a text: a line `Name: VALUE` each, as the setting `headers` holds them. Throws `usage` for another form,
 * a name that cannot be set or comes twice, and too many; never with a value.
 */
export function readHeaders(text: string, path: string): readonly Header[] {
  const headers = text.split(/\r?\n/).map((line): Header => {
    const [, name, value] = /^([^\s:]+):[ \t]*(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined)
      throw wrong(`must have lines of the form 'Name: value', one for each header`, path);
    checkHeaderName(name, path);
    return { name, value };
  });
  const names = headers.map(({ name }) => name.toLowerCase());
  const twice = headers.find(({ name }, at) => names.indexOf(name.toLowerCase()) !== at);
  if (twice !== undefined) throw wrong(`has the header ${twice.name} twice`, path);
  if (headers.length > mostHeaders) throw wrong(`has more than ${mostHeaders} headers`, path);
  return headers;
}

/** The text of the setting `headers`. */
export const headersText = (headers: readonly Header[]): string =>
  headers.map(({ name, value }) => `${name}: ${value}`).join('\n');

/** Headers with some more: one of the same name, in any case of letters, gives way. */
export function withHeaders(known: readonly Header[], added: readonly Header[]): readonly Header[] {
  const names = new Set(added.map(({ name }) => name.toLowerCase()));
  return [...known.filter(({ name }) => !names.has(name.toLowerCase())), ...added];
}

/** Throws `usage` for a user name that Basic cannot send: one with a colon ends at it (RFC 7617, section 2). */
export function checkGatewayUser(text: string, path: string): string {
  if (text !== '' && !/[:\p{Cc}]/u.test(text)) return text;
  throw wrong('takes a user name without a colon and without control characters', path);
}

/** Throws `usage` for a token that Bearer cannot send; the message never shows it (RFC 6750, section 2.1). */
export function checkToken(text: string, path: string): string {
  if (/^[\w.~+/-]+=*$/.test(text) && text.length <= mostValueLetters) return text;
  throw wrong('takes a token of letters, digits and - . _ ~ + / alone, with = at the end', path);
}

/** The base address of a service. Throws `usage`. */
export function checkedUrl(text: string, path: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    // What stands before an @ may be a password.
    throw wrong(`takes an http or https address${text.includes('@') ? '' : `, not '${text}'`}`, path);
  }
  if (url.username !== '' || url.password !== '') {
    throw wrong(
      'must not contain a user name or password. Use the settings userName and password for the user of the service, and ' +
        'gatewayUser and gatewayPassword for the login of a gateway',
      path,
    );
  }
  refuseQuery(url, path);
  return text;
}

/** Returns the path of a service as it is, where a URL has it in the same spelling. Throws `usage`, with the right spelling. */
export function checkedPath(text: string, path: string): string {
  const url =
    /^\/(?!\/)/.test(text) && URL.canParse(text, 'http://service.invalid')
      ? new URL(text, 'http://service.invalid')
      : undefined;
  if (url === undefined || url.origin !== 'http://service.invalid')
    throw wrong(`takes a path that begins with one /, such as /V2/service.asmx, not '${text}'`, path);
  const written = `${url.pathname}${url.search}`;
  if (written === text && !isDescription(url)) return text;
  const suggestion = isDescription(url) ? url.pathname : written;
  throw usage(
    path,
    `${path} must be percent-encoded: ${suggestion}, not '${text}'`,
    lineWith(path, shellWord(suggestion)),
  );
}

/** The shell words that pass a value: of a flag, of `--set NAME`, or of a variable. */
export function lineWith(path: string, value: string): string {
  if (!path.startsWith('--')) return `export ${path}=${value}`;
  return `${path}${path.includes(' ') ? '=' : ' '}${value}`;
}

/** True for the address of the description of a service, which is behind its page. */
const isDescription = ({ search }: URL): boolean => /^\?(?:wsdl|singlewsdl|disco|op=.*)$/i.test(search);

/** The path of the .asmx page that an address names; undefined where it names none. */
export function pagePathOf(address: string): string | undefined {
  const { pathname } = new URL(address);
  return /\.asmx\/?$/i.test(pathname) ? pathname : undefined;
}

/** Only a page that is called as it stands may have a query; one behind a base address would be lost. */
function refuseQuery(url: URL, path: string): void {
  const { origin, pathname, search, hash } = url;
  const isCalled = pagePathOf(url.href) !== undefined && !isDescription(url);
  if (hash === '' && (search === '' || isCalled)) return;
  throw usage(
    path,
    `${path} must be an address without a part after '${search === '' ? '#' : '?'}'`,
    lineWith(path, shellWord(`${origin}${pathname}`)),
  );
}

/** A value that a service takes for an enumeration, though the interface document does not list it. */
export interface AllowedValue {
  readonly enumeration: string;
  readonly value: string;
}

const mostValues = 1000;

/** An enumeration and a value of it, as they stand in XML: without white space at their ends, and without a comma between. */
const form = /^([A-Za-z_][\w.-]{0,127})=([^\s,=\p{Cc}](?:[^,\p{Cc}]{0,254}[^\s,\p{Cc}])?)$/u;

function readAllowedValue(text: string, path: string): AllowedValue {
  const [, enumeration, value] = form.exec(text) ?? [];
  if (enumeration === undefined || value === undefined)
    throw usage(path, `${path} takes an enumeration and a value of it, such as UnitType=Pallet, not '${text}'`);
  return { enumeration, value };
}

/** The values in a text, with commas between them, each once. Throws `usage` for another form and for too many. */
export function readAllowedValues(text: string, path: string): readonly AllowedValue[] {
  const texts = [...new Set(text.split(',').map((each) => each.trim()))];
  if (texts.length > mostValues) throw usage(path, `${path} takes ${mostValues} values at most`);
  return texts.map((each) => readAllowedValue(each, path));
}

/** What a write adds, and the operation that reads it. */
export interface SettleBy {
  /** Operation that adds. */
  readonly write: string;
  /** Operation that reads what was added, and its parameter that takes the Id of the record. */
  readonly read: string;
  readonly parameter: string;
  /** Names of the members of its result that lead to the list. */
  readonly list: readonly string[];
}

const word = '[A-Za-z_][\\w-]*';
const settleForm = new RegExp(`^(${word})=(${word})\\((${word})\\)((?:\\.${word})+)$`);

/**
 * Reads by what operations unknown rows are settled: `WRITE=READ(PARAMETER).LIST`, several with commas between them. Throws
 * `usage`.
 * @param path how the user wrote it: a flag, a variable, a setting of a profile
 */
export function readSettleBy(text: string, path: string): readonly SettleBy[] {
  const found = text.split(',').map((each) => {
    const [whole, write = '', read = '', parameter = '', list = ''] = settleForm.exec(each.trim()) ?? [];
    if (whole !== undefined) return { write, read, parameter, list: list.slice(1).split('.') };
    const example = 'ActivityAddProductLine=ActivityGetProductLines(activityId).ProductLines';
    throw usage(path, `${path} takes WRITE=READ(PARAMETER).LIST such as ${example}, not '${each.trim()}'`);
  });
  const twice = found.find(({ write }, index) => found.findIndex((other) => other.write === write) !== index);
  if (twice === undefined) return found;
  throw usage(path, `${path} names two operations for ${twice.write}`);
}
