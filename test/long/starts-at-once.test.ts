import assert from 'node:assert/strict';
import { join } from 'node:path';
import { allButOne, hashOf } from '../support/export-lane.js';
import { home, relctl } from '../support/relctl.js';
import { sandbox, type RunningSandbox } from '../support/sandbox.js';
import { valuesOf } from '../support/thrown.js';

describe('An export to a file', () => {
  const place = home();
  const file = join(place.folder, 'contest.csv');
  const exporting = ['relation', 'list', '--profile', 'sandbox', '--page-size', '10', '-o', 'csv', '--output-file'];
  let service: RunningSandbox;
  let wanted: string | undefined;

  before(async () => {
    service = await sandbox(place.env, ['--relations', '250']);
    const whole = join(place.folder, 'whole.csv');
    assert.equal((await relctl([...exporting, whole], { env: place.env })).code, 0);
    wanted = hashOf(whole);
  });
  after(async () => {
    await service.stop();
    place.remove();
  });

  const faults = async (init: RequestInit): Promise<void> => {
    const answer = await fetch(`${service.url.replace(/\/V1.*$/, '')}/faults`, init);
    assert.ok(answer.ok, String(answer.status));
  };

  it('that fifty starts of the program want at once is one run, and 49 times exit 11', async () => {
    const headers = { 'Content-Type': 'application/json' };
    await faults({ method: 'POST', body: JSON.stringify({ spec: 'stall=head;page=8' }), headers });
    const ended = await allButOne(50, [...exporting, file, '--restart'], place.env);
    assert.deepEqual(
      valuesOf(ended, 'code'),
      Array.from({ length: 49 }, () => 11),
    );
    await faults({ method: 'DELETE' });
    const next = await relctl([...exporting, file, '--resume'], { env: place.env });
    assert.deepEqual([next.code, next.stderr, hashOf(file)], [0, '', wanted]);
  });
});
