import { isWatched } from '../../formats/streams.js';
import { findingRecords, findingRequest, printSummary, type Finding } from '../../kit/findings.js';
import type { OutputFlags } from '../../kit/flags/common.js';
import { printRecords } from '../../kit/output/open-output.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { refusedBecause, attempt, makeFolders } from '../../state/own-file.js';
import { completed, type ErrorContext } from '../../kit/remedy/complete.js';
import { accessSync, constants, statSync } from 'node:fs';
import { lacks } from '../../kit/session/connection.js';
import { profileStore, profileOf } from '../../kit/session/profile-store.js';
import { databaseFile, runningSandbox, sandboxFolder } from '../../kit/sandbox/running.js';
import type { Context } from '../../kit/host/context.js';
import { foldersOf } from '../../profiles/store/folders.js';
import { isStored, resolveSecrets } from '../../profiles/resolve.js';
import { hasPlain } from '../../profiles/secrets/secret.js';
import type { SettingName } from '../../profiles/settings/settings.js';

interface DoctorContext {
  readonly context: Context;
  readonly flags: { readonly profile?: string | undefined };
}

function profileFile({ context }: DoctorContext): string {
  const store = profileStore(context);
  const mode = statSync(store.file, { throwIfNoEntry: false })?.mode;
  const count = store.names().length;
  return mode === undefined
    ? `${store.file} does not exist yet`
    : `${store.file}: ${count} ${count === 1 ? 'profile' : 'profiles'}, mode ${(mode & 0o777).toString(8)}`;
}

function stateFolder({ context }: DoctorContext): string {
  const { state } = foldersOf(context.environment);
  attempt(state, () => {
    makeFolders(state);
    accessSync(state, constants.W_OK);
  });
  return `${state} can be written`;
}

/** Whether this machine gives the secrets of the profile, and how it keeps them. */
async function secrets({ context, flags }: DoctorContext): Promise<string> {
  const profile = profileOf(context, { profile: flags.profile });
  const { variables } = context.environment;
  const names = Object.keys(await resolveSecrets(profile, variables, context)) as SettingName[];
  if (!names.includes('apiKey')) throw lacks(profile, 'apiKey');
  const isPlain = (name: SettingName): boolean => {
    const { value, origin } = profile.values[name] ?? {};
    return origin?.kind === 'profile' && hasPlain(name, String(value));
  };
  const plain = isStored(profile) ? names.filter(isPlain) : [];
  const summary = `${names.join(', ')} of profile '${profile.name}' can be read`;
  return plain.length === 0 ? summary : `${summary}; as plain text in the profile file: ${plain.join(', ')}`;
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

function proxy({ context }: DoctorContext): string {
  const set = proxyVariables.filter((name) => context.environment.variables[name] !== undefined);
  return set.length === 0 ? 'none in the environment' : `set by ${set.join(', ')}`;
}

async function sandbox({ context }: DoctorContext): Promise<string> {
  const file = databaseFile(sandboxFolder(context));
  const running = await runningSandbox(file);
  return running === undefined ? `not running; data in ${file}` : `runs at ${running.baseUrl}`;
}

function terminal({ context: { streams } }: DoctorContext): string {
  const { width, hasColor } = streams.out;
  return isWatched(streams.out)
    ? `${width ?? 'unknown'} columns, ${hasColor ? 'colour' : 'no colour'}`
    : 'not a terminal';
}

interface Check {
  readonly name: string;
  /** The check without which it is skipped: it would fail for the same reason. */
  readonly needs?: string;
  readonly look: (doctorContext: DoctorContext) => string | Promise<string>;
}

/** Every check, in the order in which they are made and printed. A look throws what is wrong. */
const checks: readonly Check[] = [
  { name: 'node', look: () => `${process.version} on ${process.platform} ${process.arch}` },
  { name: 'profile store', look: profileFile },
  { name: 'state folder', look: stateFolder },
  { name: 'secrets', needs: 'profile store', look: secrets },
  { name: 'proxy', look: proxy },
  { name: 'sandbox', look: sandbox },
  { name: 'terminal', look: terminal },
];

interface Result {
  readonly finding: Finding;
  readonly failure?: RelctlError;
}

function failed(check: string, thrown: unknown): RelctlError {
  if (thrown instanceof RelctlError) return thrown;
  const { code, words } = refusedBecause(thrown);
  return new RelctlError('local', `${check}: ${words}`, { facts: { foreignCode: code } });
}

async function resultOf({ name, look }: Check, context: DoctorContext & ErrorContext): Promise<Result> {
  try {
    return { finding: { check: name, state: 'ok', detail: await look(context) } };
  } catch (thrown) {
    const failure = completed(failed(name, thrown), context);
    return { finding: { check: name, state: 'wrong', detail: failure.message, hint: failure.hint }, failure };
  }
}

async function resultsOf(context: DoctorContext & ErrorContext): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const check of checks) {
    const isSkipped = results.some(({ finding, failure }) => failure !== undefined && finding.check === check.needs);
    results.push(
      isSkipped
        ? { finding: { check: check.name, state: 'skipped', detail: `needs the ${check.needs ?? ''}` } }
        : await resultOf(check, context),
    );
  }
  return results;
}

/**
 * Checks this machine and prints what was found, with a summary for people. Throws the error of the first check that
 * fails.
 */
export async function examine(
  input: ErrorContext & { readonly flags: OutputFlags & DoctorContext['flags'] },
): Promise<void> {
  const { context, flags } = input;
  const results = await resultsOf(input);
  const findings = results.map(({ finding }) => finding);
  await printRecords(context, findingRequest(flags), () => findingRecords(findings));
  await printSummary(context, { flags }, findings);
  const failure = results.find((result) => result.failure !== undefined)?.failure;
  if (failure !== undefined) throw failure;
}
