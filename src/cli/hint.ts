import type { Config } from '@oclif/core';
import { RelctlError } from '../errors/relctl-error.js';
import { shellWord } from '../lexical/shell.js';
import { chosenProfile } from '../profiles/resolve.js';
import type { Context } from '../host/context.js';
import { profileStore } from './profile-store.js';

/** `relctl`, and the words that may be those of a command. */
const commandStart = /\brelctl((?: [a-z][a-z-]*)+)/g;

/** What ends a command line within a hint. */
const lineEnd = /&&|[`;]/;

const profileFlag = /\s(?:--profile[ =]|-p)/;

/** The words of the longest command that some words begin with, when it has --profile. Those of `profile` name it themselves. */
function commandIn(config: Config, text: string): string | undefined {
  const words = text.trim().split(' ');
  for (let count = words.length; count > 0; count -= 1) {
    const command = config.findCommand(words.slice(0, count).join(':'));
    if (command === undefined) continue;
    return words[0] !== 'profile' && 'profile' in command.flags ? words.slice(0, count).join(' ') : undefined;
  }
  return undefined;
}

/** The profile that a command was told to use, where the next command would not use it by itself. */
function toldProfile(context: Context, { profile }: { readonly profile?: string | undefined }): string | undefined {
  const { variables } = context.environment;
  // A variable may be set for the one command only.
  if (variables['RELCTL_PROFILE'] !== undefined) return profile ?? variables['RELCTL_PROFILE'];
  try {
    const usual = chosenProfile({ store: profileStore(context), profile: undefined, variables });
    return usual === profile ? undefined : profile;
  } catch {
    return profile;
  }
}

function hintFor(config: Config, hint: string, profile: string): string {
  return hint.replaceAll(commandStart, (text: string, words: string, at: number) => {
    const command = commandIn(config, words);
    const [line = ''] = hint.slice(at).split(lineEnd);
    if (command === undefined || profileFlag.test(line)) return text;
    const start = `relctl ${command}`;
    return `${start} --profile ${shellWord(profile)}${text.slice(start.length)}`;
  });
}

/**
 * Adds --profile to the commands in the hint of an error, so that they use the profile that the failed command used. Hints
 * are written without a profile everywhere else.
 */
export function withProfileInHint(
  thrown: unknown,
  { config, context, flags }: { readonly config: Config; readonly context: Context; readonly flags: object },
): unknown {
  if (!(thrown instanceof RelctlError) || thrown.hint === undefined) return thrown;
  const profile = toldProfile(context, flags);
  const hint = profile === undefined ? thrown.hint : hintFor(config, thrown.hint, profile);
  return hint === thrown.hint ? thrown : thrown.withHint(hint);
}
