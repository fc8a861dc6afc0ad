import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { readMirrorFile } from '../../mirror/sqlite/open.js';
import { sourcesIn } from '../../mirror/sqlite/source.js';
import type { SourceState } from '../../mirror/store.js';
import { placeOfMirror } from '../../syncs/place.js';
import type { SqlFlags } from './flags.js';

/** A mirror to ask. */
export interface AskedMirror {
  readonly file: string;
  /** What filled its tables, and when. */
  readonly sources: readonly SourceState[];
}

/**
 * The mirror that flags name. Throws `not-found` where there is none yet, `profile`, and `local` for a file that is no
 * mirror.
 */
export function askedMirror(context: Context, flags: Pick<SqlFlags, 'profile' | 'to'>): AskedMirror {
  const place = placeOfMirror(context, flags);
  const { file } = place;
  const mirror = readMirrorFile(place);
  if (mirror === undefined) {
    throw new RelctlError('not-found', `there is no mirror in ${file}`, {
      facts: { path: file, code: 'mirror' },
      hint: 'relctl mirror sync',
    });
  }
  try {
    return { file, sources: sourcesIn(mirror) };
  } finally {
    mirror.close();
  }
}
