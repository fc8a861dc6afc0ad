import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, writeFileSync } from 'node:fs';
import { openDatabase } from '../../../src/state/sqlite/open.js';
import { place } from '../../support/operations/place.js';
import { ends, program } from '../../support/relctl.js';
import { needs } from '../../support/skip.js';
import { openTerminal, type Terminal } from '../../support/terminal.js';

interface Line {
  readonly Type: string;
  readonly Name: string | null;
  readonly Column: string | null;
  readonly Text: string | null;
  readonly Id: string;
  readonly GoneAt: string | null;
}

interface Relation {
  readonly Id: string;
  readonly DisplayName: string;
  readonly ImportKey?: string;
}

const joelle = '00000000-0000-4000-8000-000000000102';

describe('relctl find', function () {
  const here = place();
  const find = async (...words: readonly string[]): Promise<readonly Line[]> => {
    const { stdout } = await ends(here.run(['find', '-o', 'json', ...words]), 0);
    return JSON.parse(stdout) as Line[];
  };

  /** Changes the mirror as somebody else might. */
  const change = async (sql: string): Promise<void> => {
    const { stdout } = await here.run(['sql', '--print-file']);
    const database = openDatabase({ file: stdout.trim(), what: 'The mirror' });
    database.execute(sql);
    database.close();
  };

  it('says without a mirror which command makes one', async () => {
    const { stderr } = await ends(here.run(['find', 'veen']), 5, /there is no mirror in /, '');
    assert.match(stderr, /Try: relctl mirror sync/);
  });

  it('says with --mirror where the mirror would be made', async () => {
    const { code, stderr } = await here.run(['find', 'veen', '--mirror', here.fresh('not there.db')]);
    assert.equal(code, 5);
    assert.match(stderr, /Try: relctl mirror sync .*--mirror '.*not there\.db'/);
  });

  describe('in a mirror', () => {
    before(async () => {
      await ends(here.run(['mirror', 'sync', '-o', 'json']), 0);
    });

    it('finds each relation by its name and its import key', async () => {
      const relations = await here.json<readonly Relation[]>(['relation', 'list']);
      for (const { Id, DisplayName, ImportKey } of relations.filter(({ DisplayName: name }) => name.trim() !== '')) {
        for (const text of [DisplayName, ImportKey ?? ''].filter((each) => each !== '')) {
          const hits = await find('--limit', '100', '--', text);
          assert.ok(
            hits.some((hit) => hit.Type === 'relation' && hit.Id === Id),
            text,
          );
        }
      }
    });

    it('says what was found, where, and of what', async () => {
      const [first, second] = await find('veen', 'JOELLE');
      assert.deepEqual(first, {
        Type: 'relation',
        Name: 'Joëlle Veen',
        Column: 'DisplayName',
        Text: 'Joëlle Veen',
        Id: joelle,
        GoneAt: null,
      });
      assert.equal(second?.Type, 'relationship');
      const [byKey] = await find('100001');
      assert.deepEqual([byKey?.Id, byKey?.Column, byKey?.Text], [joelle, 'ImportKey', '100001']);
      const [product] = await find('00001');
      assert.deepEqual([product?.Type, product?.Column], ['product', 'Code']);
      const [mark] = await find('nieuwsb');
      assert.deepEqual([mark?.Type, mark?.Name], ['mark', 'Nieuwsbrief']);
    });

    it('tells whose telephone number it is, however it is written', async () => {
      const book = await here.json<
        readonly { relation: Relation; TelephoneNumbers: readonly { Value: string }[] | null }[]
      >(['relation', 'phone-book']);
      const owners = book
        .filter(({ TelephoneNumbers }) => TelephoneNumbers?.some(({ Value }) => Value === '+31 6 55501234'))
        .map(({ relation }) => relation.Id);
      for (const text of ['0655501234', '06-555 01 234', '0031655501234', '+31 (0)6 55501234', '55501234']) {
        const hits = await find('--type', 'telephone', '--limit', '1000', '--', text);
        assert.deepEqual(hits.map(({ Id }) => Id).sort(), [...new Set(owners)].sort(), text);
      }
    });

    it('prints nothing but its output in a script, and says how old it is beside JSON', async () => {
      const csv = await here.run(['find', 'joelle veen', '--type', 'relation', '-o', 'csv']);
      const row = `relation,Joëlle Veen,DisplayName,Joëlle Veen,${joelle},`;
      assert.deepEqual([csv.code, csv.stdout, csv.stderr], [0, `Type,Name,Column,Text,Id,GoneAt\n${row}\n`, '']);
      const json = await here.run(['find', 'joelle veen', '-o', 'json']);
      assert.match(json.stderr, /^\{"notes":\["from the mirror, synced \d+ seconds? ago"\]\}\n$/);
      assert.equal((await here.run(['find', 'joelle veen', '-o', 'json', '--quiet'])).stderr, '');
    });

    it('ends with 0 and an empty list when nothing is found', async () => {
      assert.deepEqual(await find('xqxqxq'), []);
    });

    it('says that there is more than --limit shows', async () => {
      const { stdout, stderr } = await here.run(['find', 'ee', '--limit', '2', '-o', 'ndjson', '--type', 'relation']);
      assert.equal(stdout.trim().split('\n').length, 2);
      assert.match(stderr, /stopped at --limit: there are more matches/);
    });

    it('refuses a type that is none, and a script without a text', async () => {
      const typed = await ends(here.run(['find', 'veen', '--type', 'relations']), 2, /there is no type 'relations'/);
      assert.match(typed.stderr, /--type relation/);
      await ends(here.run(['find']), 2, /TEXT is missing/);
    });

    it('wants a file of others to be closed to them only when it is a mirror', async () => {
      const { stdout } = await here.run(['sql', '--print-file']);
      const [mirror, text] = [here.fresh('open.db'), here.fresh('text.db')];
      copyFileSync(stdout.trim(), mirror);
      writeFileSync(text, 'root:x:0:0:root:/root:/bin/bash\n'.repeat(9));
      for (const file of [mirror, text]) chmodSync(file, 0o644);
      await ends(here.run(['find', 'veen', '--mirror', mirror]), 10, /Try: chmod 600 .*open\.db/);
      const ofText = await ends(here.run(['find', 'veen', '--mirror', text]), 10, /text\.db is not a mirror of relctl/);
      assert.doesNotMatch(ofText.stderr, /chmod/);
    });

    it('is not asked of the mirror of another service', async () => {
      for (const [name, value] of [
        ['RELCTL_NAMESPACE', 'urn:other'],
        ['RELCTL_DATABASE_ID', '00000000-0000-4000-8000-00000000dead'],
        ['RELCTL_BASE_URL', 'http://127.0.0.1:1'],
      ] as const) {
        const { code, stdout, stderr } = await here.run(['find', 'veen'], { env: { [name]: value } });
        assert.deepEqual([code, stdout], [3, ''], name);
        const what = name === 'RELCTL_BASE_URL' ? 'url' : name.slice(7).split('_')[0]?.toLowerCase();
        assert.match(stderr, new RegExp(`belongs to another service: ${what} [^;]+, not ${value}`));
        assert.match(stderr, /Try: relctl mirror remove --all/);
      }
      const { stdout: file } = await here.run(['sql', '--print-file']);
      const inSandbox = await here.run(['find', 'veen', '--profile', 'sandbox', '--mirror', file.trim()]);
      assert.equal(inSandbox.code, 3);
      assert.match(inSandbox.stderr, /belongs to another service: url http.*, not sandbox/);
    });

    it('prints no Id that is none: somebody else may have made the mirror', async () => {
      const forged = '--insecure; $(touch forged)\u001b[2J';
      await change(`UPDATE all_marks SET "Id" = '${forged}' WHERE "Name" = 'Nieuwsbrief'`);
      for (const format of ['json', 'csv', 'table']) {
        const { code, stdout, stderr } = await here.run(['find', 'nieuwsbrief', '-o', format]);
        assert.deepEqual([code, stdout], [10, ''], stderr);
        assert.match(stderr, /the mirror has an Id in marks that is not a GUID/);
        assert.ok(!stderr.includes('\u001b'));
      }
      assert.equal((await here.run(['mirror', 'sync', 'marks', '-o', 'json'])).code, 0);
    });

    it('syncs first what is older than --max-age, and shows what is gone with --gone', async () => {
      const id = here.rows('SELECT "Id" FROM "PvRelationData" WHERE "DisplayName" LIKE \'Mehmet%\'')[0]?.[0];
      here.execute(`UPDATE "PvRelationData" SET "DisplayName" = 'Xaviera Quist' WHERE "Id" = '${String(id)}'`);
      assert.deepEqual(await find('xaviera'), []);
      assert.deepEqual(await find('xaviera', '--max-age', '1h'), []);
      const { stdout } = await ends(here.run(['find', 'xaviera', '--max-age', '0s', '-o', 'ndjson']), 0);
      assert.deepEqual((JSON.parse(stdout) as Line).Id, id);
      here.execute(`DELETE FROM "PvRelationData" WHERE "Id" = '${String(id)}'`);
      assert.equal((await here.run(['mirror', 'sync', 'relations', '-o', 'json'])).code, 0);
      assert.deepEqual(await find('xaviera'), []);
      const [gone] = await find('xaviera', '--gone');
      assert.deepEqual([gone?.Id, typeof gone?.GoneAt], [id, 'string']);
    });
  });

  describe('in a terminal', () => {
    before(async function () {
      needs(this, 'tmux');
      here.execute(
        `UPDATE "PvRelationData" SET "DisplayName" = 'Joëlle Veen' || char(8238) || 'x' WHERE "Id" = '${joelle}'`,
      );
      await ends(here.run(['mirror', 'sync', '-o', 'json']), 0);
    });

    const open = (...words: readonly string[]): Terminal =>
      openTerminal([process.execPath, program, 'find', ...words], here.env);

    it('answers while one types, shows the record, and what may be done next', async () => {
      const terminal = open();
      try {
        await terminal.until(/Searches the mirror, synced \d+ \w+ ago\.\s+\? Find:/);
        terminal.type('lle vee');
        const shown = await terminal.until(/Joëlle Veen.*relation/);
        assert.ok(!shown.includes('\u202e'), 'what turns the direction of writing is shown as a sign');
        terminal.press('Enter');
        const card = await terminal.until(/Pane is dead/);
        assert.match(card, new RegExp(`Id +${joelle}`));
        assert.match(card, new RegExp(`Next:\\s+relctl relation activities ${joelle}`));
        assert.match(card, /status 0/);
      } finally {
        terminal.close();
      }
    });

    it('takes no more of what is pasted than can be looked for, and goes on', async () => {
      const terminal = open();
      try {
        await terminal.until(/Find:/);
        terminal.type('x'.repeat(5000));
        const shown = await terminal.until(/it has 201 characters; the limit is 200/);
        assert.equal(shown.split('x').length - 1, 201);
        terminal.press('C-u');
        terminal.type('lle vee');
        await terminal.until(/Joëlle Veen.*relation/);
      } finally {
        terminal.close();
      }
    });

    it('calls nothing, and says no command, by an Id that is none', async () => {
      const forged = "x'; touch forged #";
      await change(`UPDATE all_relations SET "Id" = '${forged.replaceAll("'", "''")}' WHERE "Id" = '${joelle}'`);
      await change(`UPDATE all_relationships SET "_record" = json_set("_record", '$.ChildRelationId', '--insecure')`);
      for (const [typed, words] of [
        ['joelle veen', /an Id in relations that is not a GUID/],
        ['piet', /an Id in relationships that is not a GUID, '--insecure'/],
      ] as const) {
        const terminal = open('--type', typed === 'piet' ? 'relationship' : 'relation');
        try {
          await terminal.until(/Find:/);
          terminal.type(typed);
          await terminal.until(/❯ .*relation/);
          terminal.press('Enter');
          const shown = await terminal.until(/Pane is dead/);
          assert.match(shown, words);
          assert.doesNotMatch(shown, /Next:/);
        } finally {
          terminal.close();
        }
      }
    });

    for (const key of ['C-c', 'C-d']) {
      it(`is left by ${key}, which is no success`, async () => {
        const terminal = open();
        try {
          await terminal.until(/Find:/);
          terminal.press(key);
          const shown = await terminal.until(/Pane is dead/);
          assert.match(shown, /interrupted at a question/);
          assert.match(shown, /status 130/);
        } finally {
          terminal.close();
        }
      });
    }

    it('offers to make the mirror when there is none', async () => {
      assert.equal((await here.run(['mirror', 'remove', '--all'])).code, 0);
      const terminal = open('veen');
      try {
        await terminal.until(/Read the lists of the service/);
        terminal.type('y');
        terminal.press('Enter');
        const shown = await terminal.until(/Pane is dead/);
        assert.match(shown, /relation +Joëlle Veen/);
      } finally {
        terminal.close();
      }
    });
  });
});
