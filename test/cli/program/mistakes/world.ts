import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import dns from 'node:dns';
import { join } from 'node:path';
import {
  answers,
  brokenServer,
  closedPort,
  endsWithinBody,
  resets,
  writesAndEnds,
  type BrokenServer,
  type Reaction,
} from '../../../support/broken-server.js';
import type { Kind } from '../../../../src/core/errors/kinds.js';
import { home, relctl, type Run } from '../../../support/relctl.js';
import {
  count,
  errorInformation,
  fault11,
  fault12,
  html,
  namespace,
  notSucceeded,
  relations,
  wrongElement,
  wrongNamespace,
} from '../../../support/soap-answers.js';

/**
 * What is prepared for a mistake; `$DIR`, `$HOME`, `$PORT` and `$CLOSED` stand for folders and for
 * ports of the loopback address.
 */
interface Prepared {
  /** How the service answers, by a name of `reactions` or an HTTP status: `html503`. */
  readonly answer?: string;
  /** Settings of the profile `eu` besides the usual ones; null takes one away. */
  readonly settings?: Readonly<Record<string, string | boolean | null>>;
  /** Files in the folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** The whole profile file. */
  readonly config?: string;
  /** Mode of the profile file. */
  readonly mode?: number;
  /** A file of which another run holds the lock. */
  readonly lock?: string;
}

const id = '00000000-0000-4000-8000-000000000011';

/** A first page that is right, and a second one that breaks off. */
const stopsShort: Reaction = (socket, request) => {
  const page = relations(id);
  const isFirst = /<pageNumber>1</.test(request.body.toString());
  return (isFirst ? answers(page) : endsWithinBody(page.body, 300))(socket, request);
};

const reactions: Readonly<Record<string, Reaction>> = {
  redirect: answers({ status: 302, headers: { Location: 'https://elsewhere.invalid/x' } }),
  empty: answers({}),
  fault11: answers(fault11('Server', 'The period is closed.')),
  fault12: answers(fault12('Receiver', 'The period is closed.')),
  notSucceeded: answers(notSucceeded('Locked', 'The period is closed.')),
  information: answers(errorInformation('Field 3 is unknown.')),
  credentials: answers(notSucceeded('InvalidCredentials', 'Wrong user name or password.')),
  wrongElement: answers(wrongElement),
  wrongNamespace: answers(wrongNamespace),
  half: endsWithinBody(count.body, 300),
  notHttp: writesAndEnds('SSH-2.0-OpenSSH_9\r\n'),
  silent: () => undefined,
  resets,
  stopsShort,
};

/** Answers by the first part of the path: the name of a reaction, or `html` and a status. */
const react: Reaction = (socket, request) => {
  const [, name = ''] = request.target.split('/');
  const status = /^html(\d+)$/.exec(name)?.[1];
  const reaction = status === undefined ? reactions[name] : answers(html('A page', Number(status)));
  return (reaction ?? answers(count))(socket, request);
};

/** A mistake, and what relctl makes of it. */
export interface Mistake {
  readonly title: string;
  /** The command line without `relctl`. */
  readonly args: string;
  readonly kind: Kind;
  /** The whole message: what happened and why. */
  readonly says: string;
  /** The whole command line behind Try. */
  readonly tries: string;
  readonly prepared: Prepared;
}

/** The mistakes of a file: title, command line, kind and message, what is to try, and what is prepared, a line each. */
export function readMistakes(name: string): readonly Mistake[] {
  const text = readFileSync(new URL(`${name}.txt`, import.meta.url), 'utf8');
  return text.split('\n\n').map((each) => {
    const [title = '', line = '', error = '', tries = '', prepared = '{}'] = each.trimEnd().split('\n  ');
    const [, kind, says = ''] = /^([a-z-]+): (.*)$/.exec(error) ?? [];
    return {
      title,
      args: line.replace('relctl ', ''),
      kind: kind as Kind,
      says,
      tries,
      prepared: JSON.parse(prepared) as Prepared,
    };
  });
}

/** How the failing profile is chosen: by a flag, by `profile use`, or made of variables. */
export type Choice = 'flag' | 'in use' | 'variables';

/** A home with two profiles, a service that fails in every way, and a resolver that finds no name. */
export interface World {
  /** Runs a mistake; gives the run with `$DIR`, `$PORT` and `$CLOSED` in the place of what they stand for. */
  readonly run: (
    args: string,
    mistake: Prepared,
    options?: { readonly choice?: Choice; readonly width?: number; readonly json?: boolean },
  ) => Promise<Run>;
  /** Runs a command in what the last mistake left, in its folder; for a tool, its exit code alone. */
  readonly again: (words: readonly string[]) => Promise<Run>;
  /** A text with the values in their places. */
  readonly filled: (text: string) => string;
  close(): Promise<void>;
}

