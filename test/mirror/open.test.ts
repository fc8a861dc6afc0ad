import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMirrorFile, readMirrorFile } from '../../src/mirror/open.js';
import { openDatabase } from '../../src/state/sqlite/open.js';
import { RelctlError } from '../../src/core/errors/relctl-error.js';
import { jsonIn } from '../../src/mirror/tables.js';
import { sourcesIn } from '../../src/mirror/sources.js';

describe('The schema of a mirror in a file', () => {
  const service = { url: 'https://crm.example', namespace: 'urn:crm', database: '' };
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'relctl-schema-'));
    file = join(folder, 'mirror.db');
    openMirrorFile({ file, service, forget: 'relctl mirror remove --all' }).close();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const change = (sql: string): void => {
    const database = openDatabase({ file, what: 'The file' });
    database.execute(sql);
    database.close();
  };
  const open = (): void => readMirrorFile({ file, service, forget: 'relctl mirror remove --all' })?.close();
  const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS Id FROM c';

  it('is taken as it was made, with what others put beside it', () => {
    open();
    change(
      'CREATE TABLE mine (a); CREATE VIEW ours AS SELECT a FROM mine; CREATE INDEX more ON all_relations (SortingName)',
    );
    open();
  });

  for (const [what, sql, words] of [
    ['view', `DROP VIEW relations; CREATE VIEW relations AS ${endless}`, 'another view relations than'],
    [
      'view in the place of a table',
      `DROP TABLE _sources; CREATE VIEW _sources AS ${endless}`,
      'another view _sources than',
    ],
    ['table', 'DROP TABLE all_sbi_codes; CREATE TABLE all_sbi_codes (Id)', 'another table all_sbi_codes than'],
    ['virtual table', 'DROP VIEW marks; CREATE VIRTUAL TABLE marks USING fts5(a)', 'another table marks than'],
    ['column', 'ALTER TABLE all_marks ADD COLUMN More TEXT AS (hex(zeroblob(1)))', 'another table all_marks than'],
    ['set of views than in this version', 'DROP VIEW relation_field_values', 'has no relation_field_values, which'],
    ['set of indexes of words', 'DROP TABLE _find_marks', 'has no _find_marks, which'],
    ['trigger', 'CREATE TRIGGER t AFTER INSERT ON all_marks BEGIN DELETE FROM all_relations; END', 'has the trigger t'],
  ] as const) {
    it(`is refused with another ${what}`, () => {
      change(sql);
      for (const work of [open, () => openMirrorFile({ file, service, forget: 'relctl mirror remove --all' })]) {
        assert.throws(work, (thrown: unknown) => {
          const { kind, message, facts, hint } = RelctlError.from(thrown);
          assert.ok(message.includes(words), message);
          assert.deepEqual([kind, facts.code, hint], ['local', 'format', 'relctl mirror remove --all']);
          return true;
        });
      }
    });
  }
});

const noJson = {
  kind: 'local',
  facts: { code: 'damaged' },
  message: 'the mirror has a text that is not JSON where relctl writes JSON: another program created or changed it',
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
          "the mirror has a source for the table 'nothing', which no mirror has: another program created or changed it",
      });
    } finally {
      database.close();
      rmSync(folder, { recursive: true });
    }
  });
});
