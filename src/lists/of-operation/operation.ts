import { readingImport } from '../../kit/operations/described.js';
import { operationNamed } from '../../kit/operations/named.js';
import type { Operation } from '../../contract/build.js';
import { usage } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';

/** What a command line says of an operation of which a list is read. */
interface ReadFlags {
  readonly profile?: string | undefined;
  readonly read: boolean;
}

/**
 * Throws `usage` for an operation that may write.
 * @param asRead gives the command line that says for good that it only reads
 */
export function refuseWrite({ name, access, source }: Operation, asRead: () => string): void {
  if (access === 'read') return;
  if (source !== 'imported') throw usage('--list', `${name} writes, and --list calls it again and again to read`);
  throw usage('--list', `${name} counts as a write, and --list calls it again and again to read`, {
    advice: `If it only reads, say --read, or once for all: ${asRead()}.`,
    hint: '--read',
  });
}

/** The operation of a name, of which a list is read. Throws `usage` for one that is not known, or that may write. */
export function readOperation(context: Context, name: string, { profile, read }: ReadFlags): Operation {
  const { operation, isKnown } = operationNamed(context, name, { profile, read, write: false });
  if (!isKnown) {
    throw usage('--list', `nothing is known of the answers of ${operation.name}, so that no list of them can be read`, {
      advice: 'The WSDL of the service says what they hold.',
      hint: 'relctl operations import',
    });
  }
  refuseWrite(operation, () => readingImport(context, profile, operation.name));
  return operation;
}
