import { setTimeout as wait } from 'node:timers/promises';
import type { ClientSurroundings } from '../../client/call.js';
import { createClient, type Client } from '../../client/client.js';
import type { Connection } from '../../client/connection.js';
import type { Operation } from '../../contract/build.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { isSandbox, resolveSecrets, type ResolvedProfile, type Secrets } from '../../profiles/resolve.js';
import { clientOf } from '../../soap/transport/in-process.js';
import type { HttpClient } from '../../soap/transport/http.js';
import type { Context } from '../host/context.js';
import { readRate } from '../../core/text/time/moment.js';
import type { OverridingFlags, ConnectionFlags, CommonFlags } from '../flags/common.js';
import type { SpreadsheetSettings } from '../flags/csv.js';
import { noteOnce } from '../host/notes.js';
import { limitsOfReads, Pace } from '../../client/pace.js';
import {
  connectionOf,
  credentialsFor,
  findService,
  settingText,
  type Endpoint,
  type Uncredited,
  readableFor,
  risksOf,
} from './connection.js';
import { openTransport } from './transport.js';
import { noteOverrides, profileOf } from './profile-store.js';
import { defined } from '../../core/values/value.js';
import { shellWord } from '../../core/text/text.js';

/** The way to a service, with the profile that it came from: enough for what is got without credentials. */
export interface ServiceRoute {
  readonly profile: ResolvedProfile;
  readonly connection: Uncredited;
  /** Makes an exchange that is no call, by the way that calls take. */
  readonly send: HttpClient;
}

/** A service that a command talks to. */
export interface Session extends ServiceRoute, SpreadsheetSettings {
  readonly connection: Connection;
  readonly client: Client;
  /** Names of the operations that were called, where a request or a change is shown and not sent. */
  readonly called: ReadonlySet<string>;
  /** Members that records of this run had, though the interface document says that their lists leave them nil. */
  readonly seen: Set<string>;
  /** Format when none is asked for. */
  readonly output: string | undefined;
  /** The progress of a list is reported without a terminal too. */
  readonly progress: boolean;
}

/** Where a command does its work. */
export interface SessionContext<F> {
  readonly context: Context;
  readonly session: Session;
  readonly flags: F;
}

type Flags = Partial<ConnectionFlags & CommonFlags> &
  OverridingFlags & {
    readonly confirm?: string | undefined;
    readonly 'dry-run'?: boolean | undefined;
  };

async function warnOfRisks(
  context: Context,
  flags: Flags,
  { profile, url }: { profile: ResolvedProfile; url: string },
): Promise<void> {
  const address = new URL(url);
  for (const { words } of risksOf(address, profile.values.insecureTls?.value === true)) {
    const text = `${address.hostname} ${words}`;
    await noteOnce(context, flags, { about: text, text });
  }
}

/** Waits, and with a reason shows it in a terminal. Throws the reason of the signal. */
async function waitFor(
  context: Context,
  flags: Flags,
  { ms, signal, reason }: { readonly ms: number; readonly signal: AbortSignal; readonly reason: string | undefined },
): Promise<void> {
  const over =
    reason === undefined ? undefined : (await import('../host/progress.js')).showWait(context, flags, { reason, ms });
  await wait(ms, undefined, { signal })
    .catch(() => Promise.reject(RelctlError.from(signal.reason)))
    .finally(over);
}

/**
 * Opens the pace of calls, which tells once that it slows them down.
 * @param rate calls a second of a batch, which may run for a night and has a line of its own; undefined for calls that somebody
 * waits for: why is shown
 */
export function openPace(context: Context, flags: Flags, rate?: number): Pace {
  const reason = rate === undefined ? 'because relctl calls the service less often' : undefined;
  return new Pace(rate ?? Infinity, {
    nowMs: context.clock.nowMs,
    pause: (ms, signal) => waitFor(context, flags, { ms, signal, reason }),
    onSlow: (text) => void noteOnce(context, flags, { about: 'pace', text }),
    ...defined({ limits: rate === undefined ? limitsOfReads : undefined }),
  });
}

/** What sees the calls of a session: `--trace`, `--record`, and what receives the reads made for a request that is shown. */
async function observersOf(
  context: Context,
  flags: Flags,
  called: {
    readonly connection: Connection;
    readonly secrets: readonly string[];
    readonly isPublic: boolean;
    readonly names: Set<string>;
  },
): Promise<Pick<ClientSurroundings, 'onAttempt' | 'record'>> {
  const { connection, secrets, isPublic, names } = called;
  const isRehearsal = flags.envelope === true || flags['dry-run'] === true;
  const trace =
    flags.trace === undefined
      ? undefined
      : (await import('../calls/trace.js')).openTrace(context, connection, {
          target: flags.trace,
          secrets: isPublic ? [] : secrets,
        });
  const onAttempt: ClientSurroundings['onAttempt'] = isRehearsal
    ? (attempt) => {
        names.add(attempt.operation.name);
        return trace?.(attempt);
      }
    : trace;
  const record =
    flags.record === undefined || isRehearsal
      ? undefined
      : await (await import('../calls/record.js')).openRecord(context, connection, { folder: flags.record, secrets });
  return defined({ onAttempt, record });
}

