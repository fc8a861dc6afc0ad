import assert from 'node:assert/strict';
import { jsonIn } from '../../src/mirror/tables.js';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMirrorFile } from '../../src/mirror/open.js';
import { sourcesIn } from '../../src/mirror/sources.js';

const noJson = {
  kind: 'local',
  facts: { code: 'damaged' },
  message: 'the mirror has a text that is no JSON where relctl writes JSON: somebody else made or changed it',
};

describe('A mirror that somebody else changed', () => {
  it('is told where a text is no JSON', () => {
    assert.deepEqual(jsonIn('{"a":[1]}'), { a: [1] });
    assert.throws(() => jsonIn('x'), noJson);
  });

  it('is no defect of relctl where its sources are read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'relctl-damaged-'));
    const service = { url: 'https://crm.example', namespace: 'urn:crm', database: '' };
    const database = openMirrorFile({ file: join(folder, 'mirror.db'), service, forget: 'relctl mirror remove --all' });
    try {
      const add = (table: string, input: string): void =>
        database.execute(
          `DELETE FROM "_sources"; INSERT INTO "_sources" (name, "table", input) VALUES ('one', '${table}', '${input}')`,
        );
      add('marks', '{}');
      assert.deepEqual(
        sourcesIn(database).map(({ name, table, input }) => ({ name, table, input })),
        [{ name: 'one', table: 'marks', input: {} }],
      );
      add('marks', 'x');
      assert.throws(() => sourcesIn(database), noJson);
      add('nothing', '{}');
      assert.throws(() => sourcesIn(database), {
        kind: 'local',
        facts: { code: 'damaged' },
        message:
          "the mirror has a source for the table 'nothing', which no mirror has: somebody else made or changed it",
      });
    } finally {
      database.close();
      rmSync(folder, { recursive: true });
    }
  });
});
