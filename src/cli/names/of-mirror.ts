import { RelctlError } from '../../errors/relctl-error.js';
import { usage } from '../../errors/usage.js';
import { canAsk } from '../../host/may-ask.js';
import { ask } from '../../host/prompt.js';
import { guidComplaint } from '../../lexical/values/guid.js';
import { isSameName } from '../../lexical/same-name.js';
import { shellCommand, shellWord } from '../../lexical/shell/command.js';
import { ageText } from '../../lexical/time/age.js';
import { findNamed, mostHits, type NameHit } from '../../mirror/names/find.js';
import { addedKinds, namedTables, tablesOf, type RecordKind } from '../../mirror/names/kinds.js';
import { escapeForTerminal } from '../../output/escape.js';
import { guidOf } from '../flags/readers.js';
import { freshMirror, type MirrorPlace, type NameMirror } from './open-mirror.js';
import type { NamedPlace } from './places.js';
import { corrected, shownPlace } from './shown-place.js';

/** A place of a command line that holds a name in the mirror. */
export interface RecordPlace extends NamedPlace {
  readonly kind: RecordKind;
}

/** What a look-up needs to know. */
export interface LookUp extends MirrorPlace {
  readonly flags: MirrorPlace['flags'] & {
    readonly 'by-name'?: boolean | undefined;
    readonly 'no-input'?: boolean | undefined;
  };
  /** The command writes. */
  readonly isWrite: boolean;
  /** Where the text stands in a row of a file: nobody is asked about a row, and the mirror of a kind is opened once. */
  readonly ofRows?: Map<RecordKind, Promise<AgedMirror | string>>;
}

/** A record that a name stands for. */
export interface FoundRecord {
  readonly id: string;
  /** What the name was found to mean, in words, with the age of the mirror. */
  readonly words: string;
}

/** A text in a place of a command line, and where it is looked up. */
interface Asked {
  readonly place: RecordPlace;
  readonly text: string;
  readonly lookUp: LookUp;
  readonly mirror: NameMirror;
  /** How old the mirror is, in words: `synced 3 hours ago`. */
  readonly age: string;
}

/** Records of a name that are shown where it has several. */
const mostShown = 10;

/** The columns whose texts stand for the Id of a record of a kind, in words. */
const keysOf = (kind: RecordKind): string => [...new Set(namedTables[kind].flatMap(({ keys }) => keys))].join(' or ');

const lineWith = ({ place, text, lookUp: { context } }: Asked, value: string): string =>
  corrected(place, text, { value, argv: context.environment.argv });

/** What tells a hit from the others, in words. */
const toldOf = ({ tells }: NameHit): string =>
  Object.entries(tells)
    .map(([column, value]) => `${column} ${value}`)
    .join(', ');

/**
 * A line for each hit that can be pasted, below one that says what it is. That is quoted too: zsh takes no # for a comment
 * where somebody types.
 */
function candidates(asked: Asked, hits: readonly NameHit[]): readonly string[] {
  const lines = hits.slice(0, mostShown).flatMap((hit) => [`# ${shellWord(toldOf(hit))}`, lineWith(asked, hit.id)]);
  const more = hits.length > mostHits ? `more than ${mostHits - mostShown}` : String(hits.length - mostShown);
  return hits.length > mostShown ? [...lines, `# and ${more} more`] : lines;
}

/** Records of a name that a mistake in a row of a file tells. */
const mostInRow = 3;

/** What a name in a row of a file may mean, on the line of the mistake; empty for a name on a command line. */
function inRow({ lookUp }: Asked, hits: readonly NameHit[]): string {
  if (lookUp.ofRows === undefined || hits.length === 0) return '';
  const told = hits.slice(0, mostInRow).map((hit) => `${hit.id} (${toldOf(hit)})`);
  return `: ${[...told, ...(hits.length > mostInRow ? ['…'] : [])].join('; ')}`;
}

/** The command that looks for a text everywhere. */
const findHint = (text: string): string => shellCommand(['find', text]);

function severalError(asked: Asked, hits: readonly NameHit[]): RelctlError {
  const { place, text, age } = asked;
  const count = hits.length > mostHits ? `more than ${mostHits}` : String(hits.length);
  return usage(
    shownPlace(place),
    `${shownPlace(place)}: '${text}' is the name of ${count} records in the mirror, ${age}${inRow(asked, hits)}`,
    {
      advice: 'Give the Id of the one that is meant.',
      hint: findHint(text),
    },
  ).but({ excerpt: candidates(asked, hits) });
}

/** The command that brings the records of a kind up to date. */
export const syncCommand = (kind: RecordKind): string =>
  shellCommand(['mirror', 'sync', ...(addedKinds.has(kind) ? [] : tablesOf(kind))]);

/** What to try for a name that is not there: it may be newer than the mirror. */
const syncAdvice = (kind: RecordKind): string =>
  `It may be newer than the mirror: \`${syncCommand(kind)}\` brings that up to date.`;

/** The error for a text that is no GUID, in words that say what is wrong with it. */
function slipOf(text: string, path: string): RelctlError {
  try {
    guidOf(text, path);
  } catch (thrown) {
    return RelctlError.from(thrown);
  }
  throw new RelctlError('bug', 'a GUID was looked up as a name');
}