/** Throws `profile` and `usage`, also for --confirm with another profile: the command was made for that. */
function confirmedProfile(context: Context, flags: Flags): ResolvedProfile {
  const profile = profileOf(context, flags);
  const { name } = profile;
  const { confirm: confirmed = name } = flags;
  if (confirmed === name) return profile;
  throw usage(
    '--confirm',
    `--confirm names profile '${confirmed}', and the profile in use is '${name}'; nothing was sent`,
    {
      advice: `Choose one: \`--profile ${shellWord(confirmed)}\` or \`--confirm ${shellWord(name)}\`.`,
    },
  );
}

async function routeTo(
  context: Context,
  flags: Flags,
  { profile, secrets, service }: { profile: ResolvedProfile; secrets: Secrets; service: Endpoint },
): Promise<ServiceRoute & { readonly connection: { readonly secrets: readonly string[] } }> {
  const { url, answer } = service;
  // The embedded service needs HTTP for nothing but to find settings that are wrong.
  const hasSettings = (['caFile', 'clientCertFile', 'proxy'] as const).some((name) => name in profile.values);
  const { send, ...route } =
    answer === undefined || hasSettings
      ? await openTransport(context, profile, { url, secrets })
      : { send: clientOf(answer), gatewayHeaders: [], secrets: [] };
  const connection = { ...connectionOf(profile, service), ...route };
  // Those of the sandbox are in its documentation.
  if (!isSandbox(profile)) context.secrets.add([...Object.values(secrets), ...connection.secrets]);
  await noteOverrides(context, flags, profile);
  if (answer === undefined) await warnOfRisks(context, flags, { profile, url });
  return { profile, connection, send: answer === undefined ? send : clientOf(answer) };
}

/** Opens the way to a service for what needs no credentials, which are not looked up. Throws as `openSession`. */
export async function openRoute(context: Context, flags: Flags): Promise<ServiceRoute> {
  const profile = confirmedProfile(context, flags);
  const secrets = await resolveSecrets(profile, context.environment.variables, { signal: context.signal, isWay: true });
  return routeTo(context, flags, { profile, secrets, service: await findService(context, profile) });
}

/**
 * Opens what a command talks to: resolves profile and secrets, starts the embedded service for the profile `sandbox`,
 * and makes a client. Nothing is called yet. Throws `profile` and `usage`, also for --confirm with another name.
 * @param operation the only one that is called, where it is known: one that takes no credentials needs no key
 */
export async function openSession(
  context: Context,
  flags: Flags,
  operation?: Pick<Operation, 'wire'>,
): Promise<Session> {
  const profile = confirmedProfile(context, flags);
  const secrets = await resolveSecrets(profile, context.environment.variables, context);
  const service = await findService(context, profile);
  const needsNone = operation?.wire?.takesCredentials === false && secrets.apiKey === undefined;
  const credentials = needsNone ? {} : credentialsFor(context, profile, secrets);
  const route = await routeTo(context, flags, { profile, secrets, service });
  const readable = await readableFor(context, profile);
  const connection = { ...route.connection, credentials, ...defined({ readable }) };
  const called = new Set<string>();
  const observers = await observersOf(context, flags, {
    connection,
    names: called,
    secrets: [...Object.values(secrets), ...connection.secrets],
    isPublic: isSandbox(profile),
  });
  const client = createClient(connection, {
    send: route.send,
    signal: context.signal,
    onLongAnswer: () => context.collectGarbage(),
    nowMs: context.clock.nowMs,
    random: context.clock.random,
    pause: async (ms, signal, after) => {
      const { reasonToWait } = await import('../host/progress.js');
      await waitFor(context, flags, { ms, signal, reason: reasonToWait(after) });
    },
    pace: openPace(context, flags),
    ...observers,
  });
  return {
    ...route,
    connection,
    client,
    called,
    seen: new Set(),
    output: settingText(profile, 'output'),
    excel: profile.values.excel?.value === true,
    country: settingText(profile, 'country'),
    progress: profile.values.progress?.value === true,
  };
}

/** How many calls may begin in a second, by the setting `rate`. */
export const rateOf = ({ profile }: Session): number => readRate(settingText(profile, 'rate') ?? '') ?? Infinity;

/** How old the reading may be by which a record is written, in milliseconds, by the setting `maxStaleness`. */
export const stalenessMs = ({ profile }: Session): number => Number(profile.values.maxStaleness?.value) * 1000;

/** The user that a command asks about: the flag's, or the profile's. Throws `usage` when there is neither. */
export function userOf(flag: string | undefined, session: Session): string {
  const user = flag ?? settingText(session.profile, 'userId');
  if (user !== undefined) return user;
  throw usage('--user', `which user? Profile '${session.profile.name}' has no userId`, {
    advice: 'Use --user with the Id of the user, or save it in the profile with --user-id.',
  });
}

/**
 * What identifies the service of an export or a bookmark: its URL, `sandbox` for the embedded one, which has no address of its
 * own; its namespace; and the database that the credentials name, empty where they name none.
 */
export function serviceOf({ profile, connection }: Session): Record<'url' | 'namespace' | 'database', string> {
  const { url, namespace, credentials } = connection;
  const database = credentials['DatabaseId'];
  return {
    url: isSandbox(profile) ? 'sandbox' : url,
    namespace,
    database: typeof database === 'string' ? database : '',
  };
}
