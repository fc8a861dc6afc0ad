import type { Session } from '../cli/session/session.js';
import type { Context } from '../host/context.js';
import type { ListFlags } from '../lists/plan.js';

/** Flags of a sync. */
type SyncFlags = ListFlags & { readonly 'max-shrink'?: number | undefined };

/** A sync of one source. */
export interface SyncRun {
  readonly context: Context;
  readonly session: Session;
  readonly flags: SyncFlags;
  /** The command line that this is, without --max-shrink, for an error. */
  readonly command: string;
}
