import { isWatched, type Sink } from '../../formats/streams.js';
import { type RecordValue, defined } from '../../core/values/value.js';
import type { RecordType } from '../../contract/build.js';
import { checkReplaceable, checkUntouched, targetOf, type ListRecord } from '../../state/output-registry.js';
import { hasUnknownMembers, unknownMembersOf, reportUnknownMembers } from '../../formats/unknown-members.js';
import { escapeLayout } from '../../formats/escape.js';
import { allColumns, chosenColumns, columnsNamed, type Column, nilMembersOf } from '../../formats/columns.js';
import { formats, usualFormats, type FormatName } from '../../formats/writers/index.js';
import type { Display, Piece, Writer } from '../../formats/writers/format.js';
import type { Context } from '../host/context.js';
import type { Scope } from '../../formats/query/where/names.js';
import { isGzipName, openGzip } from '../../state/gzip.js';
import { openPartFile } from '../../state/part-file.js';
import { linesOf, refuseStyle, withExcelOf } from '../flags/csv.js';
import { fileOf, formatNamed, type OutputFlags, type WithNamesFlags } from '../flags/common.js';
import { note, noteInTerminal } from '../host/notes.js';
import { ownFiles, registryFolder } from './own-files.js';
import { chosenFormat } from './output-choice.js';
import type { Session } from '../session/session.js';
import { usage } from '../../core/errors/relctl-error.js';

/** What is to be printed, and how it was asked for. */
export interface OutputRequest {
  readonly flags: OutputFlags;
  readonly record: RecordType;
  readonly shape: 'list' | 'single';
  /** Columns of a table when none are asked for. */
  readonly table?: readonly string[];
  /** What a person is told when there are no records: "Nothing found." when left out. */
  readonly blank?: string;
  /** True when the command would do or give something else the next time: a write, a list since the last run. */
  readonly isOnce?: boolean;
  /** How many records to print of those that --sort has put in order. */
  readonly limit?: number | undefined;
  /** Every cell of a workbook is a text, whatever is typed into it. */
  readonly isForEdit?: boolean;
  /** The records passed --where before. */
  readonly isFiltered?: boolean;
  /** Columns that --where may name, and records have no member for. */
  readonly made?: Scope['made'];
  /** Stands for a list that is read whole, for what is remembered of its file. */
  readonly list?: string | undefined;
  /** Opens what takes the records one after the other, where that is not stdout or a file. */
  readonly openPlain?: (request: OutputRequest) => Promise<RecordOutput>;
}

/** Makes the text of records before they are written. */
export interface RowMaker {
  /** The text of a record; undefined for one that must be written as a record. */
  readonly text: (record: RecordValue) => string | undefined;
  /** How it is put together for records with these members; undefined where `text` makes it. */
  readonly layout?: Writer<Piece>['layout'];
}

/** What makes the rows of a writer; undefined where a row depends on its neighbours. A record beyond its type is reported. */
export function rowMaker({ row, layout }: Writer<Piece>, record: RecordType): RowMaker | undefined {
  if (row === undefined) return undefined;
  const isKnown = (name: string): boolean => Object.hasOwn(record.fields, name);
  return {
    text: (each) => (hasUnknownMembers(each, record) ? undefined : row(each)),
    ...defined({
      layout: layout && ((members: readonly string[]) => (members.every(isKnown) ? layout(members) : undefined)),
    }),
  };
}

/** Writes records to stdout or to a file. */
export interface RecordOutput {
  /** @param count number of records that these are rows of; one for each when left out */
  write(rows: readonly RecordValue[], count?: number): Promise<void>;
  /** Takes text in the place of records; undefined where it needs the records. */
  readonly ofText?: { readonly maker: RowMaker; write(text: Uint8Array, count: number): Promise<void> } | undefined;
  /** Ends the output; a file appears only now. */
  finish(): Promise<void>;
}

/** Where the pieces of an output go. */
export interface Target {
  write(piece: Piece): Promise<void> | void;
  finish(list: ListRecord | undefined): Promise<void>;
}

