import { checkedSetting, settings, type Setting, type SettingName } from '../../profiles/settings/settings.js';
import type { Changes, StoredProfile } from '../../profiles/store/store.js';
import type { Context } from '../../host/context.js';
import { ask, type Question } from '../../host/prompt.js';
import { defined } from '../../plain/defined.js';
import { askKeeping, checked, type Keeping } from './keeping.js';
import { refuseTwoPages } from './one-page.js';

/** Settings that a new profile is asked for, with a line that says what each is about; the others have defaults. */
const asked = {
  baseUrl: 'What stands before /V1/service.asmx, such as https://crm.example; or all of it.',
  namespace: 'Its WSDL (ADDRESS/V1/service.asmx?WSDL) names it, as targetNamespace.',
  soapVersion: '1.2 is usual; 1.1 is for a service that takes nothing else.',
  apiKey: 'Identifies you to the service; its owner gives it out.',
  databaseId: 'For a service with several databases; its owner knows the Id.',
  userId: 'The user in whose name calls are made, and whose notifications are shown.',
  userName: 'For a service that wants the login of a user besides the key.',
  password: 'The password of that user.',
} as const satisfies Partial<Record<SettingName, string>>;

type AskedName = keyof typeof asked;

const askedNames = Object.keys(asked) as readonly AskedName[];

/** Settings without which a profile cannot call anything. */
export const neededSettings: readonly SettingName[] = ['baseUrl', 'namespace'];

const titleOf = (name: SettingName): string => settings[name].doc.replace(/\.$/, '');

const isSecret = (name: SettingName): boolean => (settings[name] as Setting).isSecret === true;

function checkOf(name: SettingName, has: StoredProfile): (answer: string) => true | string {
  return (answer) => {
    if (answer === '') return neededSettings.includes(name) ? 'This one is needed.' : true;
    return checked(() => {
      checkedSetting(name, answer, 'It');
      refuseTwoPages(has, { [name]: answer });
    });
  };
}

/** @param has what the profile has already */
function question(name: AskedName, has: StoredProfile): Question {
  const setting: Setting = settings[name];
  const isNeeded = neededSettings.includes(name);
  const title = titleOf(name);
  const message = isNeeded || setting.choices !== undefined ? `${title}:` : `${title} (may be empty):`;
  const initial = has[name];
  const known = typeof initial === 'string' ? initial : setting.fallback;
  const words = { name, message, explain: asked[name], ...defined({ initial: known?.toString() }) };
  if (setting.choices !== undefined) return { kind: 'choice', choices: setting.choices, ...words };
  return { kind: 'text', check: checkOf(name, has), ...words };
}

/** What was answered, and how to take back what was kept outside of the profile. */
export interface Settled {
  readonly changes: Changes;
  readonly undo: Keeping['undo'];
}

/** A profile that questions are asked about. */
export interface AskedProfile {
  readonly name: string;
  /** What is set already, and not asked for. */
  readonly given: Changes;
  /** What it had before; first answers. */
  readonly known?: StoredProfile;
  /** The file that profiles are kept in. */
  readonly file: string;
}

interface Asking {
  readonly context: Context;
  readonly profile: AskedProfile;
  /** Known once a secret is asked for. */
  keeping?: Keeping;
}

async function answerTo({ context }: Asking, asks: Question): Promise<string> {
  const answers = await ask([asks], context.streams.prompt);
  return String(answers[asks.name] ?? '');
}

/** What the profile gets for the answer to a question; undefined for an empty one. */
async function settingBy(asking: Asking, name: AskedName): Promise<string | undefined> {
  const { context, profile } = asking;
  if (!isSecret(name)) {
    const answer = await answerTo(asking, question(name, { ...profile.known, ...profile.given }));
    return answer === '' ? undefined : String(checkedSetting(name, answer, 'It'));
  }
  const keeping = (asking.keeping ??= await askKeeping(context, profile.name, profile.file));
  const answer = await answerTo(asking, keeping.question(name, { title: titleOf(name), explain: asked[name] }));
  return answer === '' ? undefined : keeping.kept(name, answer);
}

/** Asks in the terminal for the settings that are not given yet. Empty answers set nothing. Throws `local` and `interrupted`. */
export async function askSettings(context: Context, profile: AskedProfile): Promise<Settled> {
  const { given } = profile;
  const asking: Asking = { context, profile };
  const undo = async (): Promise<void> => asking.keeping?.undo();
  const changes: Partial<Record<SettingName, string>> = {};
  try {
    for (const name of askedNames.filter((each) => given[each] === undefined)) {
      const value = await settingBy(asking, name);
      if (value !== undefined) changes[name] = value;
    }
  } catch (thrown) {
    await undo();
    throw thrown;
  }
  return { changes: { ...given, ...changes }, undo };
}
