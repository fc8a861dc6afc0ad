import { usage } from '../../errors/usage.js';
import { shellWord } from '../../lexical/shell/command.js';

/**
 * Throws `usage` for --confirm with the name of another profile than the one in use: the command was made for that one. What
 * is sent does not matter, for a name that is wrong in a dry run is wrong in the run after it.
 */
export function checkMeant(name: string, { confirm: meant }: { readonly confirm?: string | undefined }): void {
  if (meant === undefined || meant === name) return;
  throw usage(
    '--confirm',
    `--confirm names profile '${meant}', and the profile in use is '${name}'; nothing was sent`,
    {
      advice: `Say which one is meant: \`--profile ${shellWord(meant)}\` or \`--confirm ${shellWord(name)}\`.`,
    },
  );
}
