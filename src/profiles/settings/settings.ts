import { readYesNo, yesNoWords, pastedGuid } from '../../core/text/scalars.js';
import { durationText, readRate, readSeconds } from '../../core/text/time/moment.js';
import { inAnyCase, nearest } from '../../core/text/text.js';
import {
  readSettleBy,
  checkGatewayUser,
  checkToken,
  readHeaders,
  wrong,
  checkedPath,
  checkedUrl,
  lineWith,
  readAllowedValues,
} from './forms.js';
import { isZone } from '../../core/text/time/zone.js';
import { perhaps, usage } from '../../core/errors/relctl-error.js';
import { textFormatNames } from '../../formats/writers/index.js';

/** The values that a setting may hold. */
export type SettingValue = string | number | boolean;

interface Facts {
  readonly choices?: readonly string[];
  /** Bounds of a whole number, or of a length of time in seconds, both allowed. */
  readonly bounds?: readonly [least: number, most: number];
  readonly isSecret?: true;
}

function checkedWhole(text: string, path: string, [least, most]: readonly [number, number]): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw wrong(`takes a whole number from ${least} to ${most}, not '${text}'`, path);
}

function checkedSeconds(text: string, path: string, [least, most]: readonly [number, number]): number {
  const seconds = (readSeconds(text) ?? Number.NaN) / 1000;
  if (Number.isInteger(seconds) && seconds >= least && seconds <= most) return seconds;
  const bounds = `from ${durationText(least * 1000)} to ${durationText(most * 1000)} in whole seconds`;
  throw wrong(`takes a length of time such as 30s or 5m, ${bounds}, not '${text}'`, path);
}

type Check = (text: string, path: string, facts: Facts) => SettingValue;

const checks = {
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
    const hint = near === undefined || !path.startsWith('--') ? near : lineWith(path, near);
    throw usage(path, `${path} takes ${choices.join(', ')}, not '${text}'`, hint);
  },
  'yes-no': (text, path) => {
    const value = readYesNo(text);
    if (value !== undefined) return value;
    throw wrong(`takes ${yesNoWords}, not '${text}'`, path);
  },
  zone: (text, path) => {
    if (isZone(text)) return text;
    throw wrong(`takes a time zone such as Europe/Amsterdam, not '${text}'`, path);
  },
  path: checkedPath,
  headers: (text, path) => {
    readHeaders(text, path);
    return text;
  },
  login: checkGatewayUser,
  token: checkToken,
  rate: (text, path) => {
    if (readRate(text) !== undefined) return text;
    throw wrong(`takes a number in a second or a minute such as 10/s or 30/m, not '${text}'`, path);
  },
  country: (text, path) => {
    const country = text.toUpperCase();
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    if (/^[A-Z]{2}$/.test(country) && names.of(country) !== undefined) return country;
    throw wrong(`takes the two letters of a country, such as NL or GB, not '${text}'`, path);
  },
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
} satisfies Readonly<Record<string, Check>>;

/** A setting of a profile. */
export interface Setting extends Facts {
  /**
   * Flag of `profile add` and `edit`, without its dashes; a secret has `--FLAG-stdin` and `--FLAG-from` instead. A setting
   * without a flag is set by `--set`, and a secret without one by `--secret`.
   */
  readonly flag?: string;
  readonly environment: string;
  readonly form: keyof typeof checks;
  readonly fallback?: SettingValue;
  readonly doc: string;
}

type Declared = Omit<Setting, 'environment'>;

const anHour = 3600;

const duration = (fallback: number, doc: string, bounds: readonly [least: number, most: number] = [1, anHour]) =>
  ({ form: 'duration', bounds, fallback, doc }) as const;

const yesNo = (fallback: boolean, doc: string) => ({ form: 'yes-no', fallback, doc }) as const;

const whole = (bounds: readonly [least: number, most: number], fallback: number, doc: string) =>
  ({ form: 'whole', bounds, fallback, doc }) as const;