/** Columns by the flags, else those of the record type, fewer of them in a table. Throws `usage`. */
export function columnsFor(format: FormatName, { flags, record, table }: OutputRequest): readonly Column[] {
  if (flags.columns !== undefined) return chosenColumns(record, flags.columns);
  const { layout } = formats[format];
  if (layout === 'table' && table !== undefined) return columnsNamed(record, table);
  return allColumns(record);
}

/** The members with columns in an output that the service leaves nil in the records. Throws `usage`. */
export function nilMembersIn(format: FormatName, request: OutputRequest): readonly string[] {
  const { query, count } = request.flags;
  return query !== undefined || count === true ? [] : nilMembersOf(request.record, columnsFor(format, request));
}

/** The format by flag, by the ending of the output file (.csv, .json.gz), by profile or environment. Throws `usage`. */
function requestedFormat(
  context: Context,
  session: Session | undefined,
  { flags }: Pick<OutputRequest, 'flags'>,
): FormatName | undefined {
  const preferred = session?.output ?? context.environment.variables['RELCTL_OUTPUT'];
  return chosenFormat(flags) ?? (preferred === undefined ? undefined : formatNamed(preferred));
}

/** The format asked for, else a table for lists and a card for a record. Throws `usage`, also for flags without a meaning. */
export function formatFor(context: Context, session: Session | undefined, request: OutputRequest): FormatName {
  const format = requestedFormat(context, session, request) ?? usualFormats[request.shape];
  refuseStyle(request.flags, format);
  return format;
}

/** True where records may be shown with the names behind their Ids: asked for, by a column perhaps, or in a table. */
export const mayShowNames = (flags: OutputFlags & WithNamesFlags, format: FormatName): boolean =>
  flags['with-names'] === true || flags.columns !== undefined || formats[format].layout === 'table';

function toSink({ streams }: Context, piece: Piece): Promise<void> {
  return typeof piece === 'string' ? streams.out.write(piece) : streams.out.writeBytes(piece);
}

/** A file is written beside its place and renamed when complete. A symbolic link stays, and its target is replaced. */
export function openTarget(context: Context, flags: OutputFlags): Target {
  const named = fileOf(flags);
  if (named === undefined) return { write: (piece) => toSink(context, piece), finish: () => Promise.resolve() };
  const file = targetOf(named);
  const folder = registryFolder(context);
  const force = flags.force;
  const before = checkReplaceable(file, { folder, force });
  const part = openPartFile(file);
  context.onClose(() => part.discard());
  const gzip = isGzipName(named) ? openGzip((bytes) => part.write(bytes)) : undefined;
  const into = gzip ?? part;
  return {
    write: (piece) => into.write(typeof piece === 'string' ? Buffer.from(piece) : piece),
    async finish(list) {
      gzip?.end();
      checkUntouched(file, { before, force });
      const own = ownFiles(context, flags);
      part.putAs(file, (made) => own.add(file, { part: made, list }));
      await own.report();
    },
  };
}

/** What the records are: the words of the command, up to what is given to it. */
function recordsName({ environment: { argv } }: Context): string {
  const end = argv.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
  return argv.slice(0, end === -1 ? argv.length : end).join(' ');
}

interface OpenedFormat {
  readonly format: FormatName;
  readonly isContinued?: boolean;
  readonly isAsked?: boolean;
  /** The session whose profile has names for ids. */
  readonly session?: Session | undefined;
}

/** The writer, with text that does nothing to a terminal. Pipes and files get every character as it is. */
function neutral(
  writer: Writer<Piece>,
  { streams }: Context,
  to: { flags: OutputFlags; format: FormatName },
): Writer<Piece> {
  const isOnTerminal = isWatched(streams.out) && fileOf(to.flags) === undefined;
  if (!isOnTerminal || formats[to.format].audience === 'people') return writer;
  const escapePiece = (piece: Piece): Piece => (typeof piece === 'string' ? escapeLayout(piece) : piece);
  return {
    begin: () => escapePiece(writer.begin()),
    records: (batch) => escapePiece(writer.records(batch)),
    end: () => escapePiece(writer.end()),
    note: () => writer.note?.(),
  };
}

const lookOf = ({ width, hasColor }: Sink): Display => ({ width, hasColor });

