import { join } from 'node:path';
import type { RelctlError } from '../../core/errors/relctl-error.js';
import { rememberPart, type ListRecord } from '../../state/output-registry.js';
import type { Context } from '../host/context.js';
import { note } from '../host/notes.js';
import { foldersOf } from '../../profiles/store/folders.js';
import type { CommonFlags } from '../flags/common.js';

/** Where it is remembered which files relctl wrote. */
export function registryFolder({ environment }: Context): string {
  return join(foldersOf(environment).state, 'written');
}

/** Says that a later run will not know files as relctl's own, and what to do then. */
export function warnOfUnregistered(
  context: Context,
  flags: Pick<CommonFlags, 'quiet'>,
  { files, failure }: { files: readonly string[]; failure: RelctlError },
): Promise<void> {
  const [first = '', ...others] = files;
  const them =
    others.length === 0
      ? [`${first} is`, 'it']
      : [`${first} and ${others.length} more ${others.length === 1 ? 'file' : 'files'} are`, 'them'];
  return note(
    context,
    flags,
    `${them[0]} complete, but not in the output registry, because ${failure.message}; the next run that replaces ${them[1]} needs --force once`,
  );
}

/** Registers the files of a command as relctl's own. */
export interface OwnFiles {
  /** Registers a complete file that is about to be put in its place, as `rememberPart` does. */
  add(file: string, made: { readonly part: string; readonly list?: ListRecord | undefined }): void;
  /** Says which could not be registered; to be called when they are in their places. */
  report(): Promise<void>;
}

/** @param folder of the output registry, where it is not the one of all commands */
export function ownFiles(
  context: Context,
  flags: Pick<CommonFlags, 'quiet'>,
  folder: string = registryFolder(context),
): OwnFiles {
  const failed: { readonly file: string; readonly failure: RelctlError }[] = [];
  return {
    add(file, made) {
      const failure = rememberPart(folder, file, made);
      if (failure !== undefined) failed.push({ file, failure });
    },
    async report() {
      const [first] = failed;
      if (first === undefined) return;
      await warnOfUnregistered(context, flags, { files: failed.map(({ file }) => file), failure: first.failure });
    },
  };
}
