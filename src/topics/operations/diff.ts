import { exitWords } from '../../core/errors/kinds.js';
import { folderOfProfiles } from '../../kit/session/profile-store.js';
import { endpointOf } from '../../kit/session/connection.js';
import { connectionFlags, outputFlags, type CommonFlags } from '../../kit/flags/common.js';
import { switchFlag, type Values, option, repeated } from '../../kit/flags/define.js';
import { printRecords } from '../../kit/output/open-output.js';
import { openRoute, type ServiceRoute } from '../../kit/session/session.js';
import { wsdlUrl, refusedDocument } from '../../client/explain.js';
import { inRole, list, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { string } from '../../contract/scalars.js';
import {
  differencesFromContract,
  type ContractDifference,
  type How,
} from '../../profiles/descriptions/against-contract.js';
import { storedOfService } from '../../profiles/descriptions/stored.js';
import { loadingOf } from '../../profiles/descriptions/load.js';
import { RelctlError, usage, badAnswer } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { noteInTerminal } from '../../kit/host/notes.js';
import { defined, type RecordValue } from '../../core/values/value.js';
import { readDocuments } from '../../wsdl/reading/documents.js';
import { describe } from '../../wsdl/reading/operations.js';
import { readBounded } from '../../state/input-file.js';

function allowedOf(text: string, path: string): string {
  if (!/^https?:\/\//i.test(text) || URL.canParse(text)) return text;
  throw usage(path, `${path} takes an origin such as https://crm.example, or a folder, not '${text}'`);
}

/** The flag that says where documents may also come from. */
export const allowFlag = {
  allow: option(allowedOf, { helpValue: 'ORIGIN|FOLDER' })({
    ...repeated,
    summary: 'Also allow documents from this origin or folder; may be repeated.',
  }),
};

/** Makes what gets a document without credentials, by the way that calls take. It throws `bad-answer`, `no-answer` and `profile`. */
export function documentsOf(context: Context, { connection, send }: ServiceRoute) {
  return async (url: string, mostBytes: number): Promise<Buffer> => {
    const request = { method: 'GET', url, headers: { accept: 'text/xml' }, body: new Uint8Array(0) } as const;
    const response = await send(request, { limits: connection.limits, signal: context.signal });
    const isOwn = new URL(url).origin === new URL(connection.url).origin;
    const refused = refusedDocument({ ...response, url, isOwn }, connection);
    if (refused !== undefined) throw refused;
    if (response.status !== 200)
      throw badAnswer('wsdl', `${url} answered with HTTP ${response.status}`, { httpStatus: response.status });
    const bytes = await readBounded(response.body, mostBytes);
    if (bytes === undefined) throw badAnswer('wsdl-limit', `${url} has more than ${mostBytes} bytes`);
    return bytes;
  };
}

const none = 'no effect on commands';

/** A difference, and what commands do only after an import: nothing where the WSDL was imported. */
interface Of extends Pick<ContractDifference, 'isNeeded' | 'isShown' | 'contract' | 'service'> {
  readonly condition: '' | ' once it is imported';
}

const presenceWhenSent: Readonly<Record<string, (contract: string | undefined) => string>> = {
  Req: () => 'the service may refuse calls without it',
  Nil: (contract) => (contract === 'Opt' ? 'commands may omit it, and the service expects nil' : none),
  Opt: (contract) => (contract === 'Nil' ? 'commands send nil if it has no value' : none),
};

const presenceWhenRead: Readonly<Record<string, string>> = {
  Nil: 'it is always present, and may be nil',
  Opt: 'it may be missing',
};

const sent: Readonly<Record<How, (other: Of) => string>> = {
  more: ({ isNeeded }) => (isNeeded ? 'commands omit it, and the service may refuse them' : 'commands omit it'),
  less: () => 'commands send it if it has a value; the service may ignore or refuse it',
  name: () => 'commands use the name in the contract',
  type: () => 'commands send it as in the contract; the service may refuse it',
  order: () => 'commands send it in the order of the contract; the service may not read it there',
  presence: ({ contract, service }) => presenceWhenSent[service ?? '']?.(contract) ?? none,
  other: () => 'the service may refuse calls',
};

const read: Readonly<Record<How, (other: Of) => string>> = {
  more: ({ condition }) => (condition === '' ? 'printed' : `printed, with its type${condition}`),
  less: () => 'commands print nothing there',
  name: ({ condition }) => `read by this name${condition}`,
  type: ({ isShown: isReported, condition }) =>
    isReported ? 'relctl reads a value that does not match as text, with a note' : `read as the WSDL says${condition}`,
  order: () => none,
  presence: ({ service }) => presenceWhenRead[service ?? ''] ?? none,
  other: () => 'relctl may not be able to read answers',
};

function ofValue({ how, isSent, isRead }: ContractDifference, isImported: boolean): string {
  if (how === 'less') return isSent ? 'the service may refuse it' : 'the service does not send it';
  const known = isImported ? 'read like other values' : 'unknown until it is imported';
  return [isRead ? known : '', isSent ? 'commands omit it' : ''].filter((words) => words !== '').join('; ');
}

function consequenceOf(difference: ContractDifference, isImported: boolean): string {
  const { kind, how, isSent, isRead } = difference;
  const condition = isImported ? '' : ' once it is imported';
  if (kind === 'operation') return how === 'less' ? 'commands that call it fail' : `called by \`call\`${condition}`;
  if (kind === 'value') return ofValue(difference, isImported);
  if (kind === 'message' || kind === 'namespace') return 'calls or answers may fail';
  const of = { ...difference, condition } as const;
  const words = [...(isSent ? [sent[how](of)] : []), ...(isRead ? [read[how](of)] : [])];
  return words.filter((each) => each !== none).join('; ') || none;
}

/** Flags of `operations diff`. */
export const operationsDiffFlags = {
  live: switchFlag({ summary: 'Request the WSDL from the service now, instead of using the imported one.' }),
  ...allowFlag,
  'exit-code': switchFlag({ summary: `End with ${exitWords('different')} if something differs.` }),
  ...connectionFlags,
  ...outputFlags,
};

type DiffFlags = Values<typeof operationsDiffFlags> & CommonFlags;

/** What `operations diff` prints. */
export const ContractDifferenceLine = recordWithoutPresence(
  'ContractDifference',
  'A difference between the contract and the WSDL of a service.',
  {
    Kind: req(string, 'namespace, operation, message, parameter, member (of a record or a result) or value.'),
    Difference: req(string, 'added or missing in the WSDL; other name, type, order or presence; other.'),
    Where: inRole('key', req(string, 'The operation, record or enumeration.')),
    Name: inRole('key', opt(string, 'The parameter, member or value.')),
    Contract: opt(string, 'In the contract.'),
    Service: opt(string, 'In the WSDL.'),
    Meaning: inRole('words', req(string, 'Effect on commands.')),
    Commands: opt(list(string), 'Commands that use it.'),
  },
);

const table = ['Kind', 'Difference', 'Where', 'Name', 'Contract', 'Service', 'Meaning'];

async function comparedWsdl(
  context: Context,
  route: ServiceRoute,
  { live, allow = [] }: Pick<DiffFlags, 'live' | 'allow'>,
) {
  const { profile, connection } = route;
  const of = { folder: folderOfProfiles(context), profile: profile.name, service: endpointOf(profile) };
  const storedDescription = storedOfService(of);
  if (storedDescription !== undefined && !live) {
    const words = `the WSDL that was imported ${storedDescription.importedAt.slice(0, 10)}`;
    return { description: storedDescription.description, words, isImported: true };
  }
  const url = wsdlUrl(connection.url);
  const load = loadingOf({ get: documentsOf(context, route), allowed: allow });
  const description = describe(
    await readDocuments(url, load),
    storedDescription?.source === url ? storedDescription.port : undefined,
  );
  return { description, words: `the WSDL at ${url}`, isImported: false };
}

type CommandsOf = (operation: string) => readonly string[];

const lineOf = (contractDifference: ContractDifference, isImported: boolean, commandsOf: CommandsOf): RecordValue => {
  const { kind, how, where, name, contract, service, operations } = contractDifference;
  const commands = [...new Set(operations.flatMap(commandsOf))];
  return {
    Kind: kind,
    Difference: how,
    Where: where,
    ...defined({ Name: name, Contract: contract, Service: service }),
    Meaning: consequenceOf(contractDifference, isImported),
    ...(commands.length === 0 ? {} : { Commands: commands }),
  };
};

/**
 * Compares the WSDL that a profile keeps, or the one that its service gives now, with the contract, and prints each difference.
 * Throws `profile`, `bad-answer`, `no-answer`, `local`, and with --exit-code `different`.
 * @param commandsOf commands that call an operation, as they are typed
 */
export async function diffOperations(context: Context, flags: DiffFlags, commandsOf: CommandsOf): Promise<void> {
  const route = await openRoute(context, flags);
  const { description, words, isImported } = await comparedWsdl(context, route, flags);
  const differences = differencesFromContract(description, route.connection.namespace);
  const blank = 'No differences.';
  await printRecords(context, { flags, record: ContractDifferenceLine, shape: 'list', table, blank }, () =>
    differences.map((each) => lineOf(each, isImported, commandsOf)),
  );
  if (differences.length === 0) return;
  const summary = `${words} differs from the contract in ${differences.length} ${differences.length === 1 ? 'place' : 'places'}`;
  if (flags['exit-code']) throw new RelctlError('different', summary);
  await noteInTerminal(context, flags, summary);
}
