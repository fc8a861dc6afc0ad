import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Command, Parser } from '@oclif/core';
import { kinds, type Kind } from '../../../src/core/errors/kinds.js';
import { checkValues } from '../../../src/kit/flags/define.js';
import { openWorld, readMistakes, type Choice, type World } from './mistakes/world.js';
import { ends } from '../../support/relctl.js';

const served = readMistakes('served');
/** What is typed; what this machine keeps: profiles, secrets, files, locks; what services, and the ways to them, do. */
const mistakes = [...readMistakes('typed'), ...readMistakes('kept'), ...served];

/** Programs that a Try may call besides relctl. */
const tools = ['chmod', 'df', 'ls', 'mkdir'];

/** The commands that a shell makes of each line, as words; nothing of it is run. */
function commandsOf(lines: readonly string[]): readonly (readonly (readonly string[])[])[] {
  const seen = `printf '%s\\0' "$@"; printf '\\n'`;
  const functions = ['relctl', ...tools].map((name) => `${name}() { printf '%s\\0' ${name}; ${seen}; }`);
  const values = `EDITOR=ls\nHOME='$HOME' DIR='$DIR'\n`;
  const checked = lines.map((line) => `(\n${line.replace(/ > \/dev\/null$/, '')}\n) || exit 1; printf '\\001'\n`);
  const { stdout, stderr, status } = spawnSync(
    '/bin/sh',
    ['-c', `${functions.join('\n')}\n${values}${checked.join('')}`],
    {
      encoding: 'utf8',
      env: { PATH: '/nowhere' },
    },
  );
  const each = stdout.split('\x01').slice(0, -1);
  assert.deepEqual([status, stderr], [0, ''], `a shell does not take: ${lines[each.length] ?? ''}`);
  return each.map((text) =>
    text
      .split('\n')
      .filter((command) => command !== '')
      .map((command) => command.split('\0').slice(0, -1)),
  );
}

async function commandOf(words: readonly string[]): Promise<readonly [typeof Command, readonly string[]]> {
  for (let count = Math.min(3, words.length); count > 0; count -= 1) {
    const path = `../../../src/commands/${words.slice(0, count).join('/')}.ts`;
    if (!existsSync(new URL(path, import.meta.url))) continue;
    const { default: found } = (await import(path)) as { readonly default: typeof Command };
    return [found, words.slice(count)];
  }
  throw new Error(`there is no command ${words.join(' ')}`);
}

/** Makes sure that a command line is one of this program, with its arguments, flags and values. */
async function assertParses([first = '', ...words]: readonly string[]): Promise<void> {
  if (first !== 'relctl') {
    assert.ok(tools.includes(first), first);
    return;
  }
  if (words.at(-1) === '--help' || words[0] === 'help' || words.length === 1) return;
  const [found, rest] = await commandOf(words);
  const traced = rest.map((word) => (word === '--trace' ? '--trace=-' : word));
  const { args, flags } = await Parser.parse(traced, { args: found.args, flags: found.flags, strict: true });
  checkValues(args, flags);
}

/** The profile that a command line would use after `relctl profile use used`; undefined for a line of no profile. */
function profileIn(words: readonly string[], usual: string): string | undefined {
  const at = words.findIndex((word) => word === '-p' || word === '--profile');
  if (at !== -1) return words[at + 1];
  if (words[1] === 'profile') return words[3] !== undefined && !words[3].startsWith('-') ? words[3] : usual;
  return words[0] === 'relctl' ? usual : undefined;
}

const triedIn = (stderr: string): string => /^ {2}Try: (.*)$/m.exec(stderr)?.[1] ?? '';