/** Opens a writer for the records of a request. Throws `usage` before anything is called. */
export async function writerFor(
  context: Context,
  request: OutputRequest,
  { format, isContinued = false, isAsked = false, session }: OpenedFormat,
): Promise<Writer<Piece>> {
  const { flags, record, shape, isOnce = false, isForEdit = false } = request;
  const columns = columnsFor(format, request);
  const { audience, layout } = formats[format];
  const isChosen = flags.columns !== undefined;
  const nameOf =
    session && audience === 'people'
      ? await context.names.openColumnNames({ context, profile: session.profile, flags }, columns)
      : undefined;
  const writer: Writer<Piece> = await formats[format].open({
    columns,
    isChosen,
    shape,
    isContinued,
    hasHeader: !flags['no-header'],
    lines: linesOf(flags, isForEdit),
    sheet: { name: recordsName(context), isForEdit },
    display: {
      ...(fileOf(flags) === undefined ? lookOf(context.streams.out) : {}),
      isAsked,
      isOnce,
      nameOf,
      rest: (each) => unknownMembersOf(each, record),
    },
  });
  return neutral(reportUnknownMembers(writer, record, { layout, columns, isChosen }), context, { flags, format });
}

/** Throws `usage` for bytes that would go to a terminal. */
export function refuseBytesOnTerminal({ streams }: Context, flags: OutputFlags, format: FormatName): void {
  const { binary } = formats[format];
  if (binary === undefined || !isWatched(streams.out) || fileOf(flags) !== undefined) return;
  throw usage('--output', `${binary} cannot be printed in a terminal`, `--output-file list.${format}`);
}

/** Checks, and loads, what an output needs that is opened only after the calls. Throws `usage` and `local`. */
export async function checkOutput(
  context: Context,
  session: Session | undefined,
  request: OutputRequest,
): Promise<void> {
  const { flags } = request;
  const format = formatFor(context, session, request);
  refuseBytesOnTerminal(context, flags, format);
  await writerFor(context, request, { format });
  const file = fileOf(flags);
  if (file === undefined) return;
  checkReplaceable(file, { folder: registryFolder(context), force: flags.force });
}

async function reportFile(context: Context, flags: OutputFlags, count: number): Promise<void> {
  const file = fileOf(flags);
  if (file !== undefined) await noteInTerminal(context, flags, `${count} ${count === 1 ? 'row' : 'rows'} to ${file}`);
}

/** Opens an output that writes records as they come; columns are fixed before the first. Throws `usage` and `local`. */
export async function openPlainOutput(
  context: Context,
  session: Session | undefined,
  request: OutputRequest,
): Promise<RecordOutput> {
  const { flags, openPlain } = request;
  if (openPlain !== undefined) return openPlain(request);
  const format = formatFor(context, session, request);
  refuseBytesOnTerminal(context, flags, format);
  const isExplicit = requestedFormat(context, session, request) !== undefined;
  const excel = { ...request, flags: withExcelOf(flags, session, format) };
  const writer = await writerFor(context, excel, { format, isAsked: isExplicit, session });
  const target = openTarget(context, flags);
  let hasStarted = false;
  let count = 0;
  const begin = async (): Promise<void> => {
    if (hasStarted) return;
    hasStarted = true;
    await target.write(writer.begin());
  };
  return {
    async write(records, of = records.length) {
      await begin();
      count += of;
      await target.write(writer.records(records));
    },
    get ofText() {
      const maker = rowMaker(writer, request.record);
      return (
        maker && {
          maker,
          async write(text: Uint8Array, of: number) {
            await begin();
            count += of;
            await target.write(writer.placed === undefined ? text : writer.placed(text));
          },
        }
      );
    },
    async finish() {
      await begin();
      await target.write(writer.end());
      await target.finish(request.list === undefined ? undefined : { of: request.list, rows: count });
      await context.report({ rows: count });
      await reportFile(context, flags, count);
      const below = writer.note?.();
      if (below !== undefined) await note(context, flags, below);
      const isBlank = count === 0 && formats[format].audience === 'people' && !flags.quiet;
      if (isBlank) await context.streams.err.write(`${request.blank ?? 'Nothing found.'}\n`);
    },
  };
}
