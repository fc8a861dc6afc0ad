import { RelctlError } from '../core/errors/relctl-error.js';
import { shellWord } from '../core/text/shell/command.js';
import { escapeForTerminal } from '../formats/escape.js';
import type { Context } from '../kit/host/context.js';

/** A place in a file; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A mistake in a job file. */
export interface Mistake {
  readonly at: Position;
  readonly message: string;
}

/** Records a mistake; reading continues, so that all mistakes are reported at once. */
export type Report = (at: Position, message: string) => void;

const mostPrintedMistakes = 20;

const counted = (count: number): string => `${count} ${count === 1 ? 'mistake' : 'mistakes'}`;

/** How a file with mistakes is refused. */
export interface Refusal {
  readonly file: string;
  /** What was not done: `nothing was run`. */
  readonly undone: string;
}

/**
 * Prints every mistake as `FILE:LINE:COLUMN: what`, in the order of the file, and throws `usage`. Does nothing when there
 * are none.
 */
export async function refuseMistakes(
  context: Context,
  mistakes: readonly Mistake[],
  { file, undone }: Refusal,
): Promise<void> {
  if (mistakes.length === 0) return;
  const ordered = [...mistakes].sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
  const lines = ordered.map(({ at, message }) => `${file}:${at.line}:${at.column}: ${message}`);
  const shown = lines.slice(0, mostPrintedMistakes);
  if (lines.length > shown.length) shown.push(`and ${lines.length - shown.length} more`);
  if (context.errorShape === 'text')
    for (const line of shown) await context.streams.err.write(`${escapeForTerminal(line)}\n`);
  throw new RelctlError('usage', `${file} has ${counted(mistakes.length)}; ${undone}`, {
    facts: { path: file, code: 'job-file' },
    advice: 'Put the file right; each mistake has its line and column.',
    hint: file === '<stdin>' || process.platform === 'win32' ? '--dry-run' : `\${EDITOR:-vi} ${shellWord(file)}`,
    // In text they stand above.
    data: context.errorShape === 'text' ? undefined : ordered.map(({ at, message }) => ({ file, ...at, message })),
  });
}
