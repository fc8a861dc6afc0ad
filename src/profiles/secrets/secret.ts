import type { SettingName } from '../settings/settings.js';
import { isDamagedVariable } from '../../state/process-bytes.js';
import { RelctlError, type Remedy } from '../../core/errors/relctl-error.js';
import { shellWord } from '../../core/text/text.js';
import { runTool, type ToolEnd } from './tool.js';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { unreadableBecause, isForeign, runnerHere, type Access, type Runner } from '../../state/own-file.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** Where a secret is stored: in the value itself, or somewhere that it names. */
export type SecretSource = 'value' | 'env' | 'file' | 'cmd' | 'keyring';

const reference = /^(env|file|cmd|keyring|plain):(.*)$/s;

/** Limits of what a secret is looked up with, unless others are given; in milliseconds. */
export const secretLimits = { commandMs: 10_000, keyringMs: 3000 } as const;

/** What a secret is looked up with. */
export interface SecretSources {
  readonly variables: Variables;
  /** The platform whose keyring is asked; that of this process when absent. */
  readonly platform?: NodeJS.Platform;
  /** Longest time for a command, in milliseconds; ten seconds when absent. */
  readonly commandMs?: number;
  /** Longest time for the keyring, in milliseconds; three seconds when absent. */
  readonly keyringMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Where the secret behind a setting lies, without looking at it. */
export function secretSource(text: string): SecretSource {
  const scheme = reference.exec(text)?.[1];
  return scheme === undefined || scheme === 'plain' ? 'value' : (scheme as SecretSource);
}

/** The references and secrets in the value of a secret setting: one, or that of each header. */
export const referencesIn = (name: SettingName, text: string): readonly string[] =>
  name === 'headers' ? text.split(/\r?\n/).map((line) => line.replace(/^[^:]*:[ \t]*/, '')) : [text];

/** True for a secret setting that holds a secret as it is, and not a reference to it. */
export const hasPlain = (name: SettingName, text: string): boolean =>
  referencesIn(name, text).some((each) => secretSource(each) === 'value');

function unusable(setting: string, reason: string, remedy: Remedy = {}): RelctlError {
  return new RelctlError('profile', `the secret ${setting} cannot be read: ${reason}`, {
    facts: { path: setting },
    ...remedy,
  });
}

/** Strict, so that no secret changes on its way; a byte order mark before it is no part of it. */
function firstLine(setting: string, bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).split(/\r?\n/, 1)[0] ?? '';
  } catch {
    throw unusable(setting, `${source} is not UTF-8 text`);
  }
}

function fromEnvironment(setting: string, name: string, variables: Variables): string {
  const value = variables[name];
  if (value === undefined) throw unusable(setting, `the environment variable ${name} is not set`);
  if (isDamagedVariable(name, value)) throw unusable(setting, `the environment variable ${name} is not UTF-8 text`);
  return value;
}

function fromFile(setting: string, path: string): string {
  const file = readSecretFile(path);
  if (file instanceof Uint8Array) return firstLine(setting, file, path);
  throw unusable(setting, `${path} ${file.reason}`, file.remedy);
}

const word = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs;

/**
 * Words of a command line: blanks separate, single and double quotes group, a backslash takes the next character as it is.
 * Undefined when a quote is not closed or a backslash ends the line.
 */
export function splitCommand(text: string): readonly string[] | undefined {
  if (text.replace(word, '').trim() !== '') return undefined;
  const words = text.match(word) ?? [];
  const bare = (quoted: string): string =>
    quoted.replace(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
      (_, ...[single, double, escaped]: (string | undefined)[]) =>
        single ?? (double === undefined ? (escaped ?? '') : double.replace(/\\(.)/gs, '$1')),
    );
  return words.map(bare);
}

function failureOf(end: ToolEnd, limitMs: number): string {
  switch (end.kind) {
    case 'ended':
      return `ended with ${end.code ?? end.signal ?? 'an unknown code'}`;
    case 'slow':
      return `took more than ${limitMs / 1000} s`;
    case 'held':
      return `ended, but a background process of it kept its output open for ${limitMs / 1000} s`;
    case 'verbose':
      return `wrote more than ${mostSecretBytes} bytes`;
    case 'absent':
      return 'cannot be started: there is no such program';
    case 'denied':
      return 'cannot be started: permission denied';
    case 'unstartable':
      return 'cannot be started';
  }
}

async function fromCommand(
  setting: string,
  text: string,
  { variables, signal, commandMs: limitMs = secretLimits.commandMs }: SecretSources,
): Promise<string> {
  const words = splitCommand(text);
  if (words === undefined) throw unusable(setting, 'the command has a quote that is not closed');
  const [program] = words;
  if (program === undefined) throw unusable(setting, 'the command is empty');
  const end = await runTool({ words, limitMs, mostBytes: mostSecretBytes, variables, signal });
  if (end.kind === 'ended' && end.code === 0)
    return firstLine(setting, end.output, `the output of the command ${program}`);
  // Its other words may hold a secret.
  throw unusable(setting, `the command ${program} ${failureOf(end, limitMs)}`, {
    advice: end.kind === 'held' ? 'Redirect the output of background processes, for example to /dev/null.' : undefined,
  });
}

