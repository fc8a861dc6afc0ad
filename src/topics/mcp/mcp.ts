import { neutral, switchFlag, type Values } from '../../cli/flags/define.js';
import { namesOption, profileOption, someDurationOption, wholeOption } from '../../cli/flags/kinds.js';
import { outputFlags, type CommonFlags } from '../../cli/flags/output.js';
import { printRecords } from '../../cli/output/open-output.js';
import { inRole, list, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { string } from '../../contract/scalars.js';
import { usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { note } from '../../host/notes.js';
import type { DescribedCommand } from './described.js';
import { allowedProfiles } from './profiles.js';
import { serve } from './server.js';
import { offeredTools, type Offer } from './tools.js';

const helpGroup = 'SERVER';

const usualMaxBytes = 64 * 1024;
const usualDeadlineMs = 5 * 60 * 1000;

/** Flags of `mcp`. */
export const mcpFlags = {
  profile: profileOption({
    char: 'p',
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Profile that tools may use; may be repeated, and the first is the usual one.',
    env: 'RELCTL_PROFILE',
    helpGroup: 'CONNECTION',
  }),
  ...neutral({
    'allow-writes': switchFlag({
      summary: 'Offer tools that write too, on profiles that are not protected.',
      helpGroup,
    }),
    tools: namesOption({ summary: 'Only tools of these names; * stands for any letters.', helpGroup }),
    'max-bytes': wholeOption({ least: 4096, most: 16 * 1024 * 1024 })({
      summary: `Longest answer of a tool, in bytes; the default is ${usualMaxBytes}.`,
      helpGroup,
    }),
    deadline: someDurationOption({
      summary: 'Stop the call of a tool after this time: 90s, 10m; the default is 5m.',
      helpGroup,
    }),
    list: switchFlag({ summary: 'Print the tools, and serve nothing.', helpGroup }),
  }),
  ...outputFlags,
};

/** Values of those flags. */
export type McpFlags = Values<typeof mcpFlags> & CommonFlags;

/** What `mcp --list` prints. */
export const ToolLine = recordWithoutPresence('ToolLine', 'A tool that agents are offered.', {
  Name: inRole('key', req(string, 'Its name.')),
  Access: req(string, 'read, set or add.'),
  Runs: req(string, 'The command, or the operation, that it runs.'),
  Parameters: req(list(string), 'Names of its parameters.'),
  Profiles: opt(list(string), 'The profiles that know it, where those are not all.'),
  Purpose: req(string, 'What it does.'),
});

function printTools(context: Context, flags: McpFlags, { tools }: Offer): Promise<void> {
  const table = ['Name', 'Access', 'Purpose'];
  return printRecords(context, { flags, record: ToolLine, shape: 'list', table }, () =>
    [...tools.values()].map(({ name, access, title, parameters, profiles, description }) => ({
      Name: name,
      Access: access,
      Runs: title,
      Parameters: Object.keys(parameters.properties),
      ...(profiles === undefined ? {} : { Profiles: profiles }),
      Purpose: description.split('\n', 1)[0] ?? '',
    })),
  );
}

const namesIn = (text: string | undefined): readonly string[] | undefined =>
  text?.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));

async function sayWhatIsOffered(
  context: Context,
  flags: McpFlags,
  { profiles, leftOut }: { readonly profiles: readonly string[]; readonly leftOut: Offer['leftOut'] },
): Promise<void> {
  if (leftOut.length > 0)
    await note(
      context,
      flags,
      `no tools, for their names or parameters are none that clients take: ${leftOut.join(', ')}`,
    );
  if (context.environment.stdinIsTerminal)
    await note(context, flags, `waiting for a client on stdin, for ${profiles.join(', ')}; Ctrl-D ends`);
}

/** Throws `usage` for a flag of what is printed, where nothing is. */
function checkPrinting(flags: McpFlags): void {
  if (flags.list) return;
  const given: Readonly<Record<string, unknown>> = flags;
  // The header is on unless it is turned off.
  const name = Object.keys(outputFlags).find(
    (each) => each !== 'header' && given[each] !== undefined && given[each] !== false,
  );
  if (name !== undefined) throw usage(`--${name}`, `--${name} goes with --list: agents get JSON`, '--list');
}

/** Serves tools to agents on stdin and stdout, or prints which there are. Throws `profile`, `usage`, `local`, and the reason of a signal. */
export async function serveAgents(
  context: Context,
  flags: McpFlags,
  commands: readonly DescribedCommand[],
): Promise<void> {
  checkPrinting(flags);
  const allowed = allowedProfiles(context, flags.profile ?? []);
  const offer = offeredTools(context, {
    commands,
    allowed,
    allowWrites: flags['allow-writes'],
    patterns: namesIn(flags.tools),
  });
  if (flags.list) return printTools(context, flags, offer);
  await sayWhatIsOffered(context, flags, { profiles: allowed.names, leftOut: offer.leftOut });
  await serve({
    context,
    allowed,
    tools: offer.tools,
    maxBytes: flags['max-bytes'] ?? usualMaxBytes,
    deadlineMs: flags.deadline ?? usualDeadlineMs,
  });
}
