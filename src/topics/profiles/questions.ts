import { RelctlError } from '../../errors/relctl-error.js';
import { checkedSetting, settings, type Setting, type SettingName } from '../../profiles/settings.js';
import type { Changes, StoredProfile } from '../../profiles/store.js';
import type { Context } from '../../host/context.js';
import { keptSecret } from '../../cli/flags/values/settings.js';
import { ask, type Question } from '../../host/prompt.js';
import { defined } from '../../plain/defined.js';

/** Settings that a new profile is asked for; the others have defaults. */
const asked: readonly SettingName[] = [
  'baseUrl',
  'namespace',
  'soapVersion',
  'apiKey',
  'databaseId',
  'userId',
  'userName',
  'password',
];

/** Settings without which a profile cannot call anything. */
export const neededSettings: readonly SettingName[] = ['baseUrl', 'namespace'];

function checkOf(name: SettingName, isNeeded: boolean): (answer: string) => true | string {
  return (answer) => {
    if (answer === '') return isNeeded ? 'This one is needed.' : true;
    try {
      checkedSetting(name, answer, 'It');
      return true;
    } catch (thrown) {
      return RelctlError.from(thrown).message;
    }
  };
}

function question(name: SettingName, initial: unknown): Question {
  const setting: Setting = settings[name];
  const isNeeded = neededSettings.includes(name);
  const title = setting.doc.replace(/\.$/, '');
  const message = isNeeded || setting.choices !== undefined ? `${title}:` : `${title} (may be empty):`;
  const check = checkOf(name, isNeeded);
  if (setting.isSecret === true) return { kind: 'secret', name, message, check };
  const known = typeof initial === 'string' ? initial : setting.fallback;
  const start = defined({ initial: known?.toString() });
  if (setting.choices !== undefined) return { kind: 'choice', name, message, choices: setting.choices, ...start };
  return { kind: 'text', name, message, check, ...start };
}

/** Asks in the terminal for the settings that are not given yet. Empty answers set nothing. */
export async function askSettings(context: Context, given: Changes, known: StoredProfile = {}): Promise<Changes> {
  const names = asked.filter((name) => given[name] === undefined);
  const answers = await ask(
    names.map((name) => question(name, known[name])),
    context.streams.prompt,
  );
  const entries = names.flatMap((name): [SettingName, string][] => {
    const answer = String(answers[name] ?? '');
    if (answer === '') return [];
    const setting: Setting = settings[name];
    const value = String(checkedSetting(name, answer, 'It'));
    return [[name, setting.isSecret === true ? keptSecret(value) : value]];
  });
  return { ...given, ...Object.fromEntries(entries) };
}
