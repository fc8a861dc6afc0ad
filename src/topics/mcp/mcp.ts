import { neutralGroup, switchFlag, type Values, repeated } from '../../kit/flags/define.js';
import { profileOption, someDurationOption, wholeOption } from '../../kit/flags/kinds.js';
import type { CommonFlags } from '../../kit/flags/common.js';
import { profileOf } from '../../kit/session/profile-store.js';
import type { Context } from '../../kit/host/context.js';
import { note } from '../../kit/host/notes.js';
import { serve } from './server.js';
import { offeredTools } from './tools.js';

const usualMaxBytes = 64 * 1024;
const usualDeadlineMs = 5 * 60 * 1000;

/** Flags of `mcp`. */
export const mcpFlags = {
  profile: profileOption({
    char: 'p',
    ...repeated,
    summary: 'Profile that tools may use; may be repeated, and the first is the usual one.',
    env: 'RELCTL_PROFILE',
    helpGroup: 'CONNECTION',
  }),
  ...neutralGroup('SERVER', {
    'allow-writes': switchFlag({ summary: 'Offer tools that write too, on profiles that are not protected.' }),
    'max-bytes': wholeOption({ least: 4096, most: 16 * 1024 * 1024 })({
      summary: `Longest answer of a tool, in bytes; the default is ${usualMaxBytes}.`,
    }),
    deadline: someDurationOption({ summary: 'Stop the call of a tool after this time: 90s, 10m; the default is 5m.' }),
  }),
};

type McpFlags = Values<typeof mcpFlags> & CommonFlags;

/**
 * The profiles of these names, each of which is there; without names the one in use, which stays the one even when another is
 * put in use later. Throws `profile` and `usage`.
 */
const allowedProfiles = (context: Context, names: readonly string[] = []): readonly string[] =>
  names.length === 0
    ? [profileOf(context, {}).name]
    : [...new Set(names)].map((profile) => profileOf(context, { profile }).name);

/** Serves tools to agents on stdin and stdout. Throws `profile`, `usage`, `local`, and the reason of a signal. */
export async function serveAgents(context: Context, flags: McpFlags): Promise<void> {
  const profiles = allowedProfiles(context, flags.profile);
  if (context.environment.stdinIsTerminal)
    await note(context, flags, `waiting for a client on stdin, for ${profiles.join(', ')}; Ctrl-D ends`);
  await serve({
    context,
    profiles,
    tools: await offeredTools(context, flags['allow-writes']),
    maxBytes: flags['max-bytes'] ?? usualMaxBytes,
    deadlineMs: flags.deadline ?? usualDeadlineMs,
  });
}
