import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { parse } from 'yaml';
import { valuesOf } from './support/thrown.js';

interface Job {
  readonly 'runs-on': string;
  readonly permissions?: unknown;
  readonly strategy?: { readonly matrix: { readonly os: readonly string[]; readonly node: readonly number[] } };
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const { permissions, jobs } = parse(read('.github/workflows/ci.yml')) as Workflow;
const release = parse(read('.github/workflows/release.yml')) as Workflow;
const manifest = JSON.parse(read('package.json')) as {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
};

const commands = (job: string): readonly string[] => (jobs[job]?.steps ?? []).flatMap(({ run = [] }) => run);

describe('The workflow that tests every change', () => {
  it('runs on Linux, macOS and Windows, with the oldest Node that is enough and the two after it', () => {
    const matrix = jobs['test']?.strategy?.matrix;
    assert.deepEqual(
      matrix?.os.map((name) => name.replace(/-latest$/, '')),
      ['ubuntu', 'macos', 'windows'],
    );
    const [, oldest] = /^>=(\d+)\./.exec(manifest.engines.node) ?? [];
    assert.deepEqual(
      matrix.node,
      [0, 2, 4].map((later) => Number(oldest) + later),
    );
  });

  it('installs by the lock file and runs the tests', () => {
    assert.deepEqual(commands('test'), ['npm ci', 'npm test']);
    assert.ok('test' in manifest.scripts);
  });

  it('runs .ci/run, where all tools are', () => {
    assert.ok(commands('with-tools').includes('.ci/run'));
    // Windows keeps no such bits.
    const { mode } = statSync(new URL('../.ci/run', import.meta.url));
    assert.ok(process.platform === 'win32' || (mode & 0o111) !== 0);
  });

  it('may read the sources and nothing else', () => {
    assert.deepEqual(permissions, { contents: 'read' });
    assert.deepEqual(
      valuesOf(Object.values(jobs), 'permissions'),
      Object.values(jobs).map(() => undefined),
    );
  });

  it('names each action with its major version', () => {
    const actions = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses = [] }) => uses));
    assert.ok(actions.length > 0);
    for (const action of actions) assert.match(action, /^actions\/[a-z-]+@v\d+$/);
  });
});

describe('The workflow that publishes a version', () => {
  const steps = release.jobs['publish']?.steps ?? [];

  it('runs no script of a package, packs twice, and publishes the tarball with its provenance and without a kept token', () => {
    const runs = steps.flatMap(({ run = [] }) => run);
    assert.equal(runs[0], 'npm ci --ignore-scripts');
    assert.match(runs.at(-2) ?? '', /npm pack && cmp first\.tgz relctl-\*\.tgz$/);
    assert.equal(runs.at(-1), 'npm publish --provenance --access public ./relctl-*.tgz');
    assert.doesNotMatch(read('.github/workflows/release.yml'), /secrets\./);
    assert.deepEqual(release.permissions, { contents: 'read' });
    assert.deepEqual(release.jobs['publish']?.permissions, { contents: 'read', 'id-token': 'write' });
  });

  it('names each action with its major version', () => {
    for (const { uses } of steps) if (uses !== undefined) assert.match(uses, /^actions\/[a-z-]+@v\d+$/);
  });
});
