import { resolve } from 'node:path';
import type { Claim } from '../client/pages.js';
import { RelctlError } from '../errors/relctl-error.js';
import type { Fingerprint } from '../export/fingerprint.js';
import { writeMeta } from '../export/meta.js';
import { runExport, type Exported } from '../export/run.js';
import type { FormatName } from '../output/formats/index.js';
import { shellWord } from '../lexical/shell.js';
import { isSandbox } from '../profiles/resolve.js';
import type { RecordValue } from '../soap/values.js';
import { durationMs } from './flags/export.js';
import { linesOf } from './flags/csv.js';
import { note } from './notes.js';
import { openProgress } from './progress.js';
import { columnsFor, tracesFolder, writerFor, type OutputRequest } from './record-output.js';
import type { ListPlan, Place, Walk } from './list-plan.js';

/** Formats that can be gone on with in the middle. */
const resumable: ReadonlySet<FormatName> = new Set(['csv', 'tsv', 'json', 'ndjson', 'yaml']);

/** True when a list goes to a file in a way that survives an interruption. */
export function isExport({ flags }: Place, format: FormatName): boolean {
  const file = flags['output-file'];
  return file !== undefined && file !== '-' && resumable.has(format);
}

function fingerprint(
  { session, flags }: Place,
  plan: ListPlan,
  request: { output: OutputRequest; format: FormatName },
): Fingerprint {
  const { url, namespace, credentials, pageSize, firstPage } = session.connection;
  const { output, format } = request;
  return {
    operation: plan.operation.name,
    parameters: JSON.stringify({ ...plan.input, limit: flags.limit ?? null, page: flags.page ?? null }),
    // The embedded service takes another port each time.
    url: isSandbox(session.profile) ? 'sandbox' : url,
    namespace,
    database: typeof credentials['DatabaseId'] === 'string' ? credentials['DatabaseId'] : '',
    format,
    columns: columnsFor(format, output)
      .map(({ title }) => title)
      .join(','),
    pageSize,
    firstPage,
    looks: JSON.stringify({ ...linesOf(flags), header: flags.header !== false, safe: flags['csv-safe'] === true }),
  };
}

function commandOf({ context }: Place): string {
  const words = context.environment.argv.filter((word) => word !== '--resume' && word !== '--restart');
  return ['relctl', ...words.map(shellWord)].join(' ');
}

async function summary(
  { context, flags }: Place,
  file: string,
  { claim, bytes, isResumed, passes }: Exported,
): Promise<void> {
  await context.report({ rows: claim.rows });
  if (!context.streams.err.isTerminal) return;
  const parts = [
    `${claim.rows} rows, ${claim.pages} pages, ${bytes} bytes to ${file}`,
    claim.duplicates > 0 ? `${claim.duplicates} duplicates dropped` : '',
    claim.retries > 0 ? `${claim.retries} retries` : '',
    isResumed ? 'resumed' : '',
    passes > 1 ? `${passes} passes` : '',
    `ended by ${claim.ended}`,
  ];
  await note(context, flags, parts.filter((part) => part !== '').join(', '));
}

/** What a list needs to be exported. */
export interface ExportRequest {
  readonly output: OutputRequest;
  readonly format: FormatName;
  readonly walk: Walk;
  readonly idOf: (record: RecordValue) => string | undefined;
  /** Times of the service's clock, first and last, as far as it tells them. */
  readonly serverTimes: readonly (string | undefined)[];
}

/** Exports a list to the file of --output-file, resumable. Throws what runExport throws. */
export async function exportList(place: Place, plan: ListPlan, request: ExportRequest): Promise<Claim> {
  const { context, session, flags } = place;
  const file = resolve(context.environment.workingFolder, flags['output-file'] ?? '');
  if (flags.resume === true && flags.restart === true) {
    throw new RelctlError('usage', '--resume and --restart exclude each other', { facts: { path: '--restart' } });
  }
  const progress = openProgress(context, flags);
  const { output, format, walk, idOf } = request;
  try {
    const exported = await runExport({
      file,
      job: fingerprint(place, plan, { output, format }),
      writer: (isContinued) => writerFor(context, output, { format, isContinued }),
      pages: walk,
      idOf,
      printed: plan.printed?.of ?? ((record) => record),
      consistent: flags.consistent === true,
      resume: flags.resume === true,
      restart: flags.restart === true,
      resumeCommand: commandOf(place),
      force: flags.force === true,
      lockWaitMs: durationMs(flags['lock-wait'], '--lock-wait') ?? 0,
      traces: tracesFolder(context),
      startedAt: context.clock.date().toISOString(),
      nowMs: context.clock.nowMs,
      signal: context.signal,
      onPage: ({ records }) => progress.page(records.length),
    });
    if (flags.meta === true) {
      await writeMeta(file, exported, {
        operation: plan.operation.name,
        parameters: plan.input,
        profile: session.profile.name,
        url: session.connection.url,
        format,
        columns: columnsFor(format, output).map(({ title }) => title),
        finishedAt: context.clock.date().toISOString(),
        serverTimes: request.serverTimes,
        version: context.version,
      });
    }
    await progress.end();
    await summary(place, file, exported);
    return exported.claim;
  } catch (thrown) {
    await progress.end();
    throw thrown;
  }
}