async function fromKeyring(
  setting: string,
  account: string,
  { variables, signal, platform = process.platform, keyringMs: limitMs = secretLimits.keyringMs }: SecretSources,
): Promise<string> {
  const isMac = platform === 'darwin';
  const words = isMac
    ? ['security', 'find-generic-password', '-s', 'relctl', '-a', account, '-w']
    : ['secret-tool', 'lookup', 'service', 'relctl', 'account', account];
  const end = await runTool({ words, limitMs, mostBytes: mostSecretBytes, variables, signal });
  if (end.kind === 'ended' && end.code === 0) return firstLine(setting, end.output, 'the entry of the keyring');
  throw unusable(setting, `the keyring has no entry for service relctl, account ${account}, or cannot be reached`, {
    hint: isMac
      ? `security add-generic-password -s relctl -a ${shellWord(account)} -w`
      : `secret-tool store --label=relctl service relctl account ${shellWord(account)}`,
  });
}

/**
 * The secret that a setting holds or refers to: `env:NAME`, `file:PATH` (first line; only this user and root have access),
 * `cmd:COMMAND` (no shell; first line of stdout; ten seconds), `keyring:ACCOUNT` (through the program secret-tool, on macOS
 * security, so that no native package is needed; three seconds), `plain:TEXT`, or the text itself. Throws `profile`, never with a value, and
 * the reason of the signal.
 */
export async function resolveSecret(setting: string, text: string, sources: SecretSources): Promise<string> {
  const [, scheme, rest = ''] = reference.exec(text) ?? [];
  const readBy = {
    env: () => fromEnvironment(setting, rest, sources.variables),
    file: () => fromFile(setting, rest),
    cmd: () => fromCommand(setting, rest, sources),
    keyring: () => fromKeyring(setting, rest, sources),
    value: () => (scheme === 'plain' ? rest : text),
  };
  const secret = await readBy[secretSource(text)]();
  if (secret === '') throw unusable(setting, 'it is empty');
  return secret;
}

const { O_NONBLOCK, O_RDONLY } = constants;

/** The most bytes that a file with a secret, or the output of a command with one, may have. */
const mostSecretBytes = 64 * 1024;

interface Fault {
  readonly reason: string;
  readonly remedy?: Remedy;
}

const looksMounted = ({ uid, mode }: Access): boolean => uid === 0 || (mode & 0o200) === 0;

/** Who but the runner and root can get at a file, or undefined. */
function reachOf(file: Access, runner: Runner): string | undefined {
  const { mode, gid } = file;
  // Root can read any file, and its owner put it where root was told to look.
  if (isForeign(file, runner) && runner.uid !== 0) return 'belongs to another user';
  if ((mode & 0o022) !== 0) return 'can be changed by other users';
  if ((mode & 0o007) !== 0) return 'can be read by other users';
  if ((mode & 0o070) === 0) return undefined;
  // A file that its user can write was made by hand, where groups are wider than people think.
  return looksMounted(file) && runner.groups.includes(gid) ? undefined : 'can be read by other users of its group';
}

const ofMount =
  'If it is mounted, set owner and mode of the mount: 0400, or 0440 with one of your groups ' +
  '(Kubernetes: defaultMode and fsGroup; Docker: uid, gid and mode).';

/**
 * What is wrong with the owner and the mode of a file with a secret; undefined when nothing is. It belongs to the runner or to
 * root, nobody else may write it, and nobody else may read it but a group of the runner, if only root can write the file.
 */
export function faultOfAccess(path: string, file: Access, runner: Runner): Fault | undefined {
  const reason = reachOf(file, runner);
  if (reason === undefined) return undefined;
  const canMend = runner.uid === 0 || runner.uid === file.uid;
  const hint = `${canMend ? 'chmod 600' : 'ls -lL'} ${shellWord(path)}`;
  return { reason, remedy: { hint, advice: looksMounted(file) ? ofMount : undefined } };
}

const tooLarge: Fault = { reason: `is larger than ${mostSecretBytes} bytes` };

/** Reads from the handle that was looked at: what the path leads to may change meanwhile. */
function readOpen(handle: number, path: string): Buffer | Fault {
  const stats = fstatSync(handle);
  if (!stats.isFile()) return { reason: 'is not a regular file' };
  const runner = runnerHere();
  const fault = runner && faultOfAccess(path, stats, runner);
  if (fault !== undefined) return fault;
  if (stats.size > mostSecretBytes) return tooLarge;
  const bytes = readFileSync(handle);
  return bytes.length > mostSecretBytes ? tooLarge : bytes;
}

/**
 * The bytes of a file with a secret, or what is wrong with it. A link is followed, as mounted secrets have them: what counts is
 * the file at its end. Never throws.
 */
function readSecretFile(path: string): Buffer | Fault {
  let handle: number | undefined;
  try {
    // Without NONBLOCK a pipe that nobody writes would be waited for.
    handle = openSync(path, O_RDONLY | O_NONBLOCK);
    return readOpen(handle, path);
  } catch (thrown) {
    const { code, words } = unreadableBecause(thrown);
    return { reason: code === 'ELOOP' ? 'is a circular link' : words };
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
