import { checkedSetting, settings, type Setting, type SettingName } from '../../profiles/settings/settings.js';
import type { Changes, StoredProfile } from '../../profiles/store/store.js';
import type { Context } from '../../kit/host/context.js';
import { ask, type Question } from '../../kit/host/prompt.js';
import { defined } from '../../core/values/value.js';
import { secretText, secretReference } from './setting-flags.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { findKeyring, type Keyring } from '../../profiles/secrets/keyring.js';
import { shellWord } from '../../core/text/text.js';
import { pagePathOf } from '../../profiles/settings/forms.js';

/**
 * Throws `usage` where changes give a profile a base address that names the page beside a path: no call could be made. A
 * profile that had both before is not refused for another change, and a base address that was broken by hand names no page.
 */
export function refuseTwoPages(known: StoredProfile, changes: Changes): void {
  const { baseUrl, path } = { ...known, ...changes };
  if (typeof changes.baseUrl !== 'string' && typeof changes.path !== 'string') return;
  if (typeof baseUrl !== 'string' || typeof path !== 'string' || !URL.canParse(baseUrl)) return;
  const page = pagePathOf(baseUrl);
  if (page === undefined) return;
  throw usage('--base-url', `the base URL already has the page ${page}, and the path is ${path}`, {
    advice: 'Use one of them: the URL of the page, or a base URL with a path.',
    hint: typeof changes.path === 'string' ? `--base-url ${shellWord(new URL(baseUrl).origin)}` : '--unset path',
  });
}

interface Keeping {
  /** An answer is a reference, and no secret. */
  readonly takesReferences: boolean;
  /** What the profile gets for an answer. Throws `usage`, and `local` when the keyring does not keep it. */
  readonly store: (name: SettingName, answer: string) => Promise<string> | string;
  /** Takes back what was stored elsewhere, when the profile itself is not written. */
  readonly undo: () => Promise<void>;
}

function checked(check: () => unknown): true | string {
  try {
    check();
    return true;
  } catch (thrown) {
    return RelctlError.from(thrown).message;
  }
}

const valueOf = (name: SettingName, answer: string): string => String(checkedSetting(name, answer, 'It'));

const inFile: Keeping = {
  takesReferences: false,
  store: (name, answer) => secretText(valueOf(name, answer)),
  undo: () => Promise.resolve(),
};

function inKeyring(keyring: Keyring, profile: string): Keeping {
  const references: string[] = [];
  return {
    takesReferences: false,
    async store(name, answer) {
      const reference = await keyring.keep(`${profile}/${name}`, valueOf(name, answer));
      references.push(reference);
      return reference;
    },
    async undo() {
      // What goes wrong here must not hide why it is undone.
      for (const reference of references) await keyring.clear(reference).catch(() => undefined);
    },
  };
}

const fileChoice = 'in the profile file, as plain text that only you can read';
const referenceChoice = 'elsewhere, by reference (env:NAME, file:PATH, cmd:COMMAND)';

/** Warns of secrets that are readable for whoever can read a file. */
export const plainTextWarning = (names: string, file: string): string =>
  `Warning: ${names} will be plain text in ${file}: anyone who can read that file, or a backup of it, can use it.`;

const referenceIn = ({ environment }: Context, answer: string): string =>
  secretReference(answer, 'It', environment.pathOf);

/** Asks where the secrets of a profile are to be store: the keyring comes first, where there is one that answers. */
async function askKeeping(context: Context, profile: string, file: string): Promise<Keeping> {
  const keyring = await findKeyring(context.environment);
  const keyringChoice = `in the keyring of this machine (${keyring?.program ?? ''})`;
  const choices = [...(keyring === undefined ? [] : [keyringChoice]), fileChoice, referenceChoice];
  const question: Question = {
    kind: 'choice',
    name: 'keeping',
    explain: 'A reference names a variable, a file or a program that has the secret; relctl reads it at each call.',
    message: 'Where are the secrets stored?',
    choices,
  };
  const { keeping } = await ask([question], context.streams.prompt);
  if (keeping === referenceChoice)
    return { ...inFile, takesReferences: true, store: (_name, answer) => referenceIn(context, answer) };
  if (keyring !== undefined && keeping === keyringChoice) return inKeyring(keyring, profile);
  await context.streams.err.write(`${plainTextWarning('what you type', file)}\n`);
  return inFile;
}

