import { isRecord, type RecordValue, type Value } from '../core/values/value.js';
import type { Field, NilMember, Operation, RecordType } from '../contract/build.js';
import { itemRecord, listedRecord, listOf, memberAt } from '../contract/walk.js';
import type { Note } from '../soap/codec/notes.js';
import type { Claim, Page } from '../client/pages.js';
import { recordOfRow, type IdOf, type Row } from '../client/rows/row.js';
import type { WalkState } from '../client/paging.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import { forMessage } from '../core/text/text.js';
import { readableIn } from '../client/connection.js';
import { cellText, hasColumn } from '../formats/columns.js';
import type { Context } from '../kit/host/context.js';
import type { FieldCatalogue } from './fields/catalogue.js';
import type { Printed } from './fields/included.js';
import type { OpenStart } from './open-start.js';
import { type ConnectionFlags, fileOf, type OutputFlags, type WithNamesFlags } from '../kit/flags/common.js';
import type { ExportFlags, ListMemberFlags, PagingFlags } from './list-flags.js';
import type { Session } from '../kit/session/session.js';
import { isGuid } from '../core/text/scalars.js';

/**
 * Id of a telephone book entry: that of its relation, which may be a record or an Id (the interface document does not show
 * it). A relation with several numbers may have several entries. Undefined when the entry has no Id.
 */
export function relationId(entry: RecordValue): string | undefined {
  const relation = entry['relation'];
  const id = isRecord(relation) ? relation['Id'] : relation;
  return typeof id === 'string' && (isRecord(relation) || isGuid(id)) ? id : undefined;
}

/** Middleware of a list, until all is written. An interrupted export of it is begun again. */
export interface ListMiddleware {
  /** Sees the pages before they are written, and may change their records. */
  readonly walk: (inner: Walk) => Walk;
  /** True for a record that says too little for a condition to be asked of it, and is not to be lost. */
  readonly isUnsure: (record: RecordValue, looksAt: ReadonlySet<string>) => boolean;
  /** Called when the output is complete. Throws `local` when what it keeps cannot be written. */
  readonly written: () => void;
}

/** The number of a page, and how many rows it may have. */
export interface PageNumber {
  readonly number: number;
  readonly size: number;
}

/** How a page of a list is asked for. */
export interface PageRequest {
  readonly of: (input: RecordValue, page: PageNumber) => RecordValue;
  /** False where the operation takes no page size. */
  readonly hasSize: boolean;
}

/** The request for a page of a list. */
export const pageInput = ({ request }: Pick<ListPlan, 'request'>, input: RecordValue, page: PageNumber): RecordValue =>
  request?.page?.of(input, page) ?? { ...input, pageNumber: page.number, pageSize: page.size };

/** What is put into the input of each call of a list. */
interface RequestForm {
  /** How a page is asked for, where not by pageNumber and pageSize. */
  readonly page?: PageRequest | undefined;
  /** The start of the period, where the input does not have it. */
  readonly start?: OpenStart | undefined;
}

/** Where the rows of an answer are, and what tells them apart. */
export interface AnswerForm {
  /** The records of the result that hold the list, outermost first; undefined where the result itself does. */
  readonly holders?: readonly string[];
  /** Id of a record; the default is its member Id. */
  readonly idOf?: IdOf | undefined;
  /** Checks the result of an operation without pages. Throws `not-found` or `bad-answer` when there is nothing to list. */
  readonly check?: (result: RecordValue) => void;
}

/** A list to fetch and to print. */
export interface ListPlan {
  readonly operation: Operation;
  readonly input: RecordValue;
  readonly request?: RequestForm;
  /** Member of the result that holds the list; in a plan about one relation it may hold a record instead. */
  readonly shows: string;
  readonly answer?: AnswerForm;
  /** Members of the result that are shown as further fields of each record; not for an operation with pages. */
  readonly beside?: readonly string[];
  readonly table: readonly string[];
  readonly printed?: Printed;
  /** The list of each record whose items get rows of their own in formats of cells, unless a flag says otherwise. */
  readonly explodes?: string;
  /** Looks up the fields that records have values of; without it the aliases of the profile name them. */
  readonly catalogue?: (() => Promise<FieldCatalogue>) | undefined;
}

