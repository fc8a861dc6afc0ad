import { isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import { RelctlError, type Remedy } from '../../core/errors/relctl-error.js';
import { shellCommand } from '../../core/text/shell/command.js';
import type { Context } from '../../kit/host/context.js';
import type { LedgerFacts, Write } from './recorded.js';

/** How to find out whether a write was done: the words of a command that reads it, or where to look. */
type Verification = { readonly read: readonly string[] } | { readonly look: string };

const textOf = (value: Value | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const unread = (what: string, where: string): Verification => ({
  look: `Look at the ${what} of ${where} in the CRM itself, before you repeat the command: no operation lists them.`,
});

function verifyProduct({ productData }: RecordValue): Verification | undefined {
  if (!isRecord(productData)) return undefined;
  const product = textOf(productData['Code']) ?? textOf(productData['Id']);
  return product === undefined ? undefined : { read: ['product', 'get', product] };
}

/** By operation; undefined where the input does not say which record it is about. */
const ways: Readonly<Record<string, (input: RecordValue) => Verification | undefined>> = {
  ProductUpdate_V2: verifyProduct,
  DatastoreCreateItem_V3: ({ entityTypeId }) => {
    const id = textOf(entityTypeId);
    return id === undefined ? undefined : { read: ['datastore', 'items', id] };
  },
  ActivityUpdate: ({ activityId }) => ({
    look: `Look at activity ${textOf(activityId) ?? ''} in the CRM itself, before you repeat the command: no operation shows an activity by its Id; \`relctl activity search\` finds it by its fields.`,
  }),
  ActivityAddProductLine: ({ activityId }) => unread('product lines', `activity ${textOf(activityId) ?? ''}`),
  SubscriptionAddProductLine: ({ activityId }) => unread('product lines', `subscription ${textOf(activityId) ?? ''}`),
  ActivityAddAttachment: ({ activityId }) => unread('attachments', `activity ${textOf(activityId) ?? ''}`),
  RelationshipAddLine: ({ RelationshipId }) => unread('lines', `relationship ${textOf(RelationshipId) ?? ''}`),
};

/** What to try when it is not known whether a write was done. */
export function verificationOf({
  operation,
  input,
}: {
  readonly operation: Pick<Write['operation'], 'name'>;
  readonly input: RecordValue;
}): Remedy {
  const advice = ways[operation.name]?.(input);
  if (advice === undefined)
    return { advice: 'Look at what the call changes, before you repeat it: it may have been carried out.' };
  return 'look' in advice ? { advice: advice.look } : { hint: shellCommand(advice.read) };
}

/**
 * Does the work of a write: when a signal interrupts it, its outcome is unknown, and the hint of the error says how to find
 * out. A call that reads is only made. The ledger is told before and after, where `ledger` says what. Throws `outcome-unknown`,
 * `local` when the ledger cannot be written, and what the work throws.
 */
export async function writing<T>(
  { context, ledger }: { readonly context: Context; readonly ledger?: LedgerFacts<T> },
  write: Write,
  work: () => Promise<T>,
): Promise<T> {
  if (write.operation.access === 'read') return work();
  const guarded = (): Promise<T> => settling(context, write, work);
  if (ledger === undefined) return guarded();
  // What keeps the ledger is loaded for writes alone.
  const { recorded } = await import('./recorded.js');
  return recorded({ context, told: ledger, write }, guarded);
}

async function settling<T>(context: Context, write: Write, work: () => Promise<T>): Promise<T> {
  try {
    return await context.guardWrite(work);
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    throw error.kind === 'outcome-unknown'
      ? error.but({ advice: undefined, hint: undefined, ...verificationOf(write) })
      : error;
  }
}
