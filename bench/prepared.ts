import type { RecordValue } from '../src/core/values/value.js';
import { operations } from '../src/contract/service.js';
import { writeResponse } from '../src/soap/wire/response.js';
import type { SoapVersion } from '../src/soap/wire/version.js';

/** Namespace of the prepared answers. */
export const namespace = 'http://relctl.example/bench/';

/** Records of a page. */
export const pageSize = 1000;

/** What a page's Ids begin with until it is known which page it is: eight hexadecimal digits. */
const mark = 'ffffffff';

function record(index: number, prefix: string): RecordValue {
  const tail = Math.imul(index + 1, 0x9e3779b1) >>> 0;
  const id = `${prefix}-${(index % 65536).toString(16).padStart(4, '0')}-4000-8000-${tail.toString(16).padStart(12, '0')}`;
  return {
    Id: id,
    EntityTypeId: '6f9619ff-8b86-d011-b42d-00c04fc964ff',
    Info: `Relatie ${index} — klant sinds 2009 & gevestigd in 's-Hertogenbosch`,
    SortingName: `Müller-Østergård ${index}`,
    DisplayName: `Mevr. A. Müller-Østergård <${index}>`,
    IsRoot: false,
    IsDummy: false,
    ImportKey: `IMP-${index}`,
    IsInactive: index % 7 === 0,
    FieldValues: null,
    CounterValues: null,
  };
}

function answer(records: readonly RecordValue[], version: SoapVersion): Buffer {
  const operation = operations.RelationGetAll;
  return Buffer.from(writeResponse({ operation, result: { Relations: records }, namespace, version }).body);
}

/** A page of RelationGetAll as it stands on the wire, made by a number. */
export interface PreparedPage {
  /** The page with this number: the same bytes but for the Ids, which no other page has. */
  bytes(number: number): Buffer;
}

function offsets(body: Buffer): number[] {
  const found: number[] = [];
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + 1)) found.push(at);
  return found;
}

const fieldIds = Array.from({ length: 5 }, (_, index) => `00000000-0041-4000-8000-00000000010${index}`);

/** The values of five fields. */
const fields = (index: number): RecordValue => ({
  Items: fieldIds.map((Id, at) => ({ Id, Value: `Waarde ${at} van ${index} & <meer>` })),
});

/** What a prepared page is to hold. */
export interface PageOptions {
  readonly count?: number;
  /** Five field values with each record. */
  readonly withFields?: boolean;
}

/** Prepares a page of records. */
export function preparedPage(version: SoapVersion, options: PageOptions = {}): PreparedPage {
  const { count = pageSize, withFields = false } = options;
  const records = Array.from({ length: count }, (_, index) => ({
    ...record(index, mark),
    FieldValues: withFields ? fields(index) : null,
  }));
  const body = answer(records, version);
  const places = offsets(body);
  return {
    bytes(number) {
      const page = Buffer.from(body);
      // Spread over all 32 bits, because Ids that services give are random.
      const digits = Buffer.from((Math.imul(number, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0'));
      for (const at of places) digits.copy(page, at);
      return page;
    },
  };
}

/** The page behind the last one. */
export const emptyPage = (version: SoapVersion): Buffer => answer([], version);

/** An answer of RelationGet. */
export function oneRelation(version: SoapVersion): Buffer {
  const operation = operations.RelationGet;
  const Relation = record(1, '00000000');
  return Buffer.from(writeResponse({ operation, result: { Relation }, namespace, version }).body);
}

function attachmentAnswer(
  operation: typeof operations.AttachmentGet | typeof operations.ActivityAddAttachment,
  version: SoapVersion,
  content: string,
): Buffer {
  const Attachment = {
    Id: '00000000-0021-4000-8000-000000000001',
    CreationDate: '2026-01-31T09:30:00',
    ModificationDate: '2026-01-31T09:30:00',
    FileName: 'bench.bin',
    ExternalDmsType: 0,
    Base64EncodedFile: content,
  };
  return Buffer.from(writeResponse({ operation, result: { Attachment }, namespace, version }).body);
}

/** An answer of AttachmentGet with a file of so many millions of bytes. */
export function attachment(version: SoapVersion, megabytes: number): Buffer {
  const piece = Buffer.from(Array.from({ length: 1_000_000 }, (_, index) => (index * 31) % 251));
  const content = Buffer.concat(Array.from({ length: megabytes }, () => piece)).toString('base64');
  return attachmentAnswer(operations.AttachmentGet, version, content);
}

/** An answer of ActivityAddAttachment. */
export const attachmentAdded = (version: SoapVersion): Buffer =>
  attachmentAnswer(operations.ActivityAddAttachment, version, '');
