import { renderWarning } from '../output/error.js';
import type { Note } from '../soap/values.js';
import type { Context } from './context.js';

interface QuietFlag {
  readonly quiet?: boolean | undefined;
}

const words: Record<Note['kind'], string> = {
  'missing-field': 'is missing though the contract requires it',
  'unknown-field': 'is not in the contract; it was kept',
  'bad-value': 'holds a value that does not fit its type; it was kept as text',
  'out-of-order': 'came out of order',
  'control-character': 'holds control characters; they were kept',
  'content-type': 'has an unexpected Content-Type',
  'late-nil': 'is marked nil but holds content',
};

/** Oddities that change what the data mean: everybody hears of them. */
const grave: ReadonlySet<Note['kind']> = new Set(['missing-field', 'bad-value', 'late-nil']);

/** Oddities for people who look. The rest lose nothing: `profile test` counts them, and a trace tells them. */
const telling: ReadonlySet<Note['kind']> = new Set(['unknown-field']);

/** Adds notes of one answer to those of a whole run: the same oddity is counted, not repeated. */
export function collectNotes(all: Note[], more: readonly Note[]): void {
  for (const each of more) {
    const at = all.findIndex((known) => known.kind === each.kind && known.path === each.path);
    const known = all[at];
    if (known === undefined) all.push(each);
    else all[at] = { ...known, count: known.count + each.count };
  }
}

/** Says on stderr what was odd about answers. Without a terminal only what changes the meaning of the data is said. */
export async function warnOfNotes(context: Context, flags: QuietFlag, notes: readonly Note[]): Promise<void> {
  for (const { kind, path, count, value } of notes) {
    if (!grave.has(kind) && !(telling.has(kind) && context.streams.err.isTerminal)) continue;
    const times = count > 1 ? ` (${count} times)` : '';
    await note(context, flags, `${path} ${words[kind]}${value === undefined ? '' : `: '${value}'`}${times}`);
  }
}

/** One line on stderr, unless --quiet; with JSON, kept for the one object that stderr gets. */
export async function note(context: Context, flags: QuietFlag, text: string): Promise<void> {
  if (flags.quiet === true) return;
  if (context.errorShape === 'json') context.notes.push(text);
  else await context.streams.err.write(renderWarning(text));
}