/** The names that lead to the list in the result. */
export const listPath = ({ shows, answer }: Pick<ListPlan, 'shows' | 'answer'>): readonly string[] => [
  ...(answer?.holders ?? []),
  shows,
];

/** What --where asks of the records of a list, as they come. */
export interface Condition {
  readonly keeps: (record: RecordValue) => boolean;
  /** The members that it may look at; undefined for all. */
  readonly looksAt?: ReadonlySet<string>;
}

/** A list as its flags ask for it. */
export interface ResolvedPlan extends ListPlan {
  readonly where?: Condition | undefined;
  /** The state of the mirror that names in the printed records are from. */
  readonly names?: string;
}

/** An operation, without the members among what it leaves nil that records of the service did have. */
export function withoutFilled(operation: Operation, { profile: { filled } }: Pick<Session, 'profile'>): Operation {
  const { leavesNil = {} } = operation;
  const others = Object.entries(leavesNil).filter(([name]) => !filled.includes(name));
  if (others.length === Object.keys(leavesNil).length) return operation;
  return { ...operation, leavesNil: Object.fromEntries(others) };
}

/**
 * A plan by what the answers of its service hold beyond the contract, where the profile has its WSDL. A table has the columns
 * that are there. Throws `profile` and `local` when what the profile keeps is unreadable.
 */
export function readablePlan(session: Session, plan: ListPlan): ListPlan {
  const { connection } = session;
  const operation = withoutFilled(readableIn(connection, plan.operation), session);
  if (operation === plan.operation) return plan;
  const own = { ...plan, operation };
  if (showsRecord(own)) return own;
  const type = plan.printed?.type ?? itemType(own);
  return {
    ...own,
    table: [...new Set(plan.table.map((name) => nearestColumn(type, name)))].filter((name) => name !== ''),
  };
}

/** A column, or where the record has no such one, what it would be a part of; empty when that is not there either. */
function nearestColumn(type: RecordType, name: string): string {
  if (name === '' || hasColumn(type, name)) return name;
  return nearestColumn(type, name.slice(0, Math.max(0, name.lastIndexOf('.'))));
}

/** What is asked of one relation: a list, or the record that `shows` names. */
export type PlanOf = (relationId: string) => ListPlan | Promise<ListPlan>;

/** True for a plan of one record. */
export const showsRecord = ({ operation, shows }: ListPlan): boolean => operation.result[shows]?.type.kind === 'record';

const fieldOf = (plan: ListPlan): Field | undefined => memberAt(plan.operation.result, listPath(plan));

type ListRequest = Pick<ListPlan, 'operation' | 'input'>;

/** The members that the service leaves nil in the records of a list, as it is asked for. */
export const nilMembers = ({
  operation: { leavesNil = {} },
  input,
}: ListRequest): readonly (readonly [string, NilMember])[] =>
  Object.entries(leavesNil).filter(([, { parameter = '' }]) => input[parameter] !== true);

function withNilMembers(item: RecordType, request: ListRequest): RecordType {
  const fields = nilMembers(request).flatMap(([name, reason]) => {
    const field = item.fields[name];
    return field === undefined ? [] : [[name, { ...field, leftNil: reason }] as const];
  });
  return fields.length === 0 ? item : { ...item, fields: { ...item.fields, ...Object.fromEntries(fields) } };
}

/** An operation as it is asked, in whose result those members of its list are marked. */
export function withNilMarked({ operation, input }: ListRequest): Operation {
  if (operation.leavesNil === undefined) return operation;
  const result = Object.entries(operation.result).map(([name, field]) => {
    const record = listedRecord(field.type);
    if (record === undefined) return [name, field] as const;
    return [name, { ...field, type: { ...field.type, item: withNilMembers(record, { operation, input }) } }] as const;
  });
  return { ...operation, result: Object.fromEntries(result) };
}

