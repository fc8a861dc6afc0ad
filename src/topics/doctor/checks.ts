import { accessSync, constants, statSync } from 'node:fs';
import { lacks } from '../../cli/session/connection.js';
import { profileStore } from '../../cli/session/profile-store.js';
import { databaseFile, runningSandbox, sandboxFolder } from '../../cli/sandbox/running.js';
import { profileOf } from '../../cli/session/profile-store.js';
import type { Context } from '../../host/context.js';
import { foldersOf } from '../../profiles/store/folders.js';
import { isStored, resolveSecrets } from '../../profiles/resolve.js';
import { hasPlain } from '../../profiles/secrets/secret.js';
import type { SettingName } from '../../profiles/settings/settings.js';
import { attempt } from '../../files/failure.js';
import { makeFolders } from '../../files/own-file.js';

/** What a check looks at. */
export interface Place {
  readonly context: Context;
  readonly flags: { readonly profile?: string | undefined };
}

function profileFile({ context }: Place): string {
  const store = profileStore(context);
  const mode = statSync(store.file, { throwIfNoEntry: false })?.mode;
  const count = store.names().length;
  return mode === undefined
    ? `${store.file} is not there yet`
    : `${store.file}: ${count} ${count === 1 ? 'profile' : 'profiles'}, mode ${(mode & 0o777).toString(8)}`;
}

function stateFolder({ context }: Place): string {
  const { platform, variables } = context.environment;
  const { state } = foldersOf(platform, variables);
  attempt(state, () => {
    makeFolders(state);
    accessSync(state, constants.W_OK);
  });
  return `${state} can be written`;
}

/** Whether this machine gives the secrets of the profile, and how it keeps them. */
async function secrets({ context, flags }: Place): Promise<string> {
  const profile = profileOf(context, { profile: flags.profile });
  const { variables } = context.environment;
  const names = Object.keys(await resolveSecrets(profile, variables, context.signal)) as SettingName[];
  if (!names.includes('apiKey')) throw lacks(profile, 'apiKey');
  const isPlain = (name: SettingName): boolean => {
    const { value, origin } = profile.values[name] ?? {};
    return origin?.kind === 'profile' && hasPlain(name, String(value));
  };
  const plain = isStored(profile) ? names.filter(isPlain) : [];
  const found = `${names.join(', ')} of profile '${profile.name}' can be read`;
  return plain.length === 0 ? found : `${found}; as plain text in the profile file: ${plain.join(', ')}`;
}

const proxyVariables = [
  'HTTPS_PROXY',
  'https_proxy',
  'HTTP_PROXY',
  'http_proxy',
  'NO_PROXY',
  'no_proxy',
  'RELCTL_PROXY',
];

function proxy({ context }: Place): string {
  const set = proxyVariables.filter((name) => context.environment.variables[name] !== undefined);
  return set.length === 0 ? 'none in the environment' : `set by ${set.join(', ')}`;
}

async function sandbox({ context }: Place): Promise<string> {
  const file = databaseFile(sandboxFolder(context));
  const running = await runningSandbox(file);
  return running === undefined ? `not running; data in ${file}` : `runs at ${running.baseUrl}`;
}

function terminal({ context: { streams } }: Place): string {
  const { isTerminal, width, hasColor } = streams.out;
  return isTerminal ? `${width ?? 'unknown'} columns, ${hasColor ? 'colour' : 'no colour'}` : 'stdout is no terminal';
}

/** A look at one thing. */
export interface Check {
  readonly name: string;
  /** The check without which it is skipped: it would fail for the same reason. */
  readonly needs?: string;
  readonly look: (place: Place) => string | Promise<string>;
}

/** Every check, in the order in which they are made and printed. A look throws what is wrong. */
export const checks: readonly Check[] = [
  { name: 'node', look: () => `${process.version} on ${process.platform} ${process.arch}` },
  { name: 'profile store', look: profileFile },
  { name: 'state folder', look: stateFolder },
  { name: 'secrets', needs: 'profile store', look: secrets },
  { name: 'proxy', look: proxy },
  { name: 'sandbox', look: sandbox },
  { name: 'terminal', look: terminal },
];
