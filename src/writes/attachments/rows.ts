import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Ending } from '../../state/ledger/outcome.js';
import type { BatchContext, RowPlan, SendQuestion, RowsText, RowValues } from '../rows/rows-text.js';
import { operations } from '../../contract/service.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { note } from '../../kit/host/notes.js';
import { defined } from '../../core/values/value.js';
import { requestNote } from './send-attachment.js';
import { contentOfFile, knownFile, sizeOfFile, sizeWords, type KnownFile } from './source.js';
import { createHash } from 'node:crypto';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { unreadableInput } from '../../state/own-file.js';
import type { InputFile } from '../../formats/readers/input.js';

interface Base {
  /** Absolute. */
  readonly folder: string;
  /** True where files elsewhere are taken too, by path or by link. */
  readonly takesOthers: boolean;
}

const isWithin = (folder: string, path: string): boolean => {
  const relativePath = relative(folder, path);
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath);
};

const elsewhere = (path: string, folder: string): Error =>
  usage('file', `${path} is not within ${folder}: --allow-outside allows it`);

/** The absolute path of a file that a row names. Throws `usage` for one outside of the folder. */
function pathWithin({ folder, takesOthers }: Base, text: string): string {
  const path = resolve(folder, text);
  if (!takesOthers && !isWithin(folder, path)) throw elsewhere(path, folder);
  return path;
}

/** Throws `usage` for a path that is not there, and for one that a link leads out of the folder. */
function checkLinks({ folder, takesOthers }: Base, path: string): void {
  if (takesOthers) return;
  try {
    const real = realpathSync(path);
    if (!isWithin(realpathSync(folder), real)) throw elsewhere(`${path} is a link, and ${real}`, folder);
  } catch (thrown) {
    throw unreadableInput(path, thrown);
  }
}

/** What a name within a folder has in it. */
export interface Matched {
  readonly id?: string;
  readonly name?: string;
}

/** Matches one name of a path; gives undefined for a name that does not fit. */
type NamePattern = (name: string) => Matched | undefined;

/** Stars and braces of a name: with more of them a long name would be tried in too many ways. */
const mostParts = 3;

const guid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/** What parts of a pattern stand for; what is not a GUID in the place of an Id is a mistake that is reported. */
const parts: Readonly<Record<string, string>> = { '*': '.*', '{id}': `(?<id>${guid}|.+?)`, '{name}': '(?<name>.+)' };

const wrong = (text: string, what: string): Error =>
  usage('--pattern', `--pattern '${text}' ${what}`, "--pattern '{id}/*'");

function namePattern(segment: string, text: string): NamePattern {
  const pieces = segment.split(/(\*+|\{[^}]*\})/);
  if (pieces.length > 2 * mostParts + 1) throw wrong(text, `has more than ${mostParts} stars and braces in one name`);
  if (pieces.includes('**')) throw wrong(text, 'has **, which is not supported: write each folder of the path');
  const unknown = pieces.find((piece) => /^\{.*\}$/.test(piece) && parts[piece] === undefined);
  if (unknown !== undefined) throw wrong(text, `has ${unknown}: the placeholders are {id} and {name}`);
  const source = pieces.map((piece) => parts[piece] ?? piece.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('');
  const expression = new RegExp(`^${source}$`, 's');
  return (name) => {
    // As shells do it: what is hidden is meant where the pattern says so.
    if (name.startsWith('.') && !segment.startsWith('.')) return undefined;
    return expression.exec(name)?.groups ?? (expression.test(name) ? {} : undefined);
  };
}

const countOf = (text: string, part: string): number => text.split(part).length - 1;

/** The patterns of a path, from its first folder to its file: `{id}/*.pdf`, `{id}_{name}`. Throws `usage`. */
export function patternOf(text: string): readonly [...NamePattern[], NamePattern] {
  const segments = text.split('/');
  if (segments.some((each) => each === '' || each === '.' || each === '..'))
    throw wrong(text, 'is no path within the folder');
  if (countOf(text, '{id}') !== 1) throw wrong(text, 'needs {id} once, for the Id of the activity');
  const inLast = countOf(segments.at(-1) ?? '', '{name}');
  if (countOf(text, '{name}') !== inLast || inLast > 1) throw wrong(text, 'can have {name} once, in the file name');
  // There is at least one.
  return segments.map((each) => namePattern(each, text)) as [...NamePattern[], NamePattern];
}

