import type { Interfaces } from '@oclif/core';
import { switchFlag } from '../flags/define.js';
import type { Operation } from '../../contract/build.js';
import type { Context } from '../host/context.js';
import { note, type QuietFlag } from '../host/notes.js';

/** Asks for the deprecated form of an operation. */
export const legacyFlag = ({ name, deprecated }: Operation): Interfaces.BooleanFlag<boolean> =>
  switchFlag({
    summary: `Call ${name}, which is deprecated in favour of ${deprecated ?? 'another operation'}.`,
  });

/** Says what replaces a deprecated operation. */
export async function noteLegacy(context: Context, flags: QuietFlag, { name, deprecated }: Operation): Promise<void> {
  await note(context, flags, `${name} is deprecated; without --legacy, ${deprecated ?? 'its replacement'} is called`);
}
