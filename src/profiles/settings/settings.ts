import type { RelctlError } from '../../errors/relctl-error.js';
import { readYesNo, yesNoWords } from '../../lexical/values/boolean.js';
import { durationText, readSeconds } from '../../lexical/time/duration.js';
import { pastedGuid } from '../../lexical/values/guid.js';
import { inAnyCase, nearest } from '../../lexical/nearest.js';
import { countryCodes } from '../../lexical/values/country.js';
import { readSettleBy } from '../../lexical/shell/settle-by.js';
import { isZone } from '../../lexical/time/zone.js';
import { usage } from '../../errors/usage.js';
import { readPostgresAddress } from '../../postgres/address.js';
import { readSchema } from '../../postgres/schema-name.js';
import { checkGatewayUser, checkToken, readHeaders } from './headers.js';
import { readAllowedValues } from './allowed-values.js';
import { checkedPath, checkedUrl } from './service-address.js';
import { textFormatNames } from '../../output/formats/index.js';

/** The values that a setting may hold. */
export type SettingValue = string | number | boolean;

/** A setting of a profile. */
export interface Setting {
  /** Flag without its dashes. A secret has `--FLAG-stdin` and `--FLAG-from` instead, so that it never stands in a command. */
  readonly flag: string;
  readonly environment: string;
  readonly form:
    | 'text'
    | 'url'
    | 'guid'
    | 'whole'
    | 'duration'
    | 'choice'
    | 'yes-no'
    | 'file'
    | 'zone'
    | 'country'
    | 'postgres'
    | 'schema'
    | 'path'
    | 'headers'
    | 'login'
    | 'token'
    | 'settle-by'
    | 'allowed-values';
  readonly choices?: readonly string[];
  /** Bounds of a whole number, or of a length of time in seconds, both allowed. */
  readonly bounds?: readonly [least: number, most: number];
  readonly fallback?: SettingValue;
  readonly isSecret?: true;
  readonly doc: string;
}

/** A setting as it is declared: with its flag and variable only where they do not follow from its name. */
type Declared = Omit<Setting, 'flag' | 'environment'> & Partial<Pick<Setting, 'flag' | 'environment'>>;

const anHour = 3600;

/**
 * Every setting, in the order in which they are shown and asked for: the only place where names, forms and defaults are
 * written.
 */
