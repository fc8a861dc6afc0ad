import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import type { RecordValue } from '../../plain/value.js';
import { recordWithoutPresence, req } from '../../contract/build.js';
import { string } from '../../contract/scalars.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { foldersOf } from '../../profiles/folders.js';
import { resolveSecrets } from '../../profiles/resolve.js';
import type { SettingName } from '../../profiles/settings.js';
import { calibrationOf } from '../../profiles/calibration.js';
import type { Context } from '../../host/context.js';
import type { OutputFlags } from '../../cli/flags/output.js';
import { profileStore } from '../../cli/profile-store.js';
import { printRecords } from '../../cli/output/record-output.js';
import { databaseFile, runningSandbox, sandboxFolder } from '../../cli/sandbox-running.js';
import { profileOf } from '../../cli/session.js';
import { codeOf } from '../../errors/code-of.js';

const Finding = recordWithoutPresence('Finding', 'Something that was looked at.', {
  Check: req(string, 'What was looked at.'),
  State: req(string, 'ok or wrong.'),
  Detail: req(string, 'What was found.'),
});

interface Found {
  readonly detail: string;
  readonly failure?: RelctlError;
}

type Look = (context: Context, flags: { readonly profile?: string | undefined }) => string | Promise<string>;

const checks: Readonly<Record<string, Look>> = {
  node: () => `${process.version} on ${process.platform} ${process.arch}`,
  'profile store': (context) => {
    const store = profileStore(context);
    const mode = statSync(store.file, { throwIfNoEntry: false })?.mode;
    const names = store.names();
    return mode === undefined
      ? `${store.file} is not there yet`
      : `${store.file}: ${names.length} profiles, mode ${(mode & 0o777).toString(8)}`;
  },
  'state folder': (context) => {
    const { platform, variables } = context.environment;
    const { state } = foldersOf(platform, variables);
    mkdirSync(state, { recursive: true, mode: 0o700 });
    accessSync(state, constants.W_OK);
    return `${state} can be written`;
  },
  profile: (context, flags) => {
    const profile = profileOf(context, { profile: flags.profile });
    const over = profile.overridden.length === 0 ? '' : `; overridden by ${profile.overridden.join(', ')}`;
    return `'${profile.name}'${over}`;
  },
  paging: (context, flags) => {
    const { name, values } = profileOf(context, { profile: flags.profile });
    const of = (setting: SettingName): string => `${setting} ${String(values[setting]?.value ?? '')}`;
    const found = `${of('firstPage')}, ${of('pageSize')}, ${of('listEnd')}`;
    const store = profileStore(context);
    const { day, pageSize } = calibrationOf(store.names().includes(name) ? store.get(name) : {});
    const size = pageSize === undefined ? '' : `, whole lists by ${pageSize}`;
    return `${found}; ${day === undefined ? 'never calibrated' : `calibrated ${day}${size}`}`;
  },
  secrets: async (context, flags) => {
    const profile = profileOf(context, { profile: flags.profile });
    const names = Object.keys(await resolveSecrets(profile, context.environment.variables));
    if (!names.includes('apiKey')) {
      throw new RelctlError('profile', `profile '${profile.name}' has no apiKey`, {
        hint: `relctl profile edit ${profile.name} --api-key-stdin`,
      });
    }
    return `${names.join(', ')} can be had`;
  },
  proxy: (context) => {
    const { variables } = context.environment;
    const set = [
      'HTTPS_PROXY',
      'https_proxy',
      'HTTP_PROXY',
      'http_proxy',
      'NO_PROXY',
      'no_proxy',
      'RELCTL_PROXY',
    ].filter((name) => variables[name] !== undefined);
    return set.length === 0 ? 'none in the environment' : `set by ${set.join(', ')}`;
  },
  sandbox: async (context) => {
    const file = databaseFile(sandboxFolder(context));
    const running = await runningSandbox(file);
    return running === undefined ? `not running; data in ${file}` : `runs at ${running.baseUrl}`;
  },
  terminal: ({ streams }) =>
    streams.out.isTerminal
      ? `${streams.out.width ?? 'unknown'} columns, ${streams.out.hasColor ? 'colour' : 'no colour'}`
      : 'stdout is no terminal',
};

async function found(check: string, look: () => string | Promise<string>): Promise<Found> {
  try {
    return { detail: await look() };
  } catch (thrown) {
    if (thrown instanceof RelctlError) return { detail: thrown.message, failure: thrown };
    const code = codeOf(thrown) ?? 'unknown reason';
    return { detail: code, failure: new RelctlError('local', `${check}: ${code}`, { facts: { code } }) };
  }
}

/** Checks this machine and prints what was found. Throws the error of the first check that fails. */
export async function examine(
  context: Context,
  flags: OutputFlags & { readonly profile?: string | undefined },
): Promise<void> {
  const failures: RelctlError[] = [];
  await printRecords(context, { flags, record: Finding, shape: 'list' }, async () => {
    const findings: RecordValue[] = [];
    for (const [Check, look] of Object.entries(checks)) {
      const { detail, failure } = await found(Check, () => look(context, flags));
      findings.push({ Check, State: failure === undefined ? 'ok' : 'wrong', Detail: detail });
      if (failure !== undefined) failures.push(failure);
    }
    return findings;
  });
  const [first] = failures;
  if (first !== undefined) throw first;
}
