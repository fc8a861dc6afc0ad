import assert from 'node:assert/strict';
import { place } from '../support/operations/place.js';

const own = '00000000-0000-4000-8000-000000000101';

interface TreeRow {
  readonly Depth: number;
  readonly ParentId: string | null;
  readonly RelationId: string;
  readonly RelationshipId: string | null;
}

describe('relctl relation tree', () => {
  const here = place();
  const tree = ['relation', 'tree', own];
  let live: readonly TreeRow[];

  before(async () => {
    live = await here.json<TreeRow[]>([...tree, '--live']);
  });

  it('has a row for each relationship that the service has below the relation', () => {
    const [top, ...below] = live;
    assert.deepEqual([top?.Depth, top?.ParentId, top?.RelationId], [0, null, own]);
    // All relations of the sandbox are below its own organisation.
    const all = here.rows('SELECT Id FROM PvRelationshipData WHERE ParentRelationId <> ChildRelationId').flat();
    assert.deepEqual(below.map(({ RelationshipId }) => RelationshipId).toSorted(), all.map(String).toSorted());
    const depths = new Map(live.map(({ RelationId, Depth }) => [RelationId, Depth]));
    for (const { ParentId, Depth } of below) assert.ok((depths.get(ParentId ?? '') ?? Depth) < Depth);
  });

  it('is drawn where no format is asked for, a line each', async () => {
    const { code, stdout, stderr } = await here.run([...tree, '--live']);
    assert.deepEqual([code, stderr], [0, '']);
    const lines = stdout.trimEnd().split('\n');
    assert.equal(lines.length, live.length);
    assert.match(lines[0] ?? '', new RegExp(`^Sandbox & Zonen B\\.V\\. {2}${own}$`));
    for (const line of lines.slice(1)) assert.match(line, /^(?:│ {2}| {3})*[├└]─ .*[0-9a-f-]{36}$/);
    assert.equal((await here.run([...tree, '--live', '-o', 'tree'])).stdout, stdout);
  });

  it('has the numbers of its levels where branches would take more than half of a terminal', async () => {
    const env = { RELCTL_FORCE_TTY: '1', NO_COLOR: '1', COLUMNS: '12' };
    const { code, stdout } = await here.run([...tree, '--live'], { env });
    assert.equal(code, 0);
    const below = stdout.trimEnd().split('\n').slice(1);
    assert.deepEqual(
      below.map((line) => {
        const [, branches = '', level] = /^((?:│ {2}| {3})*[├└]─ )(?:\[level (\d+)\] {2})?/.exec(line) ?? [];
        return [branches.length / 3, level];
      }),
      live.slice(1).map(({ Depth }) => [Math.min(Depth, 1), Depth > 1 ? String(Depth) : undefined]),
    );
    assert.ok(live.some(({ Depth }) => Depth > 1));
  });

  it('comes from the mirror where there is one, and says how old it is', async () => {
    assert.equal((await here.run(['mirror', 'sync', 'relations', 'relationships', '--quiet'])).code, 0);
    const { code, stdout, stderr } = await here.run([...tree, '-o', 'json']);
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), live);
    assert.match(stderr, /^\{"notes":\["from the mirror, synced .* ago; --live asks the service"\]\}\n$/);
    const plain = await here.run([...tree, '-o', 'csv']);
    assert.deepEqual([plain.code, plain.stderr], [0, '']);
  });

  it('is not taken from the mirror of another service', async () => {
    const other = { RELCTL_NAMESPACE: 'urn:other' };
    const { code, stdout, stderr } = await here.run(tree, { env: other });
    assert.deepEqual([code, stdout], [3, '']);
    assert.match(stderr, /the mirror .* belongs to another service: namespace/);
  });

  it('takes the flags of rows, and refuses them for a drawing', async () => {
    const { stdout } = await here.run([...tree, '--live', '--depth', '1', '--count']);
    assert.equal(Number(stdout), live.filter(({ Depth }) => Depth <= 1).length);
    const drawn = await here.run([...tree, '-o', 'tree', '--columns', 'Depth']);
    assert.deepEqual([drawn.code, drawn.stdout], [2, '']);
    assert.equal((await here.run([...tree, '--depth', '0'])).code, 2);
  });

  it('tells of relations that stand below themselves, also from the mirror', async () => {
    const deepest = live.reduce((most, row) => (row.Depth > most.Depth ? row : most));
    const [first] = live.filter(({ Depth }) => Depth === 1);
    here.execute(`UPDATE PvRelationshipData SET ParentRelationId = '${deepest.RelationId}', ChildRelationId = '${own}'
      WHERE Id = '${first?.RelationshipId ?? ''}'`);
    const drawn = await here.run([...tree, '--live']);
    assert.match(drawn.stdout, new RegExp(`[├└]─ .*in a circle: it stands above\\) {2}${own}$`, 'm'));
    assert.equal((await here.run(['mirror', 'sync', 'relationships', '--quiet'])).code, 0);
    const { stdout } = await here.run([
      ...tree,
      '--filter',
      'IsCircle',
      '-o',
      'csv',
      '--columns',
      'ParentId,RelationId',
    ]);
    assert.equal(stdout, `ParentId,RelationId\n${deepest.RelationId},${own}\n`);
  });

  it('of a relation that is not there is exit code 5', async () => {
    for (const flags of [[], ['--live']]) {
      const { code, stdout } = await here.run(['relation', 'tree', own.replace(/101$/, '999'), ...flags]);
      assert.deepEqual([code, stdout], [5, '']);
    }
  });
});