interface MatchedFile extends Matched {
  readonly path: string;
}

const usualPattern = '{id}/*';

type FilesInput = Pick<BatchContext, 'context' | 'flags'>;

const ofFiles = ['input-format', 'delimiter', 'decimal', 'sheet', 'map', 'null-as'] as const;

class FolderFiles {
  readonly files: MatchedFile[] = [];
  others = 0;
  readonly #base: Base;

  constructor(base: Base) {
    this.#base = base;
  }

  take(folder: string, [pattern, ...rest]: readonly NamePattern[], known: Matched = {}): void {
    if (pattern === undefined) return;
    const names = namesIn(folder).sort();
    for (const name of names) {
      const path = join(folder, name);
      const matched = pattern(name);
      const isFolder = matched !== undefined && isFolderAt(path);
      if (matched === undefined || isFolder !== rest.length > 0) this.others += 1;
      else if (isFolder) {
        checkLinks(this.#base, path);
        this.take(path, rest, { ...known, ...matched });
      } else this.files.push({ ...known, ...matched, path });
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    const error = unreadableInput(folder, thrown);
    throw error.but({ facts: { ...error.facts, path: '--dir' } });
  }
}

/** False for a file, a link that leads nowhere, and what cannot be looked at: that is told of it when it is checked. */
function isFolderAt(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function checkFlags({ flags }: FilesInput): void {
  if (flags.file !== undefined) throw usage('--dir', '--file and --dir cannot be used together');
  const other = ofFiles.find((name) => flags[name] !== undefined);
  if (other !== undefined) throw usage(`--${other}`, `--${other} needs --file, not --dir`);
}

function folderOf({ flags, context }: FilesInput, path: string): Base {
  const folder = context.environment.pathOf(path);
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return { folder, takesOthers: flags['allow-outside'] === true };
  throw usage('--dir', `${path} is ${stats === undefined ? 'not there' : 'no folder'}`);
}

const othersWords = (count: number, pattern: string): string =>
  `${count} ${count === 1 ? 'name does' : 'names do'} not match ${pattern} and ${count === 1 ? 'is' : 'are'} skipped`;

function inputOf(folder: string, pattern: string, { files, others }: FolderFiles): InputFile {
  const isNamed = pattern.includes('{name}');
  const hash = createHash('sha256').update(JSON.stringify(pattern));
  for (const { path } of files) hash.update(JSON.stringify(path));
  return {
    name: folder,
    sha256: hash.digest('hex'),
    columns: ['id', 'file', ...(isNamed ? ['name'] : [])],
    said: others === 0 ? [] : [`${folder}: ${othersWords(others, pattern)}`],
    point: 'decimal',
    skipped: 0,
    *rows() {
      for (const [index, { id, path, name }] of files.entries())
        yield { line: index + 1, cells: [id, path, ...(isNamed ? [name] : [])] };
    },
    cellName: () => undefined,
    close: () => undefined,
  };
}

function folderInput(filesInput: FilesInput): InputFile | undefined {
  const { dir: folder, pattern } = filesInput.flags;
  if (typeof folder !== 'string') {
    if (pattern === undefined) return undefined;
    throw usage('--pattern', '--pattern needs --dir', '--dir DIR');
  }
  checkFlags(filesInput);
  const text = typeof pattern === 'string' ? pattern : usualPattern;
  const patterns = patternOf(text);
  const base = folderOf(filesInput, folder);
  const folderFiles = new FolderFiles(base);
  folderFiles.take(base.folder, patterns);
  if (folderFiles.files.length === 0) throw usage('--dir', `no file in ${folder} matches ${text}`);
  return inputOf(folder, text, folderFiles);
}

interface Attaching extends Pick<BatchContext, 'context' | 'flags'> {
  readonly base: Base;
  /** True once a file was found that services usually refuse: the others are not told of. */
  isLargeTold: boolean;
}

const member = 'base64EncodedFile';

function baseOf({ context, flags }: BatchContext): Base {
  const { pathOf } = context.environment;
  const { file, dir: folder, 'allow-outside': takesOthers } = flags;
  const isFile = typeof file === 'string' && file !== '-';
  const base = typeof folder === 'string' ? pathOf(folder) : isFile ? dirname(pathOf(file)) : pathOf('.');
  return { folder: base, takesOthers: takesOthers === true };
}

function planRow({ values }: RowValues, { base }: Attaching): RowPlan {
  const activityId = String(values['id']);
  const path = pathWithin(base, String(values['file']));
  const name = values['name'];
  if (name === null || name === '') throw usage('name', 'the name of an attachment cannot be empty');
  const fileName = typeof name === 'string' ? name : basename(path);
  return {
    key: activityId.toLowerCase(),
    title: `activity ${activityId}`,
    once: JSON.stringify([activityId.toLowerCase(), path, fileName]),
    input: { activityId, fileName, [member]: '' },
    file: { path },
    changes: [{ name: 'fileName', to: fileName }],
  };
}

function fileOf({ file }: RowPlan): NonNullable<RowPlan['file']> {
  if (file === undefined) throw new RelctlError('bug', 'the row has no file');
  return file;
}

async function warnOfLargeFile(shared: Attaching, size: number): Promise<void> {
  const { context, flags, isLargeTold: hasWarnedOfSize } = shared;
  const words = requestNote(size);
  if (hasWarnedOfSize || words === undefined) return;
  shared.isLargeTold = true;
  await note(context, flags, `${words}: there are such files`);
}

async function looked(plan: RowPlan, shared: Attaching): Promise<RowPlan> {
  const { path } = fileOf(plan);
  const { context, flags, base } = shared;
  try {
    checkLinks(base, path);
    const isDryRun = flags['dry-run'] === true;
    const file = isDryRun ? await knownFile(path, context.signal) : { path, size: sizeOfFile(path) };
    await warnOfLargeFile(shared, file.size);
    const seen = 'sha256' in file ? [{ name: 'sha256', to: file.sha256 }] : [];
    return { ...plan, file, changes: [...plan.changes, { name: 'size', to: file.size }, ...seen] };
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    throw error.but({ facts: { ...error.facts, path: 'file' } });
  }
}

const failed = ({ message, reportedCode }: RelctlError): Ending => ({
  outcome: 'failed',
  words: message,
  ...defined({ code: reportedCode }),
});

async function readAgain(plan: RowPlan, { context, base }: Attaching): Promise<RowPlan | Ending> {
  const { path } = fileOf(plan);
  let file: KnownFile;
  try {
    checkLinks(base, path);
    file = await knownFile(path, context.signal);
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    if (error.kind === 'interrupted' || error.kind === 'bug') throw error;
    return failed(error);
  }
  const input = { ...plan.input, [member]: `[base64 of ${file.size} bytes, sha256 ${file.sha256}]` };
  return { ...plan, input, file, content: contentOfFile(member, file) };
}

const sendQuestion = ({ count, bytes, input }: SendQuestion): string =>
  `attach ${count} ${count === 1 ? 'file' : 'files'} (${sizeWords(bytes)}) by ${input}`;

/** How files are attached by the rows of a file, or by those of a folder. */
export const attachmentRows: RowsText<Attaching> = {
  operation: operations.ActivityAddAttachment,
  does: 'add',
  record: { argument: 'id', members: ['activityId', 'activity'] },
  members: { path: 'file', fileName: 'name' },
  input: folderInput,
  open: (batchContext) => Promise.resolve({ ...batchContext, base: baseOf(batchContext), isLargeTold: false }),
  plan: planRow,
  files: { looks: looked, asks: sendQuestion },
  again: readAgain,
};