/** Settings that a new profile is asked for, with a line that says what each is about; the others have defaults. */
const explanations = {
  baseUrl: 'The part before /V1/service.asmx, such as https://crm.example; or the full URL.',
  namespace: 'It is the targetNamespace of its WSDL (ADDRESS/V1/service.asmx?WSDL).',
  soapVersion: 'Usually 1.2; use 1.1 for a service that accepts nothing else.',
  apiKey: 'Identifies you to the service; its owner issues it.',
  databaseId: 'For a service with several databases; its owner knows the Id.',
  userId: 'The user on whose behalf relctl calls the service, and whose notifications it reads.',
  userName: 'For a service that requires a user login besides the key.',
  password: 'The password of that user.',
} as const satisfies Partial<Record<SettingName, string>>;

type QuestionName = keyof typeof explanations;

const questionNames = Object.keys(explanations) as readonly QuestionName[];

/** Settings without which a profile cannot call anything. */
export const neededSettings: readonly SettingName[] = ['baseUrl', 'namespace'];

const titleOf = (name: SettingName): string => settings[name].doc.replace(/\.$/, '');

const isSecret = (name: SettingName): boolean => (settings[name] as Setting).isSecret === true;

function checkOf(name: SettingName, has: StoredProfile): (answer: string) => true | string {
  return (answer) => {
    if (answer === '') return neededSettings.includes(name) ? 'A value is required.' : true;
    return checked(() => {
      checkedSetting(name, answer, 'It');
      refuseTwoPages(has, { [name]: answer });
    });
  };
}

function question(name: QuestionName, has: StoredProfile): Question {
  const setting: Setting = settings[name];
  const isNeeded = neededSettings.includes(name);
  const title = titleOf(name);
  const message = isNeeded || setting.choices !== undefined ? `${title}:` : `${title} (optional):`;
  const initial = has[name];
  const known = typeof initial === 'string' ? initial : setting.fallback;
  const words = { name, message, explain: explanations[name], ...defined({ initial: known?.toString() }) };
  if (setting.choices !== undefined) return { kind: 'choice', choices: setting.choices, ...words };
  return { kind: 'text', check: checkOf(name, has), ...words };
}

/** What was answered, and how to take back what was stored outside of the profile. */
export interface Settled {
  readonly changes: Changes;
  readonly undo: Keeping['undo'];
}

/** A profile that questions are asked about. */
export interface ProfileDraft {
  readonly name: string;
  readonly given: Changes;
  readonly known?: StoredProfile;
  readonly file: string;
}

function secretQuestion(context: Context, name: QuestionName, { takesReferences }: Keeping): Question {
  const title = titleOf(name);
  if (takesReferences)
    return {
      kind: 'text',
      name,
      explain: explanations[name],
      message: `Reference to the ${title.charAt(0).toLowerCase()}${title.slice(1)} (optional):`,
      check: (answer) => answer === '' || checked(() => referenceIn(context, answer)),
    };
  return {
    kind: 'secret',
    name,
    explain: `${explanations[name]} relctl does not show it.`,
    message: `${title} (optional):`,
    check: (answer) => answer === '' || checked(() => valueOf(name, answer)),
  };
}

async function answerTo(
  context: Context,
  name: QuestionName,
  { has, keeping }: { readonly has: StoredProfile; readonly keeping: Keeping | undefined },
): Promise<string | undefined> {
  const ofSecret = isSecret(name) ? keeping : undefined;
  const asks = ofSecret === undefined ? question(name, has) : secretQuestion(context, name, ofSecret);
  const answer = String((await ask([asks], context.streams.prompt))[name] ?? '');
  return answer === '' ? undefined : (ofSecret?.store(name, answer) ?? valueOf(name, answer));
}

/** Asks in the terminal for the settings that are not given yet. Empty answers set nothing. Throws `local` and `interrupted`. */
export async function askSettings(context: Context, profile: ProfileDraft): Promise<Settled> {
  const { given, known } = profile;
  let keeping: Keeping | undefined;
  const undo = async (): Promise<void> => keeping?.undo();
  const changes: Partial<Record<SettingName, string>> = {};
  try {
    for (const name of questionNames.filter((each) => given[each] === undefined)) {
      // Asked once a secret is.
      if (isSecret(name)) keeping ??= await askKeeping(context, profile.name, profile.file);
      const value = await answerTo(context, name, { has: { ...known, ...given }, keeping });
      if (value !== undefined) changes[name] = value;
    }
  } catch (thrown) {
    await undo();
    throw thrown;
  }
  return { changes: { ...given, ...changes }, undo };
}
