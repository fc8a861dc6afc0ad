import { keptSecret, secretReference } from '../../cli/flags/values/secret-texts.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { ask, type Question } from '../../host/prompt.js';
import { findKeyring, type Keyring } from '../../profiles/secrets/keyring.js';
import { checkedSetting, type SettingName } from '../../profiles/settings/settings.js';

/** How secrets that are asked for get into the profile. */
export interface Keeping {
  /** The question for one secret; an empty answer sets nothing. */
  readonly question: (name: SettingName, words: { readonly title: string; readonly explain: string }) => Question;
  /** What the profile gets for an answer. Throws `local` when the keyring does not keep it. */
  readonly kept: (name: SettingName, answer: string) => Promise<string> | string;
  /** Takes back what was kept elsewhere, when the profile itself is not written. */
  readonly undo: () => Promise<void>;
}

const nothingToUndo = (): Promise<void> => Promise.resolve();

/** True, or what is wrong with an answer; an empty one is none. */
export function checked(check: () => unknown): true | string {
  try {
    check();
    return true;
  } catch (thrown) {
    return RelctlError.from(thrown).message;
  }
}

const typed: Keeping['question'] = (name, { title, explain }) => ({
  kind: 'secret',
  name,
  explain: `${explain} It is not shown.`,
  message: `${title} (may be empty):`,
  check: (answer) => answer === '' || checked(() => checkedSetting(name, answer, 'It')),
});

/** The secret as the service is to get it. */
const secretOf = (name: SettingName, answer: string): string => String(checkedSetting(name, answer, 'It'));

const inFile: Keeping = {
  question: typed,
  kept: (name, answer) => keptSecret(secretOf(name, answer)),
  undo: nothingToUndo,
};

function inKeyring(keyring: Keyring, profile: string): Keeping {
  const references: string[] = [];
  return {
    question: typed,
    async kept(name, answer) {
      const reference = await keyring.keep(`${profile}/${name}`, secretOf(name, answer));
      references.push(reference);
      return reference;
    },
    async undo() {
      // What goes wrong here must not hide why it is undone.
      for (const reference of references) await keyring.clear(reference).catch(() => undefined);
    },
  };
}

function byReference({ environment: { pathOf } }: Context): Keeping {
  return {
    question: (name, { title, explain }) => ({
      kind: 'text',
      name,
      explain,
      message: `Reference to the ${title.charAt(0).toLowerCase()}${title.slice(1)} (may be empty):`,
      check: (answer) => answer === '' || checked(() => secretReference(answer, 'It', pathOf)),
    }),
    kept: (_name, answer) => secretReference(answer, 'It', pathOf),
    undo: nothingToUndo,
  };
}

const fileChoice = 'in the profile file, as plain text that only you can read';
const referenceChoice = 'elsewhere: I give a reference (env:NAME, file:PATH, cmd:COMMAND)';

const explanation = (platform: NodeJS.Platform): string =>
  platform === 'win32'
    ? 'A reference such as cmd:COMMAND asks a program of yours, like a password manager, at each call.'
    : 'A reference names where it lies already; it is looked up at each call.';

/** Warns of secrets that are readable for whoever can read a file. */
export const plainTextWarning = (names: string, file: string): string =>
  `Warning: ${names} will be plain text in ${file}: whoever can read that file, or a backup of it, has it.`;

/** Asks where the secrets of a profile are to be kept: the keyring comes first, where there is one that answers. */
export async function askKeeping(context: Context, profile: string, file: string): Promise<Keeping> {
  const { platform, variables } = context.environment;
  const keyring = await findKeyring({ platform, variables });
  const keyringChoice = `in the keyring of this machine (${keyring?.program ?? ''})`;
  const choices = [...(keyring === undefined ? [] : [keyringChoice]), fileChoice, referenceChoice];
  const question: Question = {
    kind: 'choice',
    name: 'keeping',
    explain: explanation(platform),
    message: 'Where are the secrets kept?',
    choices,
  };
  const { keeping } = await ask([question], context.streams.prompt);
  if (keeping === referenceChoice) return byReference(context);
  if (keyring !== undefined && keeping === keyringChoice) return inKeyring(keyring, profile);
  await context.streams.err.write(`${plainTextWarning('what you type', file)}\n`);
  return inFile;
}
