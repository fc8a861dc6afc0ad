import { neutral, switchFlag, type Values } from './define.js';
import { durationOption, textOption } from './kinds.js';

const helpGroup = 'MIRROR';

/** Flags that say which mirror a command works on. */
export const mirrorFlags = neutral({
  to: textOption({
    summary:
      'File of the mirror; the default is one for each profile, in the folder of the state. mirror sync, add, remove, status ' +
      'and forget take postgres://USER@HOST/DATABASE as well.',
    helpValue: 'PLACE',
    helpGroup,
  }),
  schema: textOption({
    summary: 'Schema of a mirror in PostgreSQL; relctl when left out.',
    helpValue: 'NAME',
    helpGroup,
  }),
});

/** Values of those flags. */
export type MirrorFlags = Values<typeof mirrorFlags>;

/** Flags of a command that waits for another one on the same mirror. */
export const mirrorLockFlags = neutral({
  'lock-wait': durationOption({ summary: 'Wait for another sync of the same mirror: 30s, 10m.', helpGroup }),
});

/** Flags of a command that removes what is kept. */
export const forgetFlags = neutral({ yes: switchFlag({ char: 'y', summary: 'Do not ask.', helpGroup }) });