const declared = {
  baseUrl: { form: 'url', doc: 'Base address of the service, or the whole address of its .asmx page.' },
  path: { form: 'path', doc: 'Path of the service behind the base address; /V1/service.asmx when left out.' },
  namespace: { form: 'text', doc: 'XML namespace of the service.' },
  soapVersion: { flag: 'soap', form: 'choice', choices: ['1.1', '1.2'], fallback: '1.2', doc: 'SOAP version.' },
  soapAction: {
    form: 'choice',
    choices: [
      'slash',
      'slash-unquoted',
      'joined',
      'joined-unquoted',
      'operation',
      'operation-unquoted',
      'empty',
      'none',
    ],
    fallback: 'slash',
    doc: 'How the header SOAPAction of SOAP 1.1 names the operation.',
  },
  apiKey: { form: 'guid', isSecret: true, doc: 'Key of the API, a GUID.' },
  databaseId: { form: 'guid', doc: 'Database to work on, a GUID.' },
  userId: { form: 'guid', doc: 'User to work as, a GUID.' },
  userName: { form: 'text', doc: 'Name of the user.' },
  password: { form: 'text', isSecret: true, doc: 'Password of the user.' },
  sourceApplication: { form: 'text', fallback: 'relctl', doc: 'Name under which the calls are made.' },
  sourceCategory: { form: 'text', doc: 'Category of the application that calls.' },
  sourceSubcategory: { form: 'text', doc: 'Subcategory of the application that calls.' },
  sourceVersion: { form: 'text', doc: "Version of the application that calls; relctl's own when left out." },
  sendSourceApplication: { form: 'yes-no', fallback: true, doc: 'Say at all which application calls.' },
  credentialsCode: {
    form: 'text',
    doc: 'Codes, separated by commas, by which this service refuses credentials, besides the usual ones.',
  },
  headers: {
    flag: 'header',
    environment: 'RELCTL_HEADERS',
    form: 'headers',
    isSecret: true,
    doc: 'HTTP headers for the gateway in front of the service; in the variable a line NAME: VALUE each.',
  },
  gatewayUser: { form: 'login', doc: 'User name for a gateway that wants a login by HTTP (Basic).' },
  gatewayPassword: { form: 'text', isSecret: true, doc: 'Password of that user.' },
  gatewayToken: { form: 'token', isSecret: true, doc: 'Token for a gateway that wants one (Bearer).' },
  allowedValues: {
    flag: 'allow-value',
    environment: 'RELCTL_ALLOWED_VALUES',
    form: 'allowed-values',
    doc: 'Values of enumerations that this service has besides those of the interface document: NAME=VALUE, with commas between.',
  },
  firstPage: { form: 'whole', bounds: [0, 1], fallback: 1, doc: 'Number of the first page of a list: 0 or 1.' },
  pageSize: {
    form: 'whole',
    bounds: [1, 1_000_000],
    fallback: 100,
    doc: 'Rows to ask for in one call; a whole list without field values is first asked for 1,000, or what calibration found.',
  },
  listEnd: {
    form: 'choice',
    choices: ['empty', 'absent'],
    fallback: 'empty',
    doc: 'How the service marks the end of a list: a page whose list is empty or nil, or one where it is absent as well.',
  },
  connectTimeout: { form: 'duration', bounds: [1, anHour], fallback: 10, doc: 'Longest time to connect.' },
  tlsTimeout: {
    form: 'duration',
    bounds: [1, anHour],
    fallback: 10,
    doc: 'Longest time for the TLS handshake.',
  },
  firstByteTimeout: {
    form: 'duration',
    bounds: [1, anHour],
    fallback: 120,
    doc: 'Longest wait for the answer to begin.',
  },
  idleTimeout: {
    form: 'duration',
    bounds: [1, anHour],
    fallback: 30,
    doc: 'Longest silence within an answer.',
  },
  timeout: { form: 'duration', bounds: [1, 24 * anHour], fallback: 600, doc: 'Longest time for one call.' },
  timeZone: {
    form: 'zone',
    doc: "Time zone of times that name none, such as Europe/Amsterdam; the machine's when left out.",
  },
  country: {
    form: 'country',
    doc: 'Country where telephone numbers without a country are dialled, by ISO 3166: NL, BE, DE.',
  },
  retries: {
    form: 'whole',
    bounds: [0, 20],
    fallback: 2,
    doc: 'How often a read is repeated after a failure that passes.',
  },
  proxy: { form: 'text', isSecret: true, doc: 'URL of the HTTP proxy.' },
  noProxy: { form: 'text', doc: 'Hosts to reach without the proxy.' },
  caFile: { form: 'file', doc: 'PEM file of authorities to trust as well.' },
  clientCertFile: { flag: 'client-cert', form: 'file', doc: 'PEM file of the client certificate.' },
  clientKeyFile: { flag: 'client-key', form: 'file', doc: 'PEM file of its private key.' },
  clientKeyPassphrase: { form: 'text', isSecret: true, doc: 'Passphrase of the private key.' },
  insecureTls: {
    flag: 'insecure',
    form: 'yes-no',
    fallback: false,
    doc: 'Take any certificate. For a test service only.',
  },
  mirror: {
    form: 'postgres',
    doc: 'PostgreSQL database that holds the mirror, without a password; a file of this machine when left out.',
  },
  mirrorSchema: { form: 'schema', doc: 'Schema of that mirror; relctl when left out.' },
  mirrorPassword: { form: 'text', isSecret: true, doc: 'Password of the user of that database.' },
  output: {
    flag: 'default-output',
    environment: 'RELCTL_OUTPUT',
    form: 'choice',
    choices: textFormatNames,
    doc: `Output format when none is asked for: ${textFormatNames.slice(0, -1).join(', ')} or ${textFormatNames.at(-1) ?? ''}.`,
  },
  excel: { form: 'yes-no', fallback: false, doc: 'Write CSV as Excel opens it, as --excel does.' },
  settleBy: {
    form: 'settle-by',
    doc: 'Imported operations by which --settle finds what writes added: WRITE=READ(PARAMETER).LIST, with commas between.',
  },
  ledger: { form: 'yes-no', fallback: true, doc: 'Keep what is written to this service in the ledger of writes.' },
  protected: { form: 'yes-no', fallback: false, doc: 'Ask before anything is written to this service.' },
} as const satisfies Record<string, Declared>;

/** Name of a setting. */
export type SettingName = keyof typeof declared;

