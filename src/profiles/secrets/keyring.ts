import { delimiter, join } from 'node:path';
import { accessSync, constants } from 'node:fs';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { orElse } from '../../core/values/value.js';
import { resolveSecret } from './secret.js';
import { runTool, type ToolEnd } from './tool.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** What a keyring is reached with. */
export interface KeyringSources {
  readonly platform: NodeJS.Platform;
  readonly variables: Variables;
  /** Longest time for an answer, in milliseconds; three seconds when absent. */
  readonly answerMs?: number;
}

const answersWithinMs = 3000;
/** Longest time to keep or clear an entry, with the time to unlock the keyring. */
const changesWithinMs = 60_000;

const nowhere = 'relctl-looks-whether-you-answer';

/** The words that ask for, keep and clear an entry; what is kept goes to stdin. */
interface Program {
  readonly name: string;
  readonly ask: (account: string) => readonly string[];
  readonly keep: (account: string, secret: string) => { readonly words: readonly string[]; readonly input: string };
  readonly clear: (account: string) => readonly string[];
  /** Exit code for an entry that is not there. */
  readonly absent: number;
}

const secretTool: Program = {
  name: 'secret-tool',
  ask: (account) => ['secret-tool', 'lookup', 'service', 'relctl', 'account', account],
  keep: (account, secret) => ({
    words: ['secret-tool', 'store', `--label=relctl ${account}`, 'service', 'relctl', 'account', account],
    input: secret,
  }),
  clear: (account) => ['secret-tool', 'clear', 'service', 'relctl', 'account', account],
  absent: 1,
};

/** `security` takes a secret as a word only; with -i it reads such words from stdin, where a secret in hex needs no quotes. */
const security: Program = {
  name: 'security',
  ask: (account) => ['security', 'find-generic-password', '-s', 'relctl', '-a', account],
  keep: (account, secret) => ({
    words: ['security', '-i'],
    input: `add-generic-password -s relctl -a ${account} -X ${Buffer.from(secret).toString('hex')}\n`,
  }),
  clear: (account) => ['security', 'delete-generic-password', '-s', 'relctl', '-a', account],
  absent: 44,
};

const programs: Readonly<Partial<Record<NodeJS.Platform, Program>>> = { linux: secretTool, darwin: security };

function isOnPath(name: string, { variables }: KeyringSources): boolean {
  const folders = (variables['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => orElse(() => accessSync(join(folder, name), constants.X_OK), 'none') !== 'none');
}

const scheme = 'keyring:';

/** The account of a reference to the keyring; undefined for any other value. */
export const keyringAccount = (text: unknown): string | undefined =>
  typeof text === 'string' && text.startsWith(scheme) ? text.slice(scheme.length) : undefined;

/** Accounts that can be words of `security -i`, and show who made them. */
const plainAccount = /^[\w.@/-]{1,200}$/;

const failed = (what: string, reason: string): RelctlError =>
  new RelctlError('local', `the keyring ${what}: ${reason}`, { facts: { code: 'keyring' } });

const mostAccounts = 100;

/** The keyring of a desktop, reached by a program that the system has. */
export class Keyring {
  readonly program: string;
  readonly #program: Program;
  readonly #sources: KeyringSources;

  constructor(program: Program, sources: KeyringSources) {
    this.program = program.name;
    this.#program = program;
    this.#sources = sources;
  }

  #run(words: readonly string[], input?: string): Promise<ToolEnd> {
    const { variables, answerMs = answersWithinMs } = this.#sources;
    return runTool({
      words,
      variables,
      ...(input === undefined ? { limitMs: answerMs } : { input, limitMs: changesWithinMs }),
    });
  }

  /** True when the entry is not there, false when it is; undefined when there is no telling. */
  async isFree(account: string): Promise<boolean | undefined> {
    const end = await this.#run(this.#program.ask(account));
    if (end.kind !== 'ended') return undefined;
    if (end.code === 0) return false;
    // Without a D-Bus, secret-tool ends with the same code, and says why.
    const isQuiet = !end.complained || this.#program === security;
    return end.code === this.#program.absent && isQuiet ? true : undefined;
  }

  async #freeAccount(name: string): Promise<string> {
    for (let number = 1; number <= mostAccounts; number += 1) {
      const account = number === 1 ? name : `${name}-${number}`;
      const isFree = await this.isFree(account);
      if (isFree === undefined) throw failed('does not answer', `${this.program} was asked for ${account}`);
      if (isFree) return account;
    }
    throw failed('has no free account', `${name} and ${mostAccounts - 1} more are in use`);
  }

  /**
   * Keeps a secret under an account that is free, reads it back, and gives the reference to it. Throws `local` when it
   * cannot be kept, or comes back as another text.
   */
  async keep(name: string, secret: string): Promise<string> {
    if (!plainAccount.test(name)) throw failed('cannot be used', 'the name of the account has other characters');
    const account = await this.#freeAccount(name);
    const { words, input } = this.#program.keep(account, secret);
    const end = await this.#run(words, input);
    const reference = `${scheme}${account}`;
    const { platform, variables } = this.#sources;
    const back = await resolveSecret(name, reference, { platform, variables }).catch(() => undefined);
    if (back === secret) return reference;
    if (back !== undefined) await this.clear(reference);
    const reason =
      end.kind === 'slow' ? 'it took too long' : `what ${this.program} returns differs from what relctl stored`;
    throw failed('did not store it', reason);
  }

  /** Removes what a reference names. Throws `local` when it cannot be removed. */
  async clear(reference: string): Promise<void> {
    const account = keyringAccount(reference) ?? '';
    const end = await this.#run(this.#program.clear(account), '');
    if ((await this.isFree(account)) === true) return;
    const reason = end.kind === 'slow' ? 'it took too long' : `${this.program} does not confirm that it is deleted`;
    throw failed(`did not clear ${account}`, reason);
  }
}

/**
 * The keyring of this machine; undefined where the system has no program for it, or that does not answer in time, as on a
 * machine without a desktop. Nothing in it is changed or unlocked.
 */
export async function findKeyring(sources: KeyringSources): Promise<Keyring | undefined> {
  const program = programs[sources.platform];
  if (program === undefined || !isOnPath(program.name, sources)) return undefined;
  const keyring = new Keyring(program, sources);
  return (await keyring.isFree(nowhere)) === undefined ? undefined : keyring;
}
