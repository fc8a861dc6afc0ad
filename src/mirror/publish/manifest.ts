import { createHash } from 'node:crypto';
import { createReadStream, lstatSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { attempt } from '../../state/own-file.js';
import { writeWhole } from '../../state/part-file.js';
import { jsonOf } from '../../core/values/json.js';
import { isObject } from '../../core/values/value.js';
import { identityNames, otherThan, type Service } from '../open.js';

/** The file of a folder that says what relctl published there. Programs that read folders pass over a name that begins so. */
const manifestName = '_relctl.json';

/** A file of a folder. */
export interface PublishedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What a folder holds. */
export interface Manifest {
  readonly service: Service;
  readonly files: readonly (PublishedFile & { readonly rows: number })[];
  /** Files that are being replaced, and their successors: a run that is killed leaves them. Missing when all is in place. */
  readonly replacing?: readonly PublishedFile[];
}

const format = 1;
const largestManifest = 16 * 1024 * 1024;

function foreign(file: string, what: string): RelctlError {
  return new RelctlError('local', `${file} ${what}`, {
    facts: { code: 'EEXIST', path: file },
    advice: 'Nothing was changed. Move it away, or publish to another folder.',
  });
}

const isFile = (value: unknown): value is PublishedFile =>
  isObject(value) &&
  // No path: files beside the manifest alone are removed.
  /^\w+\.\w+$/.test(String(value['name'])) &&
  typeof value['bytes'] === 'number' &&
  typeof value['sha256'] === 'string';

const isService = (value: unknown): value is Service =>
  isObject(value) && identityNames.every((name) => typeof value[name] === 'string');

function parsed(file: string): Manifest | undefined {
  if (statSync(file).size > largestManifest) return undefined;
  const value = jsonOf(readFileSync(file, 'utf8'));
  if (!isObject(value) || value['publishedBy'] !== 'relctl' || value['format'] !== format) return undefined;
  const { service, files, replacing = [] } = value;
  const isWhole = [files, replacing].every((list) => Array.isArray(list) && list.every(isFile));
  // Each member was looked at.
  return isService(service) && isWhole ? ({ service, files, replacing } as Manifest) : undefined;
}

/** What relctl published in a folder; undefined for nothing. Throws `local`, and `usage` for another service. */
export function readManifest(folder: string, service: Service): Manifest | undefined {
  const file = join(folder, manifestName);
  const there = attempt(file, () => lstatSync(file, { throwIfNoEntry: false }));
  if (there === undefined) return undefined;
  const manifest = there.isFile() ? attempt(file, () => parsed(file)) : undefined;
  if (manifest === undefined) throw foreign(file, 'is no list of files that this version of relctl published');
  if (otherThan(service, manifest.service).length === 0) return manifest;
  throw usage('TARGET', `${folder} holds what was published of another service: ${manifest.service.url}`, {
    advice: 'Nothing was changed. Publish to another folder.',
  });
}

/** Writes what a folder holds, durably. Throws `local`. */
export function writeManifest(folder: string, { service, files, replacing }: Manifest): void {
  const value = { publishedBy: 'relctl', format, service, files, ...(replacing === undefined ? {} : { replacing }) };
  writeWhole(join(folder, manifestName), `${JSON.stringify(value, undefined, 1)}\n`);
}

/** The hash of a file. */
async function hashOf(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash, { signal });
  return hash.digest('hex');
}

/** How files are checked: by their size alone, or by what is in them too. */
interface Checking {
  readonly manifest: Manifest | undefined;
  readonly isQuick: boolean;
  readonly signal: AbortSignal;
}

/** True for a file that is as one of these. */
async function isOneOf(file: string, files: readonly PublishedFile[], { isQuick, signal }: Checking): Promise<boolean> {
  const found = attempt(file, () => lstatSync(file, { throwIfNoEntry: false }));
  if (found?.isFile() !== true || files.every(({ bytes }) => bytes !== found.size)) return false;
  if (isQuick) return true;
  const hash = await hashOf(file, signal);
  return files.some(({ sha256 }) => sha256 === hash);
}

/** Files of a manifest by their names, those too that a run which was killed was about to put there. */
function knownFiles(manifest: Manifest | undefined): ReadonlyMap<string, readonly PublishedFile[]> {
  const known = new Map<string, PublishedFile[]>();
  for (const file of [...(manifest?.files ?? []), ...(manifest?.replacing ?? [])]) {
    known.set(file.name, [...(known.get(file.name) ?? []), file]);
  }
  return known;
}

/**
 * Checks that files of a folder may be replaced: they are not there, or as relctl published them. Gives those that it
 * published beside them, and that nobody changed. Throws `local`, and the reason of the signal.
 */
export async function checkFiles(
  folder: string,
  names: readonly string[],
  checking: Checking,
): Promise<readonly string[]> {
  const known = knownFiles(checking.manifest);
  for (const name of names) {
    const file = join(folder, name);
    if (attempt(file, () => lstatSync(file, { throwIfNoEntry: false })) === undefined) continue;
    const own = known.get(name) ?? [];
    if (!(await isOneOf(file, own, checking))) {
      throw foreign(file, 'exists already, and relctl did not publish it as it is');
    }
  }
  const others: string[] = [];
  for (const [name, files] of known) {
    if (!names.includes(name) && (await isOneOf(join(folder, name), files, checking))) others.push(name);
  }
  return others;
}

/** Removes files of a folder. Throws `local`. */
export function removeFiles(folder: string, names: readonly string[]): void {
  for (const name of names) attempt(join(folder, name), () => rmSync(join(folder, name), { force: true }));
}
