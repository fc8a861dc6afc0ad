import assert from 'node:assert/strict';
import { join } from 'node:path';
import { known } from '../../src/sandbox/dataset/known.js';
import { fieldId } from '../../src/sandbox/dataset/fields.js';
import { randomness } from '../../src/sandbox/dataset/random.js';
import { openStore } from '../../src/sandbox/store/open.js';
import { exchange, type Sent } from '../support/sandbox/asmx/http.js';
import { home } from '../support/relctl.js';
import { sandbox } from '../support/sandbox.js';

const namespace = 'http://relctl.example/sandbox';
const { ApiKey } = known.credentials;
const field = fieldId(21, 'Description');

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

  /** Writes over four connections until so many writes were acknowledged, and kills the service at that moment. */
  async function killedAmidWrites(round: number, acknowledged: Set<string>): Promise<void> {
    const running = await sandbox(place.env, ['--db', file, '--relations', '10']);
    const port = Number(new URL(running.url).port);
    const enough = acknowledged.size + 1 + random('kill', round).below(40);
    const ended = new Promise((resolve) => running.child.once('close', resolve));
    const writer = async (lane: number): Promise<void> => {
      for (let number = 0; ; number += 1) {
        const name = `round ${round} lane ${lane} number ${number}`;
        const answer = await exchange(port, creation(name)).catch(() => undefined);
        if (answer === undefined) return;
        assert.equal(answer.status, 200, answer.text);
        assert.match(answer.text, /<DatastoreItem>/);
        acknowledged.add(name);
        if (acknowledged.size === enough) running.child.kill('SIGKILL');
      }
    };
    await Promise.all([0, 1, 2, 3].map(writer));
    await ended;
    assert.equal(running.child.signalCode, 'SIGKILL');
  }

  it(`keeps every write that it acknowledged, none by half, and a whole database, 20 times over (seed ${seed})`, async () => {
    const acknowledged = new Set<string>();
    const rounds = 20;
    for (let round = 0; round < rounds; round += 1) {
      await killedAmidWrites(round, acknowledged);
      const store = openStore(file);
      try {
        assert.deepEqual(store.statement('PRAGMA integrity_check').all(), [['ok']]);
        assert.deepEqual(store.statement('PRAGMA foreign_key_check').all(), []);
        const kept = new Map(
          store
            .statement(
              `SELECT "Description", (SELECT count(*) FROM "PvDatastoreItemDataWithParent_V2_Translations" t WHERE t.owner = i.seq)
               FROM "PvDatastoreItemDataWithParent_V2" i WHERE "Description" LIKE 'round %'`,
            )
            .all()
            .map(([name, count]) => [String(name), Number(count)] as const),
        );
        assert.deepEqual(
          [...acknowledged].filter((name) => !kept.has(name)),
          [],
        );
        assert.deepEqual(
          [...kept].filter(([, translations]) => translations !== 4),
          [],
        );
        // At most what was under way on each connection was written without anybody having heard of it.
        assert.ok(kept.size <= acknowledged.size + 4 * (round + 1));
      } finally {
        store.close();
      }
    }
    assert.ok(acknowledged.size >= rounds);
  });
});
