import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Access, Operation } from '../../contract/build.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { attempt, makeFolders } from '../../state/own-file.js';
import { writeWhole } from '../../state/part-file.js';
import { shellCommand } from '../../core/text/text.js';
import { jsonOf, isObject } from '../../core/values/value.js';
import type { Description } from '../../wsdl/reading/described.js';
import { ImportedOperations } from '../../wsdl/reading/imported.js';
import { fileOfDescription } from '../store/folders.js';
import { ReadableOperations } from './readable.js';

/** The format of the files; another one is of another version of relctl. */
const format = 2;

/** The WSDL of a service, as a profile keeps it. */
export interface StoredDescription {
  /** Where it came from: an address or a path. */
  readonly source: string;
  /** The address of the service that it is of; undefined for the embedded one, which has another each time. */
  readonly service?: string;
  readonly importedAt: string;
  /** Patterns of the names of operations that only read; `*` stands for any letters. */
  readonly reads: readonly string[];
  readonly port?: string;
  readonly description: Description;
}

const unusable = (file: string, profile: string): RelctlError =>
  new RelctlError('profile', `relctl cannot read the description of the service in ${file}`, {
    facts: { path: file, profile },
    hint: shellCommand(['operations', 'import', '--profile', profile]),
  });

/** What a profile keeps of the WSDL of its service; undefined when it was never imported. Throws `profile` and `local`. */
export function readStored(folder: string, profile: string): StoredDescription | undefined {
  const file = fileOfDescription(folder, profile);
  const text = attempt(file, () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined));
  if (text === undefined) return undefined;
  const value = jsonOf(text);
  // relctl alone writes this file, which nobody else may; its format is enough to know what is in it.
  if (!isObject(value) || value['format'] !== format) throw unusable(file, profile);
  return value as unknown as StoredDescription;
}

/** Keeps the WSDL of a service with a profile. Throws `local`. */
export function storeDescription(folder: string, profile: string, storedDescription: StoredDescription): void {
  const file = fileOfDescription(folder, profile);
  attempt(file, () => makeFolders(dirname(file)));
  writeWhole(file, `${JSON.stringify({ format, ...storedDescription })}\n`);
}

/** Removes what a profile keeps. Throws `local`. */
export const removeStored = (folder: string, profile: string): void => {
  const file = fileOfDescription(folder, profile);
  attempt(file, () => rmSync(file, { force: true }));
};

const escaped = (text: string): string => text.replace(/[\\^$.|?+()[\]{}]/g, '\\$&');

/** True for a name that one of the patterns is of. */
export const matches = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`).test(name));

/** The operations of a kept description: those that are said to read do so, all others count as writes. */
export function operationsOf({ description, reads }: StoredDescription): ImportedOperations {
  const accessOf = (name: string): Access => (matches(reads, name) ? 'read' : 'add');
  return new ImportedOperations(description, accessOf);
}

/** The service that a profile is of. */
export interface OfService {
  readonly folder: string;
  readonly profile: string;
  /** Its address, as an import keeps it. */
  readonly service: string | undefined;
}

/** What a profile keeps of the WSDL of the service that it has now; undefined when that is none. Throws `profile` and `local`. */
export function storedOfService({ folder, profile, service }: OfService): StoredDescription | undefined {
  const stored = readStored(folder, profile);
  return stored === undefined || stored.service !== service ? undefined : stored;
}

/** Gives operations as the WSDL of a profile has them answered, read on first use. It throws `profile` and `local`. */
export function readableBy(of: OfService): (operation: Operation) => Operation {
  let readable: ReadableOperations | undefined;
  let isRead = false;
  return (operation) => {
    if (!isRead) {
      const stored = storedOfService(of);
      readable = stored && new ReadableOperations(stored.description);
      isRead = true;
    }
    return readable?.of(operation) ?? operation;
  };
}
