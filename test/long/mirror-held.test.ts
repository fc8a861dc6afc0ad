import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '../../src/state/sqlite/open.js';
import { place } from '../support/operations/place.js';
import { ends, relctlProcess } from '../support/relctl.js';

describe('A mirror that another program holds', () => {
  const here = place();
  const sync = ['mirror', 'sync', 'marks'];

  it('is exit code 11, and waited for by --lock-wait', async () => {
    assert.equal((await here.run(sync)).code, 0);
    const { stdout } = await here.run(['sql', '--print-file']);
    const other = openDatabase({ file: stdout.trim(), what: 'The mirror' });
    try {
      other.execute('BEGIN IMMEDIATE');
      await ends(relctlProcess(sync, { env: here.env }), 11, /is locked by another program.*Try: .*--lock-wait/s);
      // Readers do not mind.
      assert.equal((await relctlProcess(['sql', 'SELECT count(*) FROM marks'], { env: here.env })).code, 0);
      const waiting = relctlProcess([...sync, '--lock-wait', '2m'], { env: here.env });
      await wait(12_000);
      other.execute('ROLLBACK');
      await ends(waiting, 0);
    } finally {
      other.close();
    }
  });
});
