import type { Command, Interfaces } from '@oclif/core';
import type { Operation } from '../contract/build.js';
import { writeCommand, type WriteCommandText } from '../lists/record/command.js';
import { bulkFlags } from './flags.js';
import type { RowParameter } from './columns.js';
import type { BatchInput, RowsText } from './rows/rows-text.js';

/** A command that writes by one call, or by a call for each row of a file. */
export interface BulkCommandText<
  O extends Operation,
  A extends Interfaces.ArgInput,
  F extends Interfaces.FlagInput,
  P,
  S,
> extends WriteCommandText<O, A, F, P> {
  /** More flags of --file, of this command alone. */
  readonly rowFlags?: Interfaces.FlagInput;
  /** Names of those of them that stand in the place of --file. */
  readonly alsoFile?: readonly string[];
  /** How it writes rows; loaded for --file alone. */
  readonly rows: () => Promise<RowsText<S>>;
}

const parametersOf = (definitions: Readonly<Record<string, object>>): readonly (readonly [string, RowParameter])[] =>
  Object.entries(definitions).map(([name, definition]) => [name, { ...definition, name }]);

/** Makes a command that writes by one call, or with --file by a call for each row of a file. */
export function bulkCommand<
  O extends Operation,
  const A extends Interfaces.ArgInput,
  const F extends Interfaces.FlagInput,
  P,
  S,
>({ rows, rowFlags = {}, alsoFile = [], ...text }: BulkCommandText<O, A, F, P, S>): typeof Command {
  const parameters = new Map([...parametersOf(text.args ?? {}), ...parametersOf(text.flags)]);
  return writeCommand({
    ...text,
    instead: {
      flags: { ...bulkFlags, ...rowFlags },
      asked: ['file', ...alsoFile],
      run: async (input) => {
        const [{ runBulk }, written] = await Promise.all([import('./run.js'), rows()]);
        // The flags are those of above, whose types a generic hides.
        await runBulk({ ...(input as unknown as BatchInput), places: parameters }, written);
      },
    },
  });
}
