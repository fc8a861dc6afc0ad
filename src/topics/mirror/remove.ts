import { type Values, switchFlag } from '../../kit/flags/define.js';
import type { CommonFlags } from '../../kit/flags/common.js';
import { locateMirror } from '../../names/mirror/location.js';
import { declined, perhaps, usage, RelctlError } from '../../core/errors/relctl-error.js';
import { type Context, canAsk } from '../../kit/host/context.js';
import { noteInTerminal } from '../../kit/host/notes.js';
import { confirm } from '../../kit/host/prompt.js';
import { nearest } from '../../core/text/text.js';
import { addFlags, lockMirror, openToWrite } from './open.js';
import { noMirror, readMirror } from '../../names/mirror/open.js';
import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt } from '../../state/own-file.js';
import { asideOf } from '../../mirror/index-aside.js';
import { readHead } from '../../mirror/open.js';
import { applicationId } from '../../mirror/schema.js';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** True for a file that begins as a mirror, whatever is behind that, or that a run was killed in before it made one. */
function isOwn(handle: number): boolean {
  const stats = fstatSync(handle);
  if (!stats.isFile() || stats.size === 0) return stats.isFile();
  const head = readHead(handle);
  // A first page alone has no tables.
  return head?.id === applicationId || (head?.id === 0 && stats.size <= Math.max(512, head.pageSize));
}

function checkOwn(file: string): void {
  const handle = attempt(file, () => openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  try {
    if (isOwn(handle)) return;
  } finally {
    closeSync(handle);
  }
  throw new RelctlError('local', `${file} is not a mirror of relctl; relctl does not remove it`, {
    facts: { path: file, code: 'foreign' },
    advice: 'Specify the path of a mirror.',
  });
}

function removeMirrorFile(file: string): readonly string[] {
  if (existsSync(file)) checkOwn(file);
  const own = [...['', '-wal', '-shm', '-journal', '.lock'].map((ending) => `${file}${ending}`), asideOf(file)];
  const there = own.filter((path) => existsSync(path));
  for (const path of there) attempt(path, () => rmSync(path, { force: true }));
  const folder = dirname(file);
  const hasFiles = existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(`${basename(file)}-`));
  if (hasFiles)
    throw new RelctlError('local', `files of the mirror remain in ${join(folder, '')}`, { facts: { path: folder } });
  // Who removes a mirror holds its lock.
  return there.filter((path) => path !== `${file}.lock`);
}

/** Flags of `mirror remove`. */
export const removeFlags = {
  all: switchFlag({ summary: 'Remove the whole mirror: its file, its journal, and all their content.' }),
  yes: switchFlag({ char: 'y', summary: 'Do not ask.' }),
  ...addFlags,
};

type Flags = Values<typeof removeFlags> & CommonFlags;

async function removeAll(context: Context, flags: Flags): Promise<void> {
  const location = locateMirror(context, flags);
  const { file } = location;
  if (!flags.yes && canAsk(context, flags) && !(await confirm(context, `Really remove the mirror ${file}?`)))
    throw declined('nothing was removed');
  await lockMirror(context, file, flags);
  if (removeMirrorFile(file).length === 0) throw noMirror(location);
  await noteInTerminal(context, flags, `Done: removed ${file}`);
}

async function removeSource(context: Context, flags: Flags, name: string): Promise<void> {
  // There is nothing to remove where there is no mirror.
  readMirror(context, flags);
  const { mirror } = await openToWrite(context, flags);
  const names = mirror.sources().map((source) => source.name);
  if (!names.includes(name)) {
    throw usage(
      'SOURCE',
      `the mirror has no source '${name}'`,
      perhaps(name, nearest(name, names), 'relctl mirror status'),
    );
  }
  mirror.remove(name);
  await noteInTerminal(context, flags, `Done: removed ${name} from the mirror, with its rows`);
}

/** Removes a source of a mirror, or the mirror. Throws `usage` for both or neither, and what removing throws. */
export async function removeMirrored(context: Context, source: string | undefined, flags: Flags): Promise<void> {
  if (source !== undefined && flags.all) throw usage('--all', '--all removes the whole mirror, and SOURCE one list');
  if (flags.all) return removeAll(context, flags);
  if (source !== undefined) return removeSource(context, flags, source);
  throw usage(
    'SOURCE',
    'SOURCE is missing: the list to remove; --all removes the whole mirror',
    'relctl mirror status',
  );
}
