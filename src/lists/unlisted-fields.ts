import { isRecord, type RecordValue } from '../core/values/value.js';
import { rmSync } from 'node:fs';
import { opt, recordWithoutPresence, req } from '../contract/build.js';
import { guid, string } from '../contract/scalars.js';
import { isOurs } from '../state/output-registry.js';
import { removeOwn } from '../state/own-file.js';
import { openNewFile, type NewFile } from './export/part.js';
import { filesOf, type ExportTarget } from './export/export-plan.js';
import type { ListRun } from './plan.js';
import { warnOfUnregistered } from '../kit/output/own-files.js';
import { writerFor } from '../kit/output/record-output.js';
import type { FieldColumns } from './fields/columns.js';
import { fieldItems } from './fields/included.js';

/** How many values came of fields that have no column, and of how many fields. */
export interface UnlistedTally {
  readonly values: number;
  readonly fields: number;
}

/** Finds and counts the values of fields that have no column. */
export interface UnlistedWatch extends UnlistedTally {
  add(records: readonly RecordValue[]): readonly RecordValue[];
}

/** Finds values of fields that have no column. Where columns come from the values, all have one. */
export function watchUnlisted({ known }: FieldColumns): UnlistedWatch {
  const columns = new Set(known?.map((id) => id.toLowerCase()));
  const seen = new Set<string>();
  let values = 0;
  const unlistedOf = (record: RecordValue): readonly RecordValue[] =>
    fieldItems(record).flatMap((item) => {
      const id = isRecord(item) ? item['Id'] : undefined;
      if (!isRecord(item) || typeof id !== 'string' || columns.has(id.toLowerCase())) return [];
      seen.add(id.toLowerCase());
      values += 1;
      return [{ Id: record['Id'] ?? null, FieldId: id, Value: item['Value'] ?? null }];
    });
  return {
    add: (records) => (known === undefined ? [] : records.flatMap(unlistedOf)),
    get values() {
      return values;
    },
    get fields() {
      return seen.size;
    },
  };
}

/** The note about values without a column. */
export function unlistedNote({ values, fields }: UnlistedTally, where: string): string {
  const [some, others] = [values === 1 ? '1 value' : `${values} values`, fields === 1 ? '1 field' : `${fields} fields`];
  return `${some} of ${others} that the workflow does not list ${values === 1 ? 'is' : 'are'} in ${where}`;
}

const LateValue = recordWithoutPresence('LateFieldValue', 'The value of a field that has no column.', {
  Id: opt(guid, 'The record.'),
  FieldId: req(guid, 'The field.'),
  Value: opt(string, 'The value as text.'),
});

/** FILE.fields.csv, which has the values of fields without a column. It is made when there are such values. */
export interface UnlistedFile {
  readonly file: string;
  readonly tally: UnlistedTally;
  add(records: readonly RecordValue[]): void;
  /** Renames the file to its name, or removes that of an earlier run when there are no values. Throws `local`. */
  finish(): Promise<void>;
  close(): void;
}

/** Opens FILE.fields.csv, written as FILE is. Its `add` throws `local` when relctl did not write the one that is there. */
export async function openUnlistedFile(
  run: ListRun,
  target: ExportTarget,
  fields: FieldColumns,
): Promise<UnlistedFile> {
  const { context } = run;
  const file = `${target.file}.fields.csv`;
  const flags = { ...run.flags, columns: undefined };
  const writer = await writerFor(context, { flags, record: LateValue, shape: 'list' }, { format: 'csv' });
  const tally = watchUnlisted(fields);
  let made: NewFile | undefined;
  return {
    file,
    tally,
    add(records) {
      const unlisted = tally.add(records);
      if (unlisted.length === 0) return;
      const begin = made === undefined ? writer.begin() : '';
      made ??= openNewFile({ ...target, file }, false);
      made.write([begin, writer.records(unlisted)]);
    },
    async finish() {
      if (made === undefined) {
        if (isOurs(target.registry, file)) rmSync(file, { force: true });
        return;
      }
      made.write([writer.end()]);
      const { unregistered: failure } = made.finish();
      if (failure !== undefined) await warnOfUnregistered(context, flags, { files: [file], failure });
    },
    close() {
      made?.discard();
      // A run that was killed may have left one.
      removeOwn(filesOf(file).part);
    },
  };
}
