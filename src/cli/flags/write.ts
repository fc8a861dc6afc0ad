import { Flags } from '@oclif/core';

const helpGroup = 'WRITING';

/** Flags of every command that writes. */
export const writeFlags = {
  yes: Flags.boolean({ char: 'y', summary: 'Do not ask.', helpGroup }),
  confirm: Flags.string({
    summary: 'Name of the profile, to write through one that is protected without a question.',
    helpValue: 'PROFILE',
    helpGroup,
  }),
};

/** Values of the write flags as parsed. */
export interface WriteFlags {
  readonly yes?: boolean | undefined;
  readonly confirm?: string | undefined;
  readonly 'no-input'?: boolean | undefined;
}
