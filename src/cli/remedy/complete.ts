import type { Config } from '@oclif/core';
import type { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { hasFlags, withCorrection, withFlags, withoutFlags, type Failed } from './command-line.js';
import { named, profileUsed, withProfile } from './profile-in-line.js';
import { withoutSecrets } from './secrets-in-line.js';
import { usualTry } from './usual.js';

/** Where an error came about. */
export interface Place {
  readonly config: Config;
  readonly context: Context;
}

function failedIn({ config, context: { environment } }: Place): Failed {
  const { argv } = environment;
  const end = argv.findIndex((word) => word.startsWith('-'));
  const words = end === -1 ? argv : argv.slice(0, end);
  for (let count = words.length; count > 0; count -= 1) {
    const command = config.findCommand(words.slice(0, count).join(':'));
    if (command !== undefined) return { command, argv };
  }
  return { command: undefined, argv };
}

/** The command line to try, before it names a profile. */
function lineOf(error: RelctlError, failed: Failed): string {
  const { hint, instead } = error;
  // A yes was meant for what was typed.
  const argv = failed.command === undefined ? failed.argv : withoutFlags(failed.argv, ['yes'], failed.command);
  const meant = instead && withCorrection(argv, instead);
  if (meant !== undefined) return meant;
  if (hint === undefined) return usualTry(error, failed);
  if (!hint.startsWith('-')) return hint;
  const { command } = failed;
  return command !== undefined && hasFlags(command, hint)
    ? withFlags(failed.argv, hint, command)
    : usualTry(error, failed);
}

/**
 * The same error with a whole command line as its hint, that can be pasted and uses the profile that the failed command
 * used: the flags of a hint stand in the command that failed, a wrong word is put right in it, and where an error says
 * nothing, its kind does.
 */
export function completed(error: RelctlError, place: Place): RelctlError {
  const failed = failedIn(place);
  const tried = error.hint === '' ? undefined : lineOf(error, failed);
  const line = tried && named(tried, error.facts.profile ?? profileUsed(place.context));
  const advice = error.advice && withProfile(error.advice, place.config, place.context);
  const excerpt = error.excerpt?.map((each) =>
    each.startsWith('relctl ') ? withProfile(each, place.config, place.context) : each,
  );
  const hint = line && withProfile(line, place.config, place.context);
  const whole = error.but({ hint, advice, excerpt, instead: undefined });
  return withoutSecrets(whole, failed);
}
