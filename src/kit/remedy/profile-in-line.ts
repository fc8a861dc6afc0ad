import { rawValue } from '../output/output-choice.js';
import type { Config } from '@oclif/core';
import { shellWord } from '../../core/text/text.js';
import { settingEntries, settingNamed, settings, type Setting } from '../../profiles/settings/settings.js';
import { environmentName, sandboxName } from '../../profiles/store/store.js';
import type { Context } from '../host/context.js';
import { chosenName } from '../session/profile-store.js';
import { orElse } from '../../core/values/value.js';

/** `relctl`, and the words that may be those of a command. */
const commandStart = /\brelctl((?: [a-z][a-z-]*)+)/g;

/** A command line within a hint, from its first letter to the `&&`, the `;` or the backtick behind it, but for those in quotes. */
const commandLine = /^(?:'[^']*'|&(?!&)|[^&`;])*/s;

/** What is quoted in a command line: it may look like a flag, and is none. */
const quoted = /\\'|'[^']*'/g;

/** Help is the same for every profile. */
const needsNone = /\s(?:--profile[ =]|-p|--help\b)/;

/** The words of the longest command at the start that takes --profile, but for `profile` and `export run`. */
function commandIn(config: Config, text: string): string | undefined {
  const words = text.trim().split(' ');
  for (let count = words.length; count > 0; count -= 1) {
    const command = config.findCommand(words.slice(0, count).join(':'));
    if (command === undefined) continue;
    const name = words.slice(0, count).join(' ');
    return !/^(?:profile |export run$)/.test(name) && 'profile' in command.flags ? name : undefined;
  }
  return undefined;
}

const profileFlagIn = (argv: readonly string[]): string | undefined => rawValue(argv, 'profile', 'p');

const usualProfile = (context: Context, profile?: string): string | undefined =>
  orElse(() => chosenName(context, profile), undefined);

/** The profile that a command line uses; undefined when none is chosen, or the line does not show it. */
export const profileUsed = (context: Context): string | undefined =>
  usualProfile(context, profileFlagIn(context.environment.argv));

/** The profile that a command was told to use, where the next command would not use it by itself. */
function profileOnLine(context: Context): string | undefined {
  const { variables, argv } = context.environment;
  const profile = profileFlagIn(argv);
  // A variable may be set for the one command only.
  if (variables['RELCTL_PROFILE'] !== undefined) return profile ?? variables['RELCTL_PROFILE'];
  return usualProfile(context) === profile ? undefined : profile;
}

/** Adds --profile to the commands in a text, so that they use the profile that the failed command used. */
export function withProfile(text: string, config: Config, context: Context): string {
  const profile = profileOnLine(context);
  if (profile === undefined) return text;
  return text.replaceAll(commandStart, (match: string, words: string, at: number) => {
    const command = commandIn(config, words);
    const [line = ''] = commandLine.exec(text.slice(at)) ?? [];
    if (command === undefined || needsNone.test(line.replaceAll(quoted, ''))) return match;
    const start = `relctl ${command}`;
    return `${start} --profile ${shellWord(profile)}${match.slice(start.length)}`;
  });
}

const changing = /^relctl profile edit NAME(?: (.+))?$/;

/** The setting that the words of `profile edit` change, and the value that they give it. */
function changeIn(words: string): { readonly setting: Setting | undefined; readonly value: string | undefined } {
  const [, name, value] = /^--(?:set|secret) (\w+)[^=]*(?:=(.*))?$/.exec(words) ?? [];
  if (name !== undefined)
    return { setting: settings[settingNamed(name, '--set')], value: value === '-' ? undefined : value };
  const [, flag, text] = /^--([a-z-]+?)(?:-stdin)?(?: (.+))?$/.exec(words) ?? [];
  return { setting: settingEntries.find(([, setting]) => setting.flag === flag)?.[1], value: text };
}

/** A hint about the profile that the environment makes: what is changed is a variable. */
function ofEnvironment(hint: string): string {
  const [isChange, words = ''] = changing.exec(hint) ?? [];
  if (isChange === undefined)
    return hint.replace(/^(relctl profile (?:show|test)) NAME/, '$1').replace(' --profile NAME', '');
  const { setting, value = '…' } = changeIn(words);
  return words === '' || setting === undefined ? 'relctl profile show' : `export ${setting.environment}=${value}`;
}

/**
 * Puts a profile where a hint says NAME. What comes from the environment alone is changed there; the embedded service has
 * no settings to change.
 * @param profile undefined when none is chosen
 */
export function named(hint: string, profile: string | undefined): string {
  if (!/^relctl (?:profile (?:show|edit|test)|doctor --profile) NAME/.test(hint)) return hint;
  if (profile === undefined) return 'relctl profile list';
  if (profile === environmentName) return ofEnvironment(hint);
  if (profile === sandboxName && changing.test(hint)) return `relctl profile show ${sandboxName}`;
  return hint.replace('NAME', shellWord(profile));
}
