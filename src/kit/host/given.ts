import { unreadableInput } from '../../state/own-file.js';
import { streamOfGiven } from '../../state/given-file.js';
import type { Context } from './context.js';
import { openStdin } from './environment.js';

/** What a file that the command line names is read with. */
type Reader = Pick<Context, 'environment' | 'signal'>;

/** The name of what is read, for people. */
export const givenName = (file: string): string => (file === '-' ? 'stdin' : file);

/**
 * The bytes of a file, a device or a pipe that the command line names, or of stdin by `-`, as they come. Throws `usage` for
 * what cannot be read, `local` when the machine fails, and the signal's reason.
 */
export async function* openGiven({ environment, signal }: Reader, file: string): AsyncGenerator<Uint8Array, void> {
  try {
    yield* file === '-' ? openStdin(environment, signal) : streamOfGiven(environment.pathOf(file), signal);
  } catch (thrown) {
    signal.throwIfAborted();
    throw unreadableInput(givenName(file), thrown);
  }
}
