import { join } from 'node:path';
import type { RecordType } from '../contract/build.js';
import { RelctlError } from '../errors/relctl-error.js';
import { checkReplaceable, remember } from '../export/owned.js';
import type { PlainRecord } from '../output/cell.js';
import { allColumns, chosenColumns, type Column } from '../output/columns.js';
import { formats, type FormatName } from '../output/formats/index.js';
import type { Piece, Writer } from '../output/formats/format.js';
import { foldersOf } from '../profiles/folders.js';
import type { Context } from './context.js';
import { formatByName } from './export-jobs/output-files.js';
import { openFileTarget } from './file-target.js';
import { linesOf } from './flags/csv.js';
import type { OutputFlags } from './flags/output.js';
import { formatOf } from './output-choice.js';
import type { Session } from './session.js';

/** What is to be printed, and how it was asked for. */
export interface OutputRequest {
  readonly flags: OutputFlags;
  readonly record: RecordType;
  readonly shape: 'list' | 'single';
  /** Columns of a table when none are asked for. */
  readonly table?: readonly string[];
  /** What a person is told when there are no records: "Nothing found." when left out. */
  readonly blank?: string;
}

/** Takes records to where they are to go. */
export interface RecordOutput {
  write(records: readonly PlainRecord[]): Promise<void>;
  /** Ends the output; a file appears only now. */
  finish(): Promise<void>;
}

interface Target {
  write(piece: Piece): Promise<void>;
  finish(): Promise<void>;
}

/** Columns by the flags, else those of the record type, fewer of them in a table. Throws `usage`. */
export function columnsFor(format: FormatName, { flags, record, table }: OutputRequest): readonly Column[] {
  if (flags.columns !== undefined) return chosenColumns(record, flags.columns.split(','));
  return format === 'table' && table !== undefined ? chosenColumns(record, table) : allColumns(record);
}

/**
 * The format by flag, by the ending of the output file (.csv, .json.gz), by profile or environment, else a table for lists
 * and a card for one record. Throws `usage`.
 */
export function formatFor(context: Context, session: Session | undefined, { flags, shape }: OutputRequest): FormatName {
  const preferred = session?.output ?? context.environment.variables['RELCTL_OUTPUT'];
  return (
    formatOf(flags, formatByName(flags['output-file'] ?? '') ?? preferred) ?? (shape === 'list' ? 'table' : 'card')
  );
}

/** Where it is remembered which files relctl wrote. */
export function tracesFolder({ environment }: Context): string {
  return join(foldersOf(environment.platform, environment.variables).state, 'written');
}

function toSink({ streams }: Context, piece: Piece): Promise<void> {
  return typeof piece === 'string' ? streams.out.write(piece) : streams.out.writeBytes(piece);
}

function targetOf(context: Context, flags: OutputFlags): Target {
  const file = flags['output-file'];
  if (file === undefined || file === '-') {
    return { write: (piece) => toSink(context, piece), finish: () => Promise.resolve() };
  }
  const folder = tracesFolder(context);
  checkReplaceable(file, { folder, force: flags.force === true });
  const target = openFileTarget(context, file);
  return {
    write: (piece) => (typeof piece === 'string' ? target.write(piece) : target.writeBytes(piece)),
    async finish() {
      await target.finish();
      remember(folder, file);
    },
  };
}

/** Opens a writer for the records of a request. Throws `usage` before anything is called. */
export async function writerFor(
  context: Context,
  request: OutputRequest,
  { format, isContinued = false }: { readonly format: FormatName; readonly isContinued?: boolean },
): Promise<Writer<Piece>> {
  const { flags, shape } = request;
  const { out } = context.streams;
  const goesToFile = flags['output-file'] !== undefined && flags['output-file'] !== '-';
  return formats[format].open({
    columns: columnsFor(format, request),
    isChosen: flags.columns !== undefined,
    shape,
    isContinued,
    hasHeader: flags.header !== false,
    hasFormulaGuard: flags['csv-safe'] === true,
    lines: linesOf(flags),
    width: goesToFile ? undefined : out.width,
    hasColor: !goesToFile && out.hasColor && flags.color !== false,
  });
}

/** Throws `usage` for bytes that would go to a terminal. */
function refuseBytesOnTerminal({ streams }: Context, flags: OutputFlags, format: FormatName): void {
  const file = flags['output-file'];
  if (format !== 'xlsx' || !streams.out.isTerminal || (file !== undefined && file !== '-')) return;
  throw new RelctlError('usage', 'a workbook is not for a terminal', {
    facts: { path: '--output' },
    hint: '--output-file FILE.xlsx',
  });
}

/** Makes sure that an output can be opened, when it is opened only after the calls. Throws `usage` and `local`. */
export function checkOutput(context: Context, session: Session | undefined, request: OutputRequest): void {
  const { flags } = request;
  refuseBytesOnTerminal(context, flags, formatFor(context, session, request));
  const file = flags['output-file'];
  if (file === undefined || file === '-') return;
  checkReplaceable(file, { folder: tracesFolder(context), force: flags.force === true });
}

/** Opens the output of a command; columns are fixed before the first record. Throws `usage` and `local` before anything is called. */
export async function openOutput(
  context: Context,
  session: Session | undefined,
  request: OutputRequest,
): Promise<RecordOutput> {
  const { flags } = request;
  const format = formatFor(context, session, request);
  refuseBytesOnTerminal(context, flags, format);
  const writer = await writerFor(context, request, { format });
  const target = targetOf(context, flags);
  let isBegun = false;
  let count = 0;
  const begin = async (): Promise<void> => {
    if (isBegun) return;
    isBegun = true;
    await target.write(writer.begin());
  };
  return {
    async write(records) {
      await begin();
      count += records.length;
      await target.write(writer.records(records));
    },
    async finish() {
      await begin();
      await target.write(writer.end());
      await target.finish();
      await context.report({ rows: count });
      const isBlank = count === 0 && (format === 'table' || format === 'card') && flags.quiet !== true;
      if (isBlank) await context.streams.err.write(`${request.blank ?? 'Nothing found.'}\n`);
    },
  };
}