/**
 * Every setting, in the order in which they are shown and asked for: the only place where names, forms and defaults are
 * written.
 */
const declared = {
  baseUrl: {
    flag: 'base-url',
    form: 'url',
    doc: 'Base URL of the service, or the full URL of its .asmx page.',
  },
  path: { form: 'path', doc: 'Path of the service below the base URL; the default is /V1/service.asmx.' },
  namespace: { flag: 'namespace', form: 'text', doc: 'XML namespace of the service.' },
  soapVersion: { form: 'choice', choices: ['1.1', '1.2'], fallback: '1.2', doc: 'SOAP version.' },
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
    doc: 'Form of the header SOAPAction of SOAP 1.1.',
  },
  apiKey: { flag: 'api-key', form: 'guid', isSecret: true, doc: 'Key of the API, a GUID.' },
  databaseId: { flag: 'database-id', form: 'guid', doc: 'Database to work on, a GUID.' },
  userId: { flag: 'user-id', form: 'guid', doc: 'User to work as, a GUID.' },
  userName: { flag: 'user-name', form: 'text', doc: 'Name of the user.' },
  password: { flag: 'password', form: 'text', isSecret: true, doc: 'Password of the user.' },
  sourceApplication: { form: 'text', fallback: 'relctl', doc: 'Name of the application that calls.' },
  sourceCategory: { form: 'text', doc: 'Category of the application that calls.' },
  sourceSubcategory: { form: 'text', doc: 'Subcategory of the application that calls.' },
  sourceVersion: { form: 'text', doc: 'Version of the application that calls; the default is that of relctl.' },
  sendSourceApplication: yesNo(true, 'Send the application data with each call.'),
  credentialsCode: {
    form: 'text',
    doc: 'Additional result codes, separated by commas, that mean refused credentials.',
  },
  headers: {
    form: 'headers',
    isSecret: true,
    doc: 'HTTP headers for the gateway in front of the service; in the variable one line NAME: VALUE for each.',
  },
  gatewayUser: { form: 'login', doc: 'User name for a gateway with HTTP Basic authentication.' },
  gatewayPassword: { form: 'text', isSecret: true, doc: 'Password of that user.' },
  gatewayToken: { form: 'token', isSecret: true, doc: 'Bearer token for a gateway.' },
  allowedValues: {
    form: 'allowed-values',
    doc: 'Additional values of enumerations of this service: NAME=VALUE, separated by commas.',
  },
  firstPage: whole([0, 1], 1, 'Number of the first page of a list: 0 or 1.'),
  pageSize: whole(
    [1, 1_000_000],
    100,
    'Rows per call; for a whole list without field values, relctl starts with 1,000, or with the result of calibration.',
  ),
  listEnd: {
    form: 'choice',
    choices: ['empty', 'absent'],
    fallback: 'empty',
    doc: 'How the service marks the end of a list: a page whose list is empty or nil, or also one whose list is absent.',
  },
  connectTimeout: duration(10, 'Time limit to connect.'),
  tlsTimeout: duration(10, 'Time limit for the TLS handshake.'),
  firstByteTimeout: duration(120, 'Time limit until the answer begins.'),
  idleTimeout: duration(30, 'Time limit between two parts of an answer.'),
  timeout: duration(600, 'Time limit for one call.', [1, 24 * anHour]),
  timeZone: {
    form: 'zone',
    doc: 'Time zone of times without one, such as Europe/Amsterdam; the default is that of the machine.',
  },
  retries: whole([0, 20], 2, 'How often relctl retries a read after a temporary failure.'),
  proxy: { form: 'text', isSecret: true, doc: 'URL of the HTTP proxy.' },
  noProxy: { form: 'text', doc: 'Hosts that relctl calls without the proxy.' },
  caFile: { form: 'file', doc: 'PEM file of additional trusted authorities.' },
  clientCertFile: { form: 'file', doc: 'PEM file of the client certificate.' },
  clientKeyFile: { form: 'file', doc: 'PEM file of its private key.' },
  clientKeyPassphrase: { form: 'text', isSecret: true, doc: 'Passphrase of the private key.' },
  insecureTls: yesNo(false, 'Accept any certificate. For a test service only.'),
  cookies: yesNo(true, 'Send cookies of the service back to it, within one run.'),
  insecureHTTPParser: yesNo(
    false,
    'Accept answers that violate HTTP, as far as Node can read them: folded headers, padded chunk sizes.',
  ),
  output: {
    form: 'choice',
    choices: textFormatNames,
    doc: `Default output format: ${textFormatNames.slice(0, -1).join(', ')} or ${textFormatNames.at(-1) ?? ''}.`,
  },
  progress: yesNo(false, 'Report the progress of a list, also without a terminal.'),
  excel: yesNo(false, 'Write CSV for Excel, as --excel does.'),
  country: {
    form: 'country',
    doc: 'Country of the spreadsheets for --excel, two letters such as GB; the default is a country with decimal commas.',
  },
  settleBy: {
    form: 'settle-by',
    doc: 'Imported operations with which --settle finds added records: WRITE=READ(PARAMETER).LIST, separated by commas.',
  },
  rate: {
    form: 'rate',
    doc: 'Rate limit for written rows, and for relations that a sync reads one by one: 10/s, 30/m.',
  },
  maxRows: whole([1, 10_000_000], 10_000, 'Maximum number of rows in a file that relctl writes.'),
  maxStaleness: duration(
    60,
    'Maximum age of the data of a record when relctl writes it; relctl reads older data again.',
    [0, anHour],
  ),
  checkIds: yesNo(true, 'Check the Ids in rows to write against the mirror, if there is one.'),
  ledger: yesNo(true, 'Log the writes to this service in the ledger.'),
  askBeforeWrites: yesNo(true, 'Ask in a terminal before each write, unless --yes is set.'),
  protected: yesNo(false, 'Ask before each write, regardless of --yes and askBeforeWrites; a script needs --confirm.'),
} as const satisfies Record<string, Declared>;