/** `pageSize` has the flag `page-size` and the variable `RELCTL_PAGE_SIZE`. */
function named(name: string, setting: Declared): Setting {
  const { flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) } = setting;
  return { flag, environment: `RELCTL_${flag.toUpperCase().replaceAll('-', '_')}`, ...setting };
}

/** The settings by their names. */
export const settings = Object.fromEntries(
  Object.entries<Declared>(declared).map(([name, setting]) => [name, named(name, setting)]),
) as { readonly [Name in SettingName]: (typeof declared)[Name] & Pick<Setting, 'flag' | 'environment'> };

/** The settings with their names, in order. */
export const settingEntries = Object.entries(settings) as readonly (readonly [SettingName, Setting])[];

function wrong(what: string, path: string): RelctlError {
  return usage(path, `${path} ${what}`);
}

function checkedWhole(text: string, path: string, [least, most]: readonly [number, number]): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw wrong(`takes a whole number from ${least} to ${most}, not '${text}'`, path);
}

/** The seconds of a length of time: a number without a unit counts them too. */
function checkedSeconds(text: string, path: string, [least, most]: readonly [number, number]): number {
  const seconds = (readSeconds(text) ?? Number.NaN) / 1000;
  if (Number.isInteger(seconds) && seconds >= least && seconds <= most) return seconds;
  const bounds = `from ${durationText(least * 1000)} to ${durationText(most * 1000)} in whole seconds`;
  throw wrong(`takes a length of time such as 30s or 5m, ${bounds}, not '${text}'`, path);
}

function checkedYesNo(text: string, path: string): boolean {
  const value = readYesNo(text);
  if (value !== undefined) return value;
  throw wrong(`takes ${yesNoWords}, not '${text}'`, path);
}

const checks: Readonly<Record<Setting['form'], (text: string, path: string, setting: Setting) => SettingValue>> = {
  url: checkedUrl,
  guid: (text, path, { isSecret }) => {
    const guid = pastedGuid(text);
    if (guid !== undefined) return guid;
    throw wrong(
      isSecret === true ? 'takes a GUID such as 6f9619ff-8b86-d011-b42d-00c04fc964ff' : `takes a GUID, not '${text}'`,
      path,
    );
  },
  whole: (text, path, { bounds }) => checkedWhole(text, path, bounds ?? [0, Number.MAX_SAFE_INTEGER]),
  duration: (text, path, { bounds }) => checkedSeconds(text, path, bounds ?? [0, Number.MAX_SAFE_INTEGER]),
  choice: (text, path, { choices = [] }) => {
    const choice = inAnyCase(text, choices);
    if (choice !== undefined) return choice;
    // Of versions, one is as near as the other.
    const near = /[a-z]/i.test(text) ? nearest(text, choices) : undefined;
    const hint = near === undefined ? undefined : `${path.startsWith('--') ? `${path} ` : ''}${near}`;
    throw usage(path, `${path} takes ${choices.join(', ')}, not '${text}'`, hint);
  },
  'yes-no': checkedYesNo,
  zone: (text, path) => {
    if (isZone(text)) return text;
    throw wrong(`takes a time zone such as Europe/Amsterdam, not '${text}'`, path);
  },
  country: (text, path) => {
    const country = inAnyCase(text, countryCodes);
    if (country !== undefined) return country;
    // What people write for it; by ISO 3166 it is another one's.
    const hint = text.toUpperCase() === 'UK' && path.startsWith('--') ? `${path} GB` : undefined;
    throw usage(path, `${path} takes a country by ISO 3166, such as NL, not '${text}'`, hint);
  },
  postgres: (text, path) => {
    // Who the user is when none is named is known where it is used.
    readPostgresAddress(text, { path, variables: { PGUSER: '' } });
    return text;
  },
  schema: readSchema,
  path: checkedPath,
  headers: (text, path) => {
    readHeaders(text, path);
    return text;
  },
  login: checkGatewayUser,
  token: checkToken,
  'settle-by': (text, path) => {
    readSettleBy(text, path);
    return text;
  },
  'allowed-values': (text, path) => {
    readAllowedValues(text, path);
    return text;
  },
  text: (text) => text,
  file: (text) => text,
};

/**
 * The value that a text stands for. Throws `usage`; the message never shows a secret.
 * @param path how the user wrote it: a flag, a variable, a setting of a profile
 */
export function checkedSetting(name: SettingName, text: string, path: string): SettingValue {
  const setting: Setting = settings[name];
  return checks[setting.form](text, path, setting);
}