/** The record type that a list has in its result, with the fields beside it. Throws `bug` when it has none. */
export function itemType(plan: ListPlan): RecordType {
  const { operation, shows, beside = [] } = plan;
  const type = listOf(fieldOf(plan)?.type);
  if (type === undefined) throw new RelctlError('bug', `${operation.name} has no list named ${shows}`);
  const item = withNilMembers(itemRecord(type), plan);
  if (beside.length === 0) return item;
  const more = Object.entries(operation.result).filter(([name]) => beside.includes(name));
  return { ...item, fields: { ...item.fields, ...Object.fromEntries(more) } };
}

/** True for a list of records: they may be rendered as they are decoded. */
export const isRecordList = (plan: ListPlan): boolean => listedRecord(fieldOf(plan)?.type) !== undefined;

function identityOf(value: Value): string {
  const texts = isRecord(value)
    ? ['Id', 'DisplayName', 'Name'].map((name) => [name, cellText(value[name])] as const)
    : [];
  const clauses = texts.flatMap(([name, text]) => (text === '' ? [] : [`${name} ${text}`]));
  return forMessage(clauses.length === 0 ? cellText(value) : clauses.join(', '), 200);
}

/**
 * The records of a result, each with the members beside them that are not nil. When there are no records, each of those
 * members becomes a note.
 * @param records those that are written
 */
export function withHolderMembers(
  records: readonly Row[],
  { beside = [] }: ListPlan,
  result: RecordValue,
): { readonly records: readonly Row[]; readonly notes: readonly Note[] } {
  const more = Object.entries(result).filter(([name, value]) => beside.includes(name) && value !== null);
  if (more.length === 0) return { records, notes: [] };
  if (records.length > 0)
    return { records: records.map((record) => ({ ...recordOfRow(record), ...Object.fromEntries(more) })), notes: [] };
  const notes = more.map(([path, value]) => ({ kind: 'no-rows', path, value: identityOf(value), count: 1 }) as const);
  return { records, notes };
}

/** What services write where there is not an Id: nothing, or the GUID of zeros in any form. */
const noId = /^[0{}()-]*$/;

/** Id of a record by its member Id; undefined when that is missing, empty or all zeros. */
export function ownId(record: RecordValue): string | undefined {
  const id = record['Id'];
  return typeof id === 'string' && !noId.test(id) ? id : undefined;
}

/** Gives the Id of a record by a plan. */
export const idIn = ({ answer }: Pick<ListPlan, 'answer'>): IdOf => answer?.idOf ?? ownId;

/** Flags of a list; not every list has those of pages and exports. */
export type ListFlags = ConnectionFlags &
  OutputFlags &
  Partial<PagingFlags & ExportFlags & ListMemberFlags> &
  WithNamesFlags & { readonly 'for-edit'?: boolean };

/** Where a plan runs. */
export interface ListRun {
  readonly context: Context;
  /** One text for each name of a record that the mirror resolved to an Id. */
  readonly mirrored?: readonly string[];
  readonly session: Session;
  readonly flags: ListFlags;
  /** The innermost first. */
  readonly middleware?: readonly ListMiddleware[];
}

/** True for a list that middleware sees whole. */
export const hasMiddleware = ({ middleware = [] }: Pick<ListRun, 'middleware'>): boolean => middleware.length > 0;

/** Path of the file that rows go to; undefined when they go to stdout. */
export function outputFileOf({ context, flags }: Omit<ListRun, 'session'>): string | undefined {
  const file = fileOf(flags);
  return file === undefined ? undefined : context.environment.pathOf(file);
}

/** Members of the result that a plan prints. */
export const printedMembers = (plan: ListPlan): readonly string[] => [listPath(plan).join('.'), ...(plan.beside ?? [])];

/** Reads the pages of a list, from where an earlier run stopped. */
export type Walk = (resume?: WalkState) => AsyncGenerator<Page, Claim>;