/** Name of a setting. */
export type SettingName = keyof typeof declared;

/** `pageSize` has the variable `RELCTL_PAGE_SIZE`. */
const withVariable = (name: string, setting: Declared): Setting => ({
  environment: `RELCTL_${name.replace(/[a-z](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, '$&_').toUpperCase()}`,
  ...setting,
});

/** The settings by their names. */
export const settings = Object.fromEntries(
  Object.entries<Declared>(declared).map(([name, setting]) => [name, withVariable(name, setting)]),
) as { readonly [Name in SettingName]: (typeof declared)[Name] & Setting };

/** The settings with their names, in order. */
export const settingEntries = Object.entries(settings) as readonly (readonly [SettingName, Setting])[];

/** The setting of a name in any case of letters. Throws `usage` for a name that is none. @param path the flag that has it */
export function settingNamed(text: string, path: string): SettingName {
  const names = Object.keys(settings) as SettingName[];
  const name = names.find((each) => each.toLowerCase() === text.toLowerCase());
  if (name !== undefined) return name;
  throw usage(
    path,
    `${path}: there is no setting '${text}'`,
    perhaps(text, nearest(text, names), 'relctl help profiles'),
  );
}

/** The words of `profile edit` that give a setting a value, such as `--set retries=3`; a secret comes from stdin. */
export function editWords(name: SettingName, value = '…'): string {
  const { flag, isSecret }: Setting = settings[name];
  if (isSecret === true) return flag === undefined ? `--secret ${name}=-` : `--${flag}-stdin`;
  return flag === undefined ? `--set ${name}=${value}` : `--${flag} ${value}`;
}

/**
 * The value that a text stands for. Throws `usage`; the message never shows a secret.
 * @param path how the user wrote it: a flag, a variable, a setting of a profile
 */
export function checkedSetting(name: SettingName, text: string, path: string): SettingValue {
  const setting: Setting = settings[name];
  const check: Check = checks[setting.form];
  return check(text, path, setting);
}
