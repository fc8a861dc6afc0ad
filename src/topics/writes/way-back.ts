import type { UndoFlags } from '../../writes/flags.js';
import type { Values } from '../../kit/flags/define.js';
import type { CommonFlags, writeCallFlags } from '../../kit/flags/common.js';

import type { RowsText } from '../../writes/rows/rows-text.js';
import { serviceOf, type Session } from '../../kit/session/session.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import type { LedgerEntry } from '../../state/ledger/ledger.js';

/** Flags of `writes undo`. */
export type UndoWriteFlags = Values<typeof writeCallFlags> &
  UndoFlags &
  CommonFlags & { readonly workflow: string | undefined };

/** How rows are written that have a way back. */
export type RowWay<S> = RowsText<S> & Required<Pick<RowsText<S>, 'back'>>;

/** Why a write has no way back, and where to look, by the member of the request that names the record. */
interface NoWay {
  readonly why: string;
  /** What to do with a record, in words that its kind and Id go behind. */
  readonly instead: string;
  readonly record: string;
  readonly member: string;
}

const removed = { instead: 'remove it in the CRM itself, from', record: 'activity', member: 'activityId' } as const;

const noWays: Readonly<Record<string, NoWay>> = {
  ActivityUpdate: {
    why: 'what the activity was before was not read',
    instead: 'write its former values by `relctl activity update`:',
    record: 'activity',
    member: 'activityId',
  },
  ProductUpdate_V2: {
    why: 'what the product was before was not read',
    instead: 'write its former values by `relctl product update`:',
    record: 'product',
    member: '',
  },
  ActivityAddAttachment: { ...removed, why: 'no operation removes an attachment' },
  ActivityAddProductLine: { ...removed, why: 'no operation removes a product line' },
  SubscriptionAddProductLine: { ...removed, why: 'no operation removes a product line' },
  RelationshipAddLine: {
    ...removed,
    why: 'no operation removes a line',
    record: 'relationship',
    member: 'RelationshipId',
  },
  DatastoreCreateItem_V3: {
    why: 'no operation removes an entry of a datastore',
    instead: 'make it inactive in the CRM itself, in',
    record: 'the datastore of entity type',
    member: 'entityTypeId',
  },
};

/** The error for a write that cannot be undone. */
export function cannot({ begun }: LedgerEntry, why: string): RelctlError {
  return new RelctlError('usage', `write ${begun.id} (${begun.what}) cannot be undone: ${why}`, {
    facts: { operation: begun.operation, code: 'no-undo' },
  });
}

/** The error for a write whose operation has no way back; it names the record to look at, or how the rows of a batch are listed. */
export function notUndoable(entry: LedgerEntry): RelctlError {
  const { id, operation, batch, sends } = entry.begun;
  const { why, instead, record, member } = noWays[operation] ?? {
    why: `what ${operation} was before is not known`,
    instead: 'look at',
    record: 'what it wrote to',
    member: '',
  };
  const value = sends?.input[member];
  const named = typeof value === 'string' ? `${record} ${value}` : record;
  const error = cannot(entry, `${why}; ${instead} ${batch === undefined ? named : `each ${record}`}`);
  return batch === undefined ? error : error.withHint(`relctl writes show ${id} --rows`);
}

/** Throws `usage` for a write to another service than that of the session. */
export function checkService({ begun }: LedgerEntry, session: Session): void {
  const now = serviceOf(session);
  const other = (['url', 'namespace', 'database'] as const).find((name) => begun.service[name] !== now[name]);
  if (other === undefined) return;
  const was = other === 'database' ? `database ${begun.service.database || '(none)'}` : begun.service[other];
  throw usage(
    '--profile',
    `write ${begun.id} went to another service: ${was}; profile '${session.profile.name}' has ${now[other] || '(none)'}`,
    { advice: 'Nothing was sent.' },
  );
}
