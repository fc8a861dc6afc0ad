import type { Stats } from 'node:fs';

/** Who runs a program: the numbers of the user and of all groups. */
export interface Runner {
  readonly uid: number;
  readonly groups: readonly number[];
}

/** What says who may do what with a file. */
export type Access = Pick<Stats, 'uid' | 'gid' | 'mode'>;

/** Who runs this process; undefined where files have no such owners and modes, on Windows. */
export function runnerHere(): Runner | undefined {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  return { uid, groups: [process.getgid?.() ?? -1, ...(process.getgroups?.() ?? [])] };
}

/** True for what belongs to somebody who is neither the runner nor root: that user can change it at any time. */
export const isForeign = ({ uid }: Access, runner: Runner): boolean => uid !== runner.uid && uid !== 0;

/**
 * True for a folder in which others than its owner and root can put a file in the place of another. Where it is sticky, as /tmp
 * is, they cannot.
 */
export const isOpenFolder = ({ mode }: Access): boolean => (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
