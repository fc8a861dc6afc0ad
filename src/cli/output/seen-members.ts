import { isRecord, type RecordValue } from '../../plain/value.js';
import type { Operation, RecordType } from '../../contract/build.js';
import { operations } from '../../contract/service.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { countBeyond } from '../../output/beyond.js';
import { membersOf, mergedMembers, type Members } from '../../profiles/kept/members.js';
import type { Context } from '../../host/context.js';
import { endOfTime } from '../flags/lists/period.js';
import { storedProfile } from '../session/profile-store.js';
import type { Session } from '../session/session.js';

/** Members beyond the contract that columns can name: those that the profile has seen in records of a type. */
export function seenMembers(context: Context, session: Session, type: string): readonly string[] {
  return membersOf(storedProfile(context, session) ?? {})[type] ?? [];
}

const freeParameters: ReadonlySet<string> = new Set(['pageNumber', 'pageSize', 'includeFields', 'includeCounters']);

/** Lists that can be read without an Id. */
const freeLists: readonly Operation[] = Object.values<Operation>(operations).filter(
  ({ access, deprecated, parameters }) =>
    access === 'read' && deprecated === undefined && Object.keys(parameters).every((name) => freeParameters.has(name)),
);

/** Records of each page that is looked at, and relations whose activities are. */
const [rows, relations] = [10, 3];

interface Look {
  readonly session: Session;
  readonly signal: AbortSignal;
}

const itemTypes = ({ result }: Operation): readonly RecordType[] =>
  Object.values(result).flatMap(({ type }) => (type.kind === 'list' && type.item.kind === 'record' ? [type.item] : []));

/** The records that a call brings, by the name of their type; none when the service does not have the operation. */
async function recordsBy(
  { session, signal }: Look,
  operation: Operation,
  input: RecordValue,
): Promise<ReadonlyMap<string, readonly RecordValue[]>> {
  try {
    const { result } = await session.client.callUntyped(operation, input, { signal });
    const lists = Object.entries(operation.result).flatMap(([name, { type }]) => {
      const value = result[name];
      const isList = type.kind === 'list' && type.item.kind === 'record' && Array.isArray(value);
      // Array.isArray gives any[] for a readonly array.
      return isList ? [[type.item.name, (value as readonly RecordValue[]).filter(isRecord)] as const] : [];
    });
    return new Map(lists);
  } catch (thrown) {
    signal.throwIfAborted();
    const { kind } = RelctlError.from(thrown);
    if (kind === 'bug' || kind === 'profile') throw thrown;
    return new Map();
  }
}

/** Any activity with a time of change shows the members; a start that no database refuses. */
const longAgo = '1900-01-01T00:00:00';

const includes = { includeFields: true, includeCounters: true };

function inputOf({ parameters }: Operation, firstPage: number): RecordValue {
  const all = { pageNumber: firstPage, pageSize: rows, ...includes };
  return Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(parameters, name)));
}

const idsOf = (records: readonly RecordValue[] = []): readonly string[] =>
  records.flatMap(({ Id }) => (typeof Id === 'string' ? [Id] : [])).slice(0, relations);

/**
 * Looks at the first records of every list that needs no Id, and at the activities of the first relations, for members that
 * the contract does not know. A list that the service does not give is passed over. Throws `interrupted` and `profile`.
 */
export async function lookForMembers(look: Look, firstPage: number): Promise<Members> {
  const found = new Map<string, Set<string>>();
  const take = async (operation: Operation, more: RecordValue = {}): Promise<readonly string[]> => {
    const records = await recordsBy(look, operation, { ...inputOf(operation, firstPage), ...more });
    for (const { name, fields } of itemTypes(operation)) {
      const counts = countBeyond(records.get(name) ?? [], { fields });
      const names = found.get(name) ?? new Set<string>();
      for (const each of Object.keys(counts ?? {})) names.add(each);
      if (names.size > 0) found.set(name, names);
    }
    return operation === operations.RelationGetAll ? idsOf(records.get('PvRelationData')) : [];
  };
  const ids: string[] = [];
  for (const operation of freeLists) ids.push(...(await take(operation)));
  const period = { from: longAgo, to: endOfTime };
  for (const relationId of ids) await take(operations.RelationGetActivitiesModified_V2, { relationId, ...period });
  return mergedMembers({}, Object.fromEntries([...found].map(([type, names]) => [type, [...names]])));
}