const withArticle = (noun: string): string => `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;

function unknownError(asked: Asked): RelctlError {
  const { place, text, lookUp, mirror, age } = asked;
  const path = shownPlace(place);
  const what = `${path}: '${text}' is no GUID, and no ${keysOf(place.kind)} of ${withArticle(place.kind)} in the mirror, ${age}`;
  const near = findNamed(mirror.database, place.kind, { text, isCaseless: true });
  // A slip in a GUID is no name.
  if (near.length === 0 && guidComplaint(text) !== '') return slipOf(text, path);
  if (near.length === 0) return usage(path, what, { advice: syncAdvice(place.kind), hint: findHint(text) });
  const where = lookUp.ofRows === undefined ? 'without a terminal' : 'in a file';
  return usage(path, `${what}; ${where} the case of letters counts${inRow(asked, near)}`, {
    hint: near.length === 1 ? lineWith(asked, near[0]?.text ?? '') : findHint(text),
  }).but({ excerpt: candidates(asked, near) });
}

/** The error for a text that is no GUID where there is no mirror to look it up in. */
function noMirrorError({ place, text, lookUp }: Pick<Asked, 'place' | 'text' | 'lookUp'>, what: string): RelctlError {
  const error = slipOf(text, shownPlace(place));
  if (guidComplaint(text) !== '') return error;
  const isAdded = addedKinds.has(place.kind);
  const hint = isAdded ? 'relctl mirror add --help' : syncCommand(place.kind);
  // The mistake of a row has no line to try.
  const how = lookUp.ofRows === undefined ? '' : isAdded ? `: see \`${hint}\`` : `: \`${hint}\` brings it`;
  return error.but({ message: `${error.message}; ${what}${how}`, hint });
}

/** Asks which of several is meant. Throws `usage` when none is, and `interrupted`. */
async function chosen(asked: Asked, hits: readonly NameHit[]): Promise<NameHit> {
  const { place, text, age, lookUp } = asked;
  const titles = hits.map((hit) => escapeForTerminal(`${toldOf(hit)} (${hit.id})`));
  const none = 'none of these';
  const message = `${shownPlace(place)}: '${text}' is the name of ${hits.length} records in the mirror, ${age}. Which one?`;
  const question = { kind: 'choice', name: 'record', message, choices: [...titles, none] } as const;
  const { record } = await ask([question], lookUp.context.streams.prompt);
  const hit = hits[titles.findIndex((title) => title === record)];
  if (hit === undefined)
    throw usage(shownPlace(place), `none of the records named '${text}' was chosen; nothing was sent`);
  return hit;
}

const mayAskFor = ({ context, flags, ofRows }: LookUp): boolean => ofRows === undefined && canAsk(context, flags);

/** Throws `usage` for a write that nobody can be asked about and that was not told to take names. */
function refuseUnasked(asked: Asked, { id }: NameHit): void {
  const { place, text, lookUp, age } = asked;
  const { flags, isWrite, ofRows } = lookUp;
  if (!isWrite || flags['by-name'] === true || mayAskFor(lookUp)) return;
  const who = ofRows === undefined ? 'without a terminal a write' : 'a row of a file';
  throw usage(
    '--by-name',
    `${shownPlace(place)}: the ${place.kind} '${text}' is ${id} by the mirror, ${age}; ${who} takes a name for an Id only with --by-name`,
    { advice: `Or give the Id: \`${lineWith(asked, id)}\``, hint: '--by-name' },
  );
}

/** A mirror that names of a kind are looked up in, and how old it is in words: `synced 3 hours ago`. */
export interface AgedMirror {
  readonly mirror: NameMirror;
  readonly age: string;
}

/**
 * The mirror of the profile in use for names of a kind, after a sync by --max-age; or words that say why there is none. Throws
 * `local` and `profile` when it cannot be read, and what a sync throws.
 */
export async function mirrorFor(kind: RecordKind, place: MirrorPlace): Promise<AgedMirror | string> {
  const tables = tablesOf(kind);
  const mirror = await freshMirror(place, tables);
  if (mirror === undefined) return 'names are looked up in the mirror, and there is none yet';
  const syncedAtMs = mirror.syncedAtMs(tables);
  if (syncedAtMs === undefined) return `the mirror has no ${tables[0] ?? ''} yet`;
  return { mirror, age: `synced ${ageText(place.context.clock.date().getTime() - syncedAtMs)}` };
}

/** The mirror for a name; of rows the one for all names of a kind, opened for the first. Throws what `mirrorFor` throws. */
function mirrorOf(lookUp: LookUp, kind: RecordKind): Promise<AgedMirror | string> {
  const { ofRows } = lookUp;
  if (ofRows === undefined) return mirrorFor(kind, lookUp);
  const opened = ofRows.get(kind) ?? mirrorFor(kind, lookUp);
  ofRows.set(kind, opened);
  return opened;
}

/**
 * The record that a text in a place means, by the mirror of the profile in use. Of several, a terminal is asked which one.
 * Throws `usage` for a text that names none, or several where nobody can be asked, or is the name of what a write changes
 * where nobody can be asked either; `local` and `profile` when the mirror cannot be read, and what a sync throws.
 */
export async function recordNamed(place: RecordPlace, text: string, lookUp: LookUp): Promise<FoundRecord> {
  const found = await mirrorOf(lookUp, place.kind);
  if (typeof found === 'string') throw noMirrorError({ place, text, lookUp }, found);
  const asked = { place, text, lookUp, ...found };
  const mayAsk = mayAskFor(lookUp);
  const hits = findNamed(found.mirror.database, place.kind, { text, isCaseless: mayAsk });
  const [first] = hits;
  if (first === undefined) throw unknownError(asked);
  if (hits.length > 1 && (!mayAsk || hits.length > mostHits)) throw severalError(asked, hits);
  const hit = hits.length === 1 ? first : await chosen(asked, hits);
  refuseUnasked(asked, hit);
  const byOther = isSameName(hit.text, text) ? '' : ` (${hit.column} ${hit.text})`;
  return {
    id: hit.id,
    words: `${shownPlace(place)}: ${place.kind} '${text}'${byOther} is ${hit.id} by the mirror, ${asked.age}`,
  };
}
