import { openSync, readFileSync, statSync } from 'node:fs';
import { usage } from '../../../core/errors/relctl-error.js';
import { attempt } from '../../../state/own-file.js';
import { openPartFile, writeWhole } from '../../../state/part-file.js';
import { SyncedFile } from '../../../state/synced-file.js';
import { csvQuote } from '../../../core/text/text.js';
import { csvReader } from '../../../core/text/separated/csv.js';

/** What became of an attachment, as its results tell it; the order is that of the counts of a summary. */
export const fates = ['saved', 'there', 'refused', 'failed', 'not asked'] as const;

/**
 * What became of an attachment: `saved`; `there`, its file was there already, whole; `refused`, the service said no, or has no
 * such attachment; `failed`; `not asked`, its turn did not come.
 */
export type Fate = (typeof fates)[number];

/** What is reported of an attachment. */
export interface ResultLine {
  readonly id: string;
  readonly file?: string | undefined;
  readonly size?: number | undefined;
  readonly sha256?: string | undefined;
  /** `saving` is written before a file gets its name: a run that is killed just then leaves it, and the file whole or not there. */
  readonly outcome: Fate | 'saving';
  readonly words?: string | undefined;
  readonly at: string;
}

const titles = ['id', 'file', 'size', 'sha256', 'outcome', 'message', 'at'];

/** Size of results at most, in bytes: those of a million attachments are smaller. */
const mostBytes = 256 * 1024 * 1024;

const quoted = csvQuote(',');

const lineOf = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

const headLine = lineOf(titles);

const resultText = ({ id, file, size, sha256, outcome, words, at }: ResultLine): string =>
  lineOf([id, file ?? '', String(size ?? ''), sha256 ?? '', outcome, words ?? '', at]);

/** What an earlier run tells of a file that it saved, or was about to. */
export interface SavedFile extends ResultLine {
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
}

const isSha256 = /^[0-9a-f]{64}$/;

const isSaved = (outcome: string): outcome is 'saved' | 'there' | 'saving' =>
  outcome === 'saved' || outcome === 'there' || outcome === 'saving';

/** True for what is a name in a folder, and no way out of it. */
const isFileName = (file: string | undefined): file is string =>
  file !== undefined && !['', '.', '..'].includes(file) && !/[/\\]/.test(file);

function savedBy(cells: readonly string[]): SavedFile | undefined {
  const [id, file, size, sha256, outcome, , at] = cells;
  if (id === undefined || at === undefined || outcome === undefined) return undefined;
  const isWhole = isFileName(file) && /^\d{1,15}$/.test(size ?? '') && sha256 !== undefined && isSha256.test(sha256);
  return isWhole && isSaved(outcome) ? { id, file, size: Number(size), sha256, outcome, at } : undefined;
}

/**
 * The files that the results of earlier runs tell of, by the ids of their attachments; undefined when there are no results. A
 * last line without its end, which a killed run leaves, is passed over. Throws `usage` for a file that holds something else.
 */
export function readSaved(results: string): ReadonlyMap<string, SavedFile> | undefined {
  if (statSync(results, { throwIfNoEntry: false }) === undefined) return undefined;
  const text = textOf(results);
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  // What a run left that was killed while it made the file.
  if (text === '') return new Map();
  if (!whole.startsWith(headLine)) throw noResults(results);
  const saved = new Map<string, SavedFile>();
  const reader = csvReader(',');
  for (const { cells } of reader.push(whole.slice(headLine.length))) {
    const savedFile = savedBy(cells);
    if (savedFile !== undefined) saved.set(savedFile.id, savedFile);
  }
  return saved;
}

const noResults = (file: string): Error =>
  usage('--results', `${file} has no results of attachment get: relctl did not change it`, '--results FILE');

function textOf(file: string): string {
  return attempt(file, () => {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > mostBytes) throw noResults(file);
    return readFileSync(file, 'utf8');
  });
}

/** Results that grow while attachments come: each line is on the disk before the next thing is done. */
export class OpenResults {
  readonly #lines: SyncedFile;

  /** Makes the file, with what is known of earlier runs. Throws `local`. */
  constructor(file: string, known: Iterable<ResultLine>) {
    writeWhole(file, headLine + [...known].map(resultText).join(''));
    const handle = attempt(file, () => openSync(file, 'r+'));
    this.#lines = new SyncedFile(file, handle, statSync(file).size);
  }

  /** Writes a line, and returns when it is on the disk. Throws `local`. */
  async add(line: ResultLine): Promise<void> {
    await this.#lines.durable(this.#lines.write(Buffer.from(resultText(line))));
  }

  async close(): Promise<void> {
    await this.#lines.close().catch(() => undefined);
  }
}

/** Writes the results anew, a line for each attachment. The file is whole or as before. Throws `local`. */
export function writeResults(file: string, all: Iterable<ResultLine>): void {
  const part = openPartFile(file);
  try {
    part.write(Buffer.from(headLine));
    for (const resultLine of all) part.write(Buffer.from(resultText(resultLine)));
    part.putAs(file);
  } finally {
    part.discard();
  }
}
