import { findOperation } from '../../contract/service.js';
import type { DescribedCommand, DescribedFlag } from './described.js';

/** Commands that call no operation and only read: the mirror, the ledger, and what a profile keeps. */
const localReaders: ReadonlySet<string> = new Set([
  'bookmark:list',
  'bookmark:show',
  'find',
  'mirror:changes',
  'mirror:list',
  'mirror:status',
  'name:list',
  'operations',
  'sql',
  'whoami',
  'writes:list',
  'writes:show',
]);

/** Commands that are no tools although they call operations. */
const withheld: ReadonlySet<string> = new Set([
  // It sends files of this machine; the operation takes the content itself.
  'activity:attach',
  // It is about the profile, and writes to it.
  'profile:test',
]);

/** Whether a command is a tool, and of which kind; undefined for none. */
export function kindOfCommand({ id, operations = [] }: DescribedCommand): 'reads' | 'writes' | undefined {
  if (withheld.has(id)) return undefined;
  if (operations.length === 0) return localReaders.has(id) ? 'reads' : undefined;
  return operations.every((name) => findOperation(name)?.access === 'read') ? 'reads' : 'writes';
}

/** Stands for a flag without a group. */
const noGroup = '';

/**
 * Flags that a tool takes, by their groups in help. A flag that is not here is none of a tool: those that write files, keep
 * state, name other services or say how something looks.
 */
const offeredFlags: Readonly<Record<string, 'all' | readonly string[]>> = {
  CONTENT: 'all',
  FIELDS: 'all',
  FIND: 'all',
  'FOLLOW-UP': 'all',
  LINE: 'all',
  MEMBERS: 'all',
  PRODUCT: 'all',
  IDS: ['ids'],
  MIRROR: ['changed-since', 'gone', 'max-age', 'with-names'],
  OUTPUT: ['columns', 'count', 'explode', 'limit', 'query', 'sort', 'where'],
  PAGING: ['limit', 'page', 'page-size'],
  PERIOD: ['from', 'to'],
  'ROWS OF A FILE': ['row'],
  [noGroup]: [
    'campaign',
    'country',
    'datastore',
    'date-field',
    'depth',
    'entity-type',
    'field',
    'group',
    'legacy',
    'live',
    'only',
    'operation',
    'outcome',
    'param',
    'parents',
    'period',
    'rows',
    'since',
    'tables',
    'translation',
    'translations',
    'user',
    'workflow',
  ],
};

/** Values that are places of this machine: no tool takes one. */
const places: ReadonlySet<string> = new Set(['FILE', 'DIR', 'PLACE']);

/** The option whose value is a file of ids: a tool takes the ids themselves. */
export const idsFlag = 'ids';

/** True for a flag that a tool takes as a parameter. */
export function isOffered({ name, helpGroup = noGroup, helpValue = '' }: DescribedFlag): boolean {
  const offered = Object.hasOwn(offeredFlags, helpGroup) ? offeredFlags[helpGroup] : undefined;
  if (offered === undefined || (offered !== 'all' && !offered.includes(name))) return false;
  return name === idsFlag || ![helpValue].flat().some((place) => places.has(place));
}
