import { execFile } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { RelctlError } from '../errors/relctl-error.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** Where a secret is kept: in the value itself, or somewhere that it names. */
export type SecretPlace = 'value' | 'env' | 'file' | 'cmd' | 'keyring';

const reference = /^(env|file|cmd|keyring|plain):(.*)$/s;
const maxBytes = 64 * 1024;
const commandMs = 10_000;
const keyringMs = 3000;

/** Where the secret behind a setting lies, without looking at it. */
export function secretPlace(text: string): SecretPlace {
  const scheme = reference.exec(text)?.[1];
  return scheme === undefined || scheme === 'plain' ? 'value' : (scheme as SecretPlace);
}

function unusable(setting: string, reason: string, hint?: string): RelctlError {
  return new RelctlError('profile', `the secret ${setting} cannot be had: ${reason}`, {
    facts: { path: setting },
    ...(hint === undefined ? {} : { hint }),
  });
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';

function fromEnvironment(setting: string, name: string, variables: Variables): string {
  const value = variables[name];
  if (value === undefined) throw unusable(setting, `the environment variable ${name} is not set`);
  return value;
}

function fromFile(setting: string, path: string): string {
  try {
    const stats = lstatSync(path);
    if (!stats.isFile()) throw unusable(setting, `${path} is not a regular file`);
    if (stats.size > maxBytes) throw unusable(setting, `${path} is larger than ${maxBytes} bytes`);
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
      throw unusable(setting, `${path} can be read by other users`, `chmod 600 ${path}`);
    }
    return firstLine(readFileSync(path, 'utf8'));
  } catch (thrown) {
    if (thrown instanceof RelctlError) throw thrown;
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown reason';
    throw unusable(setting, `${path} cannot be read (${code})`);
  }
}

/** Words of a command line: blanks separate, single and double quotes group, a backslash takes the next character as it is. */
export function splitCommand(text: string): readonly string[] {
  const words = text.match(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g) ?? [];
  const bare = (word: string): string =>
    word.replace(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
      (_, ...[single, double, escaped]: (string | undefined)[]) =>
        single ?? (double === undefined ? (escaped ?? '') : double.replace(/\\(.)/g, '$1')),
    );
  return words.map(bare);
}

interface Command {
  readonly words: readonly string[];
  readonly limitMs: number;
  readonly variables: Variables;
}

/** Runs a program without a shell. What it writes on stderr is not shown: it may hold the secret. */
function outputOf(setting: string, { words, limitMs, variables }: Command): Promise<string> {
  const [program = '', ...args] = words;
  const wanted = [
    'PATH',
    'HOME',
    'USER',
    'LANG',
    'XDG_RUNTIME_DIR',
    'DBUS_SESSION_BUS_ADDRESS',
    'SSH_AUTH_SOCK',
    'GNUPGHOME',
    'GPG_TTY',
  ];
  const env = Object.fromEntries(
    wanted.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]])),
  );
  return new Promise((resolve, reject) => {
    execFile(program, args, { env, timeout: limitMs, killSignal: 'SIGKILL', maxBuffer: maxBytes }, (error, stdout) => {
      if (error === null) {
        resolve(firstLine(stdout));
        return;
      }
      const reason =
        error.killed === true
          ? `took more than ${limitMs / 1000} s or wrote too much`
          : `ended with ${String(error.code ?? error.signal)}`;
      reject(unusable(setting, `the command ${program} ${reason}`));
    }).stdin?.end();
  });
}

async function fromCommand(setting: string, text: string, variables: Variables): Promise<string> {
  const words = splitCommand(text);
  if (words.length === 0) throw unusable(setting, 'the command is empty');
  return outputOf(setting, { words, limitMs: commandMs, variables });
}

async function fromKeyring(setting: string, account: string, variables: Variables): Promise<string> {
  const words = ['secret-tool', 'lookup', 'service', 'relctl', 'account', account];
  try {
    return await outputOf(setting, { words, limitMs: keyringMs, variables });
  } catch {
    throw unusable(
      setting,
      `the keyring has no entry for service relctl, account ${account}, or cannot be reached`,
      `secret-tool store --label=relctl service relctl account ${account}`,
    );
  }
}

/**
 * The secret that a setting holds or refers to: `env:NAME`, `file:PATH` (first line; a file of yours alone),
 * `cmd:COMMAND` (no shell; first line of stdout; ten seconds), `keyring:ACCOUNT` (through the program secret-tool, so that
 * no native package is needed; three seconds), `plain:TEXT`, or the text itself. Throws `profile`, never with a value.
 */
export async function resolveSecret(setting: string, text: string, variables: Variables): Promise<string> {
  const [, scheme, rest = ''] = reference.exec(text) ?? [];
  const found = await lookUp({ setting, scheme, rest, text, variables });
  if (found === '') throw unusable(setting, 'it is empty');
  return found;
}

function lookUp(place: {
  setting: string;
  scheme: string | undefined;
  rest: string;
  text: string;
  variables: Variables;
}): string | Promise<string> {
  const { setting, rest, variables } = place;
  switch (place.scheme) {
    case 'env':
      return fromEnvironment(setting, rest, variables);
    case 'file':
      return fromFile(setting, rest);
    case 'cmd':
      return fromCommand(setting, rest, variables);
    case 'keyring':
      return fromKeyring(setting, rest, variables);
    case 'plain':
      return rest;
    default:
      return place.text;
  }
}