/** Names under .invalid are not asked for outside of this process. */
function withoutResolver(): () => void {
  const { lookup } = dns;
  const none = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
  const stub = (name: string, ...more: readonly unknown[]): void => {
    const done = more.at(-1) as (error: Error | null) => void;
    if (name.endsWith('.invalid')) setImmediate(done, none);
    else (lookup as (name: string, ...more: readonly unknown[]) => void)(name, ...more);
  };
  dns.lookup = stub as unknown as typeof lookup;
  return () => {
    dns.lookup = lookup;
  };
}

const withoutProfile = (words: readonly string[]): readonly string[] =>
  words.filter((word, at) => !(word === '-p' && words[at + 1] === 'eu') && !(word === 'eu' && words[at - 1] === '-p'));

/** Opens a world. */
export async function openWorld(): Promise<World> {
  const place = home();
  const server: BrokenServer = await brokenServer({ answer: react });
  const closed = await closedPort();
  const restore = withoutResolver();
  const folder = join(place.folder, 'work');
  const config = join(place.folder, 'config/relctl');
  const values: readonly (readonly [string, string])[] = [
    ['$DIR', folder],
    ['$HOME', place.folder],
    ['$PORT', String(server.port)],
    ['$CLOSED', String(closed)],
  ];
  const filled = (text: string): string => values.reduce((all, [name, value]) => all.replaceAll(name, value), text);
  const shown = (text: string): string => values.reduce((all, [name, value]) => all.replaceAll(value, name), text);

  function settingsOf({ answer = 'count', settings = {} }: Prepared): Readonly<Record<string, string | boolean>> {
    const usual = { baseUrl: `${server.url}/${answer}`, namespace, apiKey: `plain:${id}`, userId: id };
    const all = Object.entries<string | boolean | null>({ ...usual, ...settings });
    return Object.fromEntries(
      all.flatMap(([name, value]) =>
        value === null ? [] : [[name, typeof value === 'string' ? filled(value) : value] as const],
      ),
    );
  }

  function prepare(mistake: Prepared, current: string): void {
    rmSync(folder, { recursive: true, force: true });
    rmSync(config, { recursive: true, force: true });
    mkdirSync(folder);
    mkdirSync(config, { recursive: true, mode: 0o700 });
    const eu = settingsOf(mistake);
    const { userId, ...nouser } = eu;
    const used = { ...settingsOf({}), userId: userId ?? id };
    const content = mistake.config ?? JSON.stringify({ version: 1, current, profiles: { used, eu, nouser } });
    writeFileSync(join(config, 'config.json'), content, { mode: mistake.mode ?? 0o600 });
    for (const [name, text] of Object.entries(mistake.files ?? {})) writeFileSync(join(folder, name), text);
    if (mistake.lock !== undefined) writeFileSync(join(folder, `${mistake.lock}.lock`), 'x');
  }

  const variablesOf = (mistake: Prepared): Record<string, string> => {
    const { baseUrl, apiKey } = settingsOf(mistake);
    return {
      RELCTL_BASE_URL: String(baseUrl),
      RELCTL_NAMESPACE: namespace,
      RELCTL_API_KEY: String(apiKey).replace(/^plain:/, ''),
      RELCTL_USER_ID: id,
    };
  };

  return {
    filled,
    async run(given, mistake, { choice = 'flag', width, json = false } = {}) {
      prepare(mistake, choice === 'in use' ? 'eu' : 'used');
      const words = [...filled(given).matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
      const args = choice === 'flag' ? words : withoutProfile(words);
      const env = {
        ...place.env,
        ...(choice === 'variables' ? variablesOf(mistake) : {}),
        ...(json ? { RELCTL_OUTPUT: 'json' } : {}),
        ...(width === undefined ? {} : { RELCTL_FORCE_TTY: String(width) }),
      };
      const { stdout, stderr, ...ended } = await relctl(args, { env });
      return { ...ended, stdout: shown(stdout), stderr: shown(stderr) };
    },
    async again([first = '', ...words]) {
      const args = words.map(filled);
      if (first === 'relctl') {
        const { stdout, stderr, ...ended } = await relctl(args, { env: place.env });
        return { ...ended, stdout: shown(stdout), stderr: shown(stderr) };
      }
      const { status, stderr, stdout } = spawnSync(first, args, { cwd: folder, encoding: 'utf8' });
      return { code: status, signal: null, stdout, stderr };
    },
    async close() {
      restore();
      await server.close();
      place.remove();
    },
  };
}
