import { isWatched, widthOfLines } from '../../formats/streams.js';
import { renderWarning } from '../../formats/error.js';
import type { Note } from '../../soap/codec/notes.js';
import type { Context } from './context.js';

/** The flag that keeps notes back. */
export interface QuietFlag {
  readonly quiet?: boolean | undefined;
}

/** A note as it is printed; `beside` is a member of a result that the output does not hold. */
type AnswerNote = Omit<Note, 'kind'> & { readonly kind: Note['kind'] | 'beside' };

const words: Record<AnswerNote['kind'], string> = {
  beside: 'is not in the contract and not in the output',
  'missing-field': 'is missing though the contract requires it',
  'unknown-field': 'is not in the contract',
  'bad-value': 'has a value that does not match its type; relctl reads it as text',
  'unexpected-elements': 'has child elements that its type does not have; relctl includes them',
  'stray-text': 'has text beside its members; relctl includes it',
  'other-item': 'does not have the name that the contract gives to items of this list; relctl reads it as an item',
  'out-of-order': 'came out of order',
  'control-character': 'has control characters; relctl includes them',
  'content-type': 'has an unexpected Content-Type',
  'content-encoding': 'has an invalid Content-Encoding; relctl ignored it',
  'leading-space': 'has white space before the document; relctl ignored it',
  'differing-encodings': 'declares two encodings; relctl used its byte order mark, or strict UTF-8',
  'missing-list': 'is not in the answer; relctl reads it as an empty list',
  'late-nil': 'is marked nil but has content',
  'no-rows': 'is not in the output, because the list has no rows',
  message: 'of the call, which succeeded, says',
};

/** Oddities that change what the data mean: everybody hears of them. */
const serious: ReadonlySet<AnswerNote['kind']> = new Set([
  'beside',
  'missing-field',
  'missing-list',
  'bad-value',
  'unexpected-elements',
  'stray-text',
  'other-item',
  'late-nil',
  'no-rows',
  'message',
]);

/** Oddities for people who look. The rest lose nothing: `profile test` counts them, and a trace tells them. */
const telling: ReadonlySet<AnswerNote['kind']> = new Set(['unknown-field']);

/** Kinds of which each value is reported, and up to how many; of the others the first value stands for all. */
const mostExamples: Partial<Record<Note['kind'], number>> = { message: Infinity, 'no-rows': 10 };

function withoutFurtherValues(note: Note, all: readonly Note[]): Note {
  const { kind, path, count } = note;
  const most = mostExamples[kind] ?? Infinity;
  return most < Infinity && all.filter((known) => known.kind === kind).length >= most ? { kind, path, count } : note;
}

const isSame = (known: Note, { kind, path, value }: Note): boolean =>
  known.kind === kind && known.path === path && (mostExamples[kind] === undefined || known.value === value);

/** Adds notes of one answer to those of a whole run: the same oddity is counted, not repeated. */
export function collectNotes(all: Note[], more: readonly Note[]): void {
  for (const note of more) {
    const each = withoutFurtherValues(note, all);
    const at = all.findIndex((known) => isSame(known, each));
    const known = all[at];
    if (known === undefined) all.push(each);
    else all[at] = { ...known, count: known.count + each.count };
  }
}

/**
 * Notes of an answer of which some members are printed. Of unknown members those beside them are reported to everybody, because
 * no output holds them; those within are the output's to tell, which knows whether it shows them.
 * @param printed members of the result that are printed; undefined when the whole result is
 */
export function notesOfPrinted(notes: readonly Note[], printed: readonly string[] | undefined): readonly AnswerNote[] {
  const isPrinted = ({ path }: Note): boolean =>
    printed === undefined || printed.some((member) => path.startsWith(`${member}.`));
  return notes.flatMap((each): AnswerNote[] => {
    if (each.kind !== 'unknown-field') return [each];
    return isPrinted(each) ? [] : [{ ...each, kind: 'beside' }];
  });
}

/** Says on stderr what was odd about answers. Without a terminal only what changes the meaning of the data is said. */
export async function warnOfNotes(context: Context, flags: QuietFlag, notes: readonly AnswerNote[]): Promise<void> {
  for (const { kind, path, count, value } of notes) {
    if (!serious.has(kind) && !(telling.has(kind) && isWatched(context.streams.err))) continue;
    const times = count > 1 ? ` (${count} times)` : '';
    await note(context, flags, `${path} ${words[kind]}${value === undefined ? '' : `: '${value}'`}${times}`);
  }
}

/** A note on stderr, broken between words in a terminal, unless --quiet; with JSON, kept for the one object that stderr gets. */
export async function note(context: Context, flags: QuietFlag, text: string): Promise<void> {
  if (flags.quiet === true) return;
  if (context.errorShape === 'json') {
    context.notes.push(text);
    return;
  }
  const { err } = context.streams;
  await err.write(renderWarning(text, widthOfLines(err)));
}

/** A note for people who look: without a terminal there is none. */
export async function noteInTerminal(context: Context, flags: QuietFlag, text: string): Promise<void> {
  if (isWatched(context.streams.err)) await note(context, flags, text);
}

const reportedByRun = new WeakMap<readonly string[], Set<string>>();

/** A note that a run says once, however often it comes up, also in the commands that it runs within itself. */
export async function noteOnce(
  context: Context,
  flags: QuietFlag,
  { about, text }: { readonly about: string; readonly text: string },
): Promise<void> {
  const known = reportedByRun.get(context.notes) ?? new Set();
  reportedByRun.set(context.notes, known);
  if (known.has(about)) return;
  known.add(about);
  await note(context, flags, text);
}
