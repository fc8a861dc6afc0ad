import { statSync } from 'node:fs';
import { join } from 'node:path';
import { tracesFolder, type OwnFiles } from '../../../cli/output/own-files.js';
import { RelctlError } from '../../../errors/relctl-error.js';
import { declined } from '../../../errors/usage.js';
import { checkReplaceable, checkUntouched } from '../../../export/output-registry.js';
import { attempt } from '../../../files/failure.js';
import { openPartFile, type PartFile } from '../../../files/part-file.js';
import type { Context } from '../../../host/context.js';
import { canAsk } from '../../../host/may-ask.js';
import { confirm } from '../../../host/prompt.js';
import type { Piece, Writer } from '../../../output/formats/format.js';
import { formats } from '../../../output/formats/index.js';
import type { ExportTable } from './tables.js';
import { makeFolders } from '../../../files/own-file.js';

/** Formats of exported tables: those whose columns have types, or that every program reads. */
export const exportFormats = ['parquet', 'csv', 'tsv', 'ndjson'] as const;

/** One of them. */
export type ExportFormat = (typeof exportFormats)[number];

/** Where the files go, and how. */
export interface FilesPlan {
  readonly folder: string;
  readonly format: ExportFormat;
  /** Replace what relctl did not write. */
  readonly force: boolean;
  /** Registers the files. */
  readonly own: OwnFiles;
  readonly 'no-input'?: boolean | undefined;
}

/** The file of a table, which is not in its place yet. */
export interface TableFile {
  readonly table: ExportTable;
  readonly file: string;
  readonly writer: Writer<Piece>;
  readonly write: (piece: Piece) => void;
  /** Throws `local` when somebody else changed what stands in its place. */
  readonly check: () => void;
  /** Puts it in its place. Throws `local`. */
  readonly put: () => void;
}

interface Checked {
  readonly force: boolean;
  /** What stood in each place. */
  readonly before: readonly (string | undefined)[];
}

const isForeign = (thrown: unknown): boolean =>
  thrown instanceof RelctlError && thrown.kind === 'local' && thrown.facts.code === 'EEXIST';

/** Asks in a terminal whether files may be replaced that relctl did not write. Throws `local` and `usage`. */
async function checkFiles(context: Context, files: readonly string[], plan: FilesPlan): Promise<Checked> {
  const folder = tracesFolder(context);
  const looked = (force: boolean): Checked => ({
    force,
    before: files.map((file) => checkReplaceable(file, { folder, force })),
  });
  try {
    return looked(plan.force);
  } catch (thrown) {
    if (!isForeign(thrown) || !canAsk(context, plan)) throw thrown;
    const { message } = RelctlError.from(thrown);
    if (!(await confirm(context, `${message}. Replace the files of this export in ${plan.folder}?`))) {
      throw declined('nothing was written');
    }
    return looked(true);
  }
}

/** Makes a folder for its user alone, where there is none. Throws `local`. */
export function makeFolder(folder: string): void {
  const found = attempt(folder, () => statSync(folder, { throwIfNoEntry: false }));
  if (found !== undefined && !found.isDirectory()) {
    throw new RelctlError('local', `${folder} is no folder`, { facts: { code: 'ENOTDIR', path: folder } });
  }
  attempt(folder, () => makeFolders(folder));
}

/** The bytes of a piece. */
const bytesOf = (piece: Piece): Uint8Array => (typeof piece === 'string' ? Buffer.from(piece) : piece);

/**
 * Opens a file for each table, beside its place, so that a reader never sees half of one. Throws `local` for files that relctl
 * did not write, unless they may be replaced, and `usage` when the answer is no.
 */
export async function openFiles(
  context: Context,
  tables: readonly ExportTable[],
  plan: FilesPlan,
): Promise<readonly TableFile[]> {
  const { folder, format } = plan;
  const path = (name: string): string => join(folder, `${name}.${format}`);
  const { force, before } = await checkFiles(
    context,
    tables.map(({ name }) => path(name)),
    plan,
  );
  const open = async (table: ExportTable, at: number): Promise<TableFile> => {
    const file = path(table.name);
    const part: PartFile = openPartFile(file);
    context.onClose(() => part.discard());
    const usual = { isChosen: false, shape: 'list', hasHeader: true, width: undefined, hasColor: false } as const;
    return {
      table,
      file,
      writer: await formats[format].open({ ...usual, columns: table.columns }),
      write: (piece) => part.write(bytesOf(piece)),
      check: () => checkUntouched(file, { before: before[at], force }),
      put() {
        part.putAs(file, (made) => plan.own.add(file, { part: made }));
      },
    };
  };
  return Promise.all(tables.map(open));
}