/** Names that are ours, or of the system: people have other words. */
const internals = /Pv[A-Z]|\bE[A-Z]{4,}\b|ERR_|HPE_|\.part\b|\bat .*\.(?:js|ts):|\[object|undefined|hunter2/;

describe('The table of mistakes', () => {
  let world: World;
  let commands: ReadonlyMap<string, readonly (readonly string[])[]>;
  before(async () => {
    world = await openWorld();
    const lines = mistakes.map(({ tries }) => tries);
    const made = commandsOf(lines);
    commands = new Map(lines.map((line, at) => [line, made[at] ?? []]));
  });
  after(() => world.close());

  it('has more than a hundred, all different, of every kind that a run by itself can end with', () => {
    assert.ok(mistakes.length > 100);
    assert.equal(new Set(mistakes.map(({ args, prepared }) => JSON.stringify([args, prepared]))).size, mistakes.length);
    const met = new Set(mistakes.map(({ kind }) => kind));
    // A defect, somebody else's write while a question stands, and a signal have tests of their own.
    const others = ['bug', 'conflict', 'interrupted'];
    assert.deepEqual(
      Object.keys(kinds).filter((kind) => !met.has(kind as Kind)),
      others,
    );
  });

  /** What lies at the service, or at another run, is there for the next command too: it may only say more of it. */
  const elsewhere = ['no-answer', 'bad-answer', 'refused', 'partial', 'outcome-unknown', 'locked'];
  /** Lines that a person answers, of an editor or of another program, and that serve until they are stopped. */
  const apart =
    /^relctl (?:profile (?:add (?:crm|NAME)|edit \w+)|sandbox start(?! --help).*)$|^(?:export|iconv|openssl) |EDITOR|--secret \w+=-|--lock-wait/;

  function assertFits(stderr: string): void {
    const lines = world.filled(stderr).split('\n');
    const long = lines.filter((line) => line.length > 80 && !line.startsWith('  Try: ') && /\S\s+\S/.test(line.trim()));
    // A word or a command in backticks that is longer than a line stays whole.
    for (const line of long) assert.match(line, /[\w/.:$-]{60,}|`[^`]{50,}`|^\$?\S+:\d+:\d+: /, stderr);
    for (const [, command = ''] of stderr.matchAll(/`(relctl [^`]*)`/g)) assert.doesNotMatch(command, /\n/);
  }

  for (const { title, args, kind, says, tries, prepared } of mistakes)
    it(`says what happened, why, and what to try, in 80 columns; what it tries gets further: ${title}`, async () => {
      const { exitCode } = kinds[kind];
      const json = await ends(world.run(args, prepared, { json: true }), exitCode);
      if (json.stderr.startsWith('{')) {
        const { error } = JSON.parse(json.stderr) as { error: Record<string, unknown> };
        assert.deepEqual(
          [error['kind'], error['exitCode'], error['message'], error['hint']],
          [kind, exitCode, says, tries],
        );
      }
      const { stdout, stderr } = await ends(world.run(args, prepared, { width: 80 }), exitCode);
      assert.equal(triedIn(stderr), tries, stderr);
      assert.ok(stderr.replace(/\s+/g, ' ').includes(says.replace(/\s+/g, ' ')), stderr);
      assert.doesNotMatch(stderr.replaceAll(/wrote|lock file .*|\$\{EDITOR:-vi\}/g, ''), internals);
      if (exitCode === 2) assert.equal(stdout, '');
      assertFits(stderr);
      const tried = commands.get(tries) ?? assert.fail();
      for (const words of tried) await assertParses(words.map(world.filled));
      if (apart.test(tries) || prepared.answer === 'silent') return;
      for (const words of tried) {
        const again = await world.again(words);
        assert.doesNotMatch(again.stderr, /^Error: (?:unknown|unexpected) |^ls: /, tries);
        const [, message] = /^Error: (.*)$/m.exec(again.stderr) ?? [];
        if (elsewhere.includes(kind)) assert.notEqual(again.code, 2, again.stderr);
        else assert.notEqual(message, says, tries);
      }
    });

  for (const { title, args, prepared } of served.filter((each) => each.args.includes('-p eu'))) {
    it(`tries the profile that failed, however it was chosen: ${title}`, async () => {
      const usual: Readonly<Record<Choice, string>> = { flag: 'used', 'in use': 'eu', variables: 'variables' };
      const failing: Readonly<Record<Choice, string>> = { flag: 'eu', 'in use': 'eu', variables: 'variables' };
      for (const choice of ['flag', 'in use', 'variables'] as const) {
        if (choice === 'variables' && prepared.settings?.['proxy'] !== undefined) continue;
        const { stderr } = await world.run(args, prepared, { choice });
        const line = triedIn(stderr);
        const [tried = []] = line.startsWith('export ') ? [] : commandsOf([line]);
        for (const words of tried) {
          const used = profileIn(words, usual[choice]);
          if (used !== undefined) assert.equal(used, failing[choice], `${choice}: ${stderr}`);
        }
      }
    });
  }
});
