import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { known, fieldId } from '../../src/sandbox/dataset/known.js';
import { randomness } from '../../src/sandbox/dataset/random.js';
import { openStore } from '../../src/sandbox/store/open.js';
import { exchange, type Sent } from '../support/sandbox/asmx/http.js';
import { home } from '../support/relctl.js';
import { sandbox } from '../support/sandbox.js';

const namespace = 'http://relctl.example/sandbox';
const { ApiKey } = known.credentials;
const field = fieldId(21, 'Description');

/** Writes of each writer; RELCTL_TEST_WRITES=1000 takes minutes. */
const writes = Number(process.env['RELCTL_TEST_WRITES'] ?? 60);
const writers = 16;
/** About so many kills are spread over all writes. */
const kills = 20;
/** Each second of them is at one of so many statements. */
const statements = 300;
const killer = fileURLToPath(new URL('killed-at-statement.cjs', import.meta.url));

/** Adds an entry of a lookup list: a row, and a row for each of its translations. */
function creation(name: string): Sent {
  const translations = ['nl-NL', 'en-GB', 'de-DE', 'fr-FR'].map(
    (culture) => `<PvTranslationData2><CultureCode>${culture}</CultureCode><Value>${name}</Value></PvTranslationData2>`,
  );
  const body =
    `<DatastoreCreateItem_V3 xmlns="${namespace}"><credentials><ApiKey>${ApiKey}</ApiKey><DatabaseId xsi:nil="true"/>` +
    `<UserId xsi:nil="true"/></credentials><entityTypeId>${known.datastoreEntityTypeId}</entityTypeId><fieldValues>` +
    `<PvFieldValueData><Id>${field}</Id><Value>${name}</Value></PvFieldValueData></fieldValues>` +
    `<translations>${translations.join('')}</translations></DatastoreCreateItem_V3>`;
  return {
    headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${namespace}/DatastoreCreateItem_V3"` },
    body:
      '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" ' +
      `xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soap:Body>${body}</soap:Body></soap:Envelope>`,
  };
}

describe('A sandbox that is killed while it writes', function () {
  const place = home();
  after(() => place.remove());
  const file = join(place.folder, 'killed.db');
  const seed = 20_260_302;
  const random = randomness(seed);

  /** How far each writer has come; a write without an answer is not made again. */
  const made = Array.from({ length: writers }, () => 0);

  /**
   * Writes until so many more writes were acknowledged, or all are made, and kills the service at that moment; or until it
   * kills itself at a statement, which may be amid those of a write. True where it did that.
   */
  async function killedAmidWrites(more: number, acknowledged: Set<string>, statement?: number): Promise<boolean> {
    const own =
      statement === undefined ? {} : { NODE_OPTIONS: `--require=${killer}`, KILLED_AT_STATEMENT: `${statement}` };
    const running = await sandbox({ ...place.env, ...own }, ['--db', file, '--relations', '10']);
    const port = Number(new URL(running.url).port);
    const enough = acknowledged.size + more;
    const ended = new Promise((resolve) => running.child.once('close', resolve));
    const writer = async (lane: number): Promise<void> => {
      for (let number = made[lane] ?? 0; number < writes; number += 1) {
        made[lane] = number + 1;
        const name = `lane ${lane} number ${number}`;
        const answer = await exchange(port, creation(name)).catch(() => undefined);
        if (answer === undefined) return;
        assert.equal(answer.status, 200, answer.text);
        assert.match(answer.text, /<DatastoreItem>/);
        acknowledged.add(name);
        if (acknowledged.size === enough) running.child.kill('SIGKILL');
      }
    };
    await Promise.all(made.map((_, lane) => writer(lane)));
    const isBySelf = !running.child.killed;
    running.child.kill('SIGKILL');
    await ended;
    assert.equal(running.child.signalCode, 'SIGKILL');
    return isBySelf;
  }

  /** The writes that the database has, after it was looked through: each is there with all its rows. */
  function kept(): ReadonlySet<string> {
    const store = openStore(file);
    try {
      assert.deepEqual(store.statement('PRAGMA integrity_check').all(), [['ok']]);
      assert.deepEqual(store.statement('PRAGMA foreign_key_check').all(), []);
      const rows = store
        .statement(
          `SELECT "Description", (SELECT count(*) FROM "PvDatastoreItemDataWithParent_V2_Translations" t WHERE t.owner = i.seq)
           FROM "PvDatastoreItemDataWithParent_V2" i WHERE "Description" LIKE 'lane %'`,
        )
        .all();
      assert.deepEqual(
        rows.filter(([, translations]) => translations !== 4),
        [],
      );
      const names = new Set(rows.map(([name]) => String(name)));
      assert.equal(names.size, rows.length, 'a write was made twice');
      return names;
    } finally {
      store.close();
    }
  }

  it(`keeps every write that it acknowledged, none by half, and a whole database (${writers} writers, seed ${seed})`, async () => {
    const acknowledged = new Set<string>();
    let [rounds, bySelf] = [0, 0];
    for (; made.some((count) => count < writes); rounds += 1) {
      const draw = random('kill', rounds);
      const more = 1 + draw.below((2 * writers * writes) / kills);
      // The first round makes the database.
      const atStatement = rounds % 2 === 1 ? 20 + draw.below(statements) : undefined;
      if (await killedAmidWrites(more, acknowledged, atStatement)) bySelf += 1;
      const names = kept();
      assert.deepEqual(
        [...acknowledged].filter((name) => !names.has(name)),
        [],
      );
      // At most what was under way on each connection was written without anybody having heard of it.
      assert.ok(names.size <= acknowledged.size + writers * (rounds + 1));
    }
    assert.ok(rounds > 1 && bySelf > 3 && acknowledged.size >= writers * (writes - rounds));
  });
});
