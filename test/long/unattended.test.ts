import assert from 'node:assert/strict';
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { home, program } from '../support/relctl.js';
import { skip } from '../support/skip.js';

const isRoot = process.getuid?.() === 0;
const nobody = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];
/** True where this program can be run as somebody else: by root, with setpriv, from a folder that others can enter. */
const notOthers = 'only root may run the program as another user, by setpriv, where others may read it';
const canBeOthers = isRoot && spawnSync('setpriv', [...nobody, 'test', '-r', program]).status === 0;

describe('relctl with nobody watching', function () {
  const place = home();
  const { XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME } = place.env;
  /** What a job needs to know, and what makes its start cheap; no HOME, no PATH, no LANG. */
  const bare = { XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME };
  const node = process.execPath;
  const list = 'relation list -p sandbox -o csv --columns Id';

  /** A line for a shell in which `$R` is the program. */
  const sh = (line: string, env: NodeJS.ProcessEnv = bare, cwd = place.folder): SpawnSyncReturns<string> =>
    spawnSync('/bin/bash', ['--norc', '-c', line.replaceAll('$R', `'${node}' '${program}'`)], {
      env,
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const ends = (ran: SpawnSyncReturns<string>): [number | null, string, string] => [ran.status, ran.stdout, ran.stderr];
  const rows = (file: string): number => readFileSync(file, 'utf8').trimEnd().split('\n').length - 1;
  let wanted = '';
  before(() => {
    const file = join(place.folder, 'wanted.csv');
    assert.deepEqual(ends(sh(`$R ${list} --output-file ${file}`)), [0, '', '']);
    wanted = readFileSync(file, 'utf8');
  });
  after(() => place.remove());

  it('needs no environment at all', () => {
    const file = join(place.folder, 'bare.csv');
    assert.deepEqual(ends(sh(`env -i RELCTL_STATE_DIR=${place.folder}/s $R ${list} --output-file ${file}`)), [
      0,
      '',
      '',
    ]);
    assert.equal(rows(file), 250);
    assert.deepEqual(ends(sh(`PATH= $R ${list} --output-file ${file}2`)), [0, '', '']);
  });

  for (const [what, redirections] of [
    ['stdin', '<&-'],
    ['stdout', '>&-'],
    ['stderr', '2>&-'],
    ['all three', '<&- >&- 2>&-'],
  ] as const) {
    it(`exports with ${what} closed, and puts nothing of its own into the file`, () => {
      const file = join(place.folder, `closed-${what.replaceAll(' ', '-')}.csv`);
      assert.deepEqual(ends(sh(`$R ${list} --output-file ${file} ${redirections}`)), [0, '', '']);
      assert.equal(rows(file), 250);
      assert.equal(readFileSync(file, 'utf8'), wanted);
    });

    it(`keeps its exit code with ${what} closed`, () => {
      assert.equal(sh(`$R relation list -p nowhere ${redirections}`).status, 3);
    });
  }

  it('runs jobs with stdin, stdout and stderr closed', () => {
    const folder = join(place.folder, 'jobs');
    mkdirSync(folder);
    const jobs = '{version: 1, jobs: {a: {command: mark list, profile: sandbox, output-file: a.csv}}}';
    writeFileSync(join(folder, 'jobs.yaml'), jobs);
    assert.deepEqual(ends(sh(`$R export run ${folder}/jobs.yaml <&- >&- 2>&-`)), [0, '', '']);
    assert.ok(existsSync(join(folder, 'a.csv')));
  });

  it('does not take a file for a reader that went away: a full disk behind stdout is 10', function () {
    if (!existsSync('/dev/full')) skip(this, 'there is no /dev/full here');
    const full = sh(`$R ${list} > /dev/full`);
    assert.deepEqual(ends(full), [10, '', 'Error: cannot write to stdout: the disk is full\n  Try: df -h\n']);
    for (const version of ['--version', 'version -q'])
      assert.deepEqual(ends(sh(`$R ${version} > /dev/full`)).slice(0, 2), [10, ''], version);
    const asJson = sh('$R relation list -p sandbox -o json > /dev/full');
    assert.deepEqual(
      [asJson.status, (JSON.parse(asJson.stderr) as { error: { kind: string } }).error.kind],
      [10, 'local'],
    );
    assert.equal(
      sh(
        `$R export run <(echo '{version: 1, jobs: {a: {command: mark list, profile: sandbox, output-file: ${place.folder}/f.csv}}}') --summary > /dev/full`,
      ).status,
      10,
    );
  });

  for (const umask of ['000', '077']) {
    it(`keeps files and folders to their owner with umask ${umask}`, () => {
      const state = join(place.folder, `state-${umask}`);
      const file = join(place.folder, `umask-${umask}.csv`);
      const ran = sh(`umask ${umask}; $R ${list} --output-file ${file} --meta`, { RELCTL_STATE_DIR: state });
      assert.deepEqual(ends(ran), [0, '', '']);
      const mode = (path: string): number => statSync(path).mode & 0o777;
      assert.deepEqual([file, `${file}.meta.json`, state].map(mode), [0o600, 0o600, 0o700]);
    });
  }

  it('does not mind a time zone and a language that there are not', () => {
    const odd = { ...bare, TZ: 'Foo/Bar', LANG: 'xx_YY.UTF-99' };
    const file = join(place.folder, 'odd.csv');
    assert.deepEqual(ends(sh(`$R relation list -p sandbox -o csv --output-file ${file}`, odd)), [0, '', '']);
    const usual = join(place.folder, 'usual.csv');
    assert.equal(sh(`$R relation list -p sandbox -o csv --output-file ${usual}`).status, 0);
    assert.ok(readFileSync(file).equals(readFileSync(usual)));
  });

  it('names the day of a job by the time zone', () => {
    const dryRun = (zone: string): string =>
      sh(
        `$R export run <(echo '{version: 1, jobs: {a: {command: mark list, output-file: "{date}.csv", profile: sandbox}}}') -n`,
        { ...bare, TZ: zone },
      ).stdout;
    const day = (zone: string): string => /(\d{4}-\d\d-\d\d)\.csv/.exec(dryRun(zone))?.[1] ?? '';
    const there = (zone: string): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date());
    // 25 hours apart: at any time of the day it is another day there.
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const before = there(zone);
      const named = day(zone);
      // Midnight may pass between two looks at the clock.
      assert.ok([before, there(zone)].includes(named), `${zone}: ${named}, not ${before}`);
    }
  });

  it('works in a folder that was removed, as far as paths allow', () => {
    const inGone = (command: string): SpawnSyncReturns<string> =>
      sh(`mkdir gone && cd gone && rmdir ../gone && ${command}`);
    const file = join(place.folder, 'from-gone.csv');
    assert.deepEqual(ends(inGone(`$R ${list} --output-file ${file}`)), [0, '', '']);
    assert.equal(rows(file), 250);
    for (const flags of ['--output-file here.csv', '--output-file ./here.csv --force', '--ids here.txt']) {
      const relative = inGone(`$R ${flags.startsWith('--ids') ? 'relation get -p sandbox' : list} ${flags}`);
      assert.equal(relative.status, 10, relative.stderr);
      assert.match(relative.stderr, /'(?:\.\/)?here\.\w+' starts from the working folder, which no longer exists/);
      assert.match(relative.stderr, /Change to a folder that exists, or use an absolute path\.\n {2}Try: cd\n/);
    }
    // No path of a folder that is not there is kept for other runs.
    const profile = inGone('$R profile add gone --base-url https://crm.example --set caFile=ca.pem --no-input');
    assert.equal(profile.status, 10, profile.stderr);
  });

  it('writes a relative file where it stands, without a home too, and says 10 where it cannot', () => {
    const folder = join(place.folder, 'stands');
    mkdirSync(folder);
    // The state of whoever runs the tests is not for them, nor the database that such a run keeps for a user without a home.
    const state = `RELCTL_STATE_DIR=${place.folder}/s TMPDIR=${place.folder}`;
    const there = sh(`cd ${folder} && env -i ${state} $R ${list} --output-file here.csv`);
    assert.deepEqual(ends(there), [0, '', '']);
    assert.equal(rows(join(folder, 'here.csv')), 250);
    writeFileSync(join(folder, 'file'), '');
    const cannot = sh(`cd ${folder} && env -i ${state} $R ${list} --output-file file/here.csv`);
    assert.equal(cannot.status, 10);
    assert.match(cannot.stderr, /file\/here\.csv cannot be written/);
  });

  it('works where the state folder cannot be written, says so, and then wants --force to replace', function () {
    if (!canBeOthers) skip(this, notOthers);
    const folder = join(place.folder, 'nobody');
    mkdirSync(folder);
    chownSync(folder, 65534, 65534);
    chmodSync(place.folder, 0o755);
    const as = `setpriv ${nobody.join(' ')} env -i HOME=/nonexistent TMPDIR=${folder}`;
    const file = join(folder, 'x.csv');
    const because = '/nonexistent/.local/state/relctl/written cannot be written: permission denied';
    const told = `Note: ${file} is complete, but not in the output registry, because ${because}; the next run that replaces it needs --force once\n`;
    assert.deepEqual(ends(sh(`${as} $R ${list} --output-file ${file}`, { PATH: process.env['PATH'] })), [0, '', told]);
    const again = sh(`${as} $R ${list} --output-file ${file}`, { PATH: process.env['PATH'] });
    assert.equal(again.status, 10);
    assert.match(again.stderr, /Try: relctl .* --force\n/);
    assert.equal(sh(`${as} $R ${list} --output-file ${file} --force`, { PATH: process.env['PATH'] }).status, 0);
  });

  it('trusts no folder among the temporary ones that others can enter', function () {
    if (process.getuid === undefined) skip(this, 'users have no numbers here');
    const temporary = join(place.folder, 'temporary');
    const spare = join(temporary, `relctl-sandbox-${process.getuid()}`);
    mkdirSync(spare, { recursive: true });
    chmodSync(spare, 0o777);
    const env = { XDG_STATE_HOME: '/dev/null/state', TMPDIR: temporary };
    const refused = sh(`$R ${list}`, env);
    assert.deepEqual([refused.status, refused.stdout], [10, '']);
    assert.match(refused.stderr, /only you can enter/);
    assert.deepEqual(readdirSync(spare), []);
    chmodSync(spare, 0o700);
    assert.equal(sh(`$R ${list}`, env).status, 0);
  });

  it('runs as a user whose number no list of users has, without a home and a shell, in a folder that it cannot read', function () {
    if (!canBeOthers) skip(this, notOthers);
    const folder = join(place.folder, 'container');
    mkdirSync(folder);
    chownSync(folder, 54321, 54321);
    chmodSync(place.folder, 0o755);
    const container = 'setpriv --reuid 54321 --regid 54321 --clear-groups env -i';
    const env = { PATH: process.env['PATH'] };
    for (const given of [`RELCTL_STATE_DIR=${folder}/state`, `HOME=/ RELCTL_STATE_DIR=${folder}/state`]) {
      const job = `{version: 1, jobs: {a: {command: mark list, profile: sandbox, output-file: ${folder}/a.csv}}}`;
      const locked = join(place.folder, 'locked');
      mkdirSync(locked, { recursive: true });
      const ran = sh(`cd ${locked}; chmod 0 .; echo '${job}' | ${container} ${given} $R export run -`, env);
      assert.deepEqual(ends(ran), [0, '', '']);
      assert.equal(rows(join(folder, 'a.csv')), 16);
    }
  });

  it('reads stdin only when it is asked to: a loop over lines loses none', () => {
    const ran = sh(
      `printf 'one\\ntwo\\nthree\\n' | while read -r line; do $R mark list -p sandbox -o csv --limit 1 -q > /dev/null; echo "$line"; done`,
    );
    assert.deepEqual(ends(ran), [0, 'one\ntwo\nthree\n', '']);
  });
});
