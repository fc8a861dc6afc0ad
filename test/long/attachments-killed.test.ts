import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { started } from '../support/export-lane.js';
import { lots } from '../support/cases.js';
import { place } from '../support/operations/place.js';
import { ends } from '../support/relctl.js';
import { argv } from '../support/argv.js';

/** So many are quick; RELCTL_TEST_KILLS=300 takes minutes. */
const kills = Number(process.env['RELCTL_TEST_KILLS'] ?? 12);
const count = 80;
const activity = '00000000-0020-4000-8000-000000000001';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('Many attachments whose run is killed', () => {
  const here = place();
  const draw = lots(20_261_124);
  const ids = Array.from(
    { length: count },
    (_, at) => `0000${String(at).padStart(4, '0')}-0022-4000-8000-000000000001`,
  );
  const bytesOf = (at: number): Buffer => Buffer.alloc((at * 7919) % 60_000, `${at} `);

  before(async () => {
    const columns = here
      .rows('SELECT name FROM pragma_table_info(?)', 'Attachment')
      .map(([name]) => `"${String(name)}"`)
      .filter((name) => !['"seq"', '"ActivitySeq"'].includes(name));
    for (const [at, id] of ids.entries()) {
      const own: Readonly<Record<string, string>> = {
        '"Id"': `'${id}'`,
        '"FileName"': `'same name.bin'`,
        '"Base64EncodedFile"': `'${bytesOf(at).toString('base64')}'`,
      };
      here.execute(
        `INSERT INTO "Attachment" (${columns.join(', ')}) SELECT ${columns.map((name) => own[name] ?? name).join(', ')} FROM "Attachment" LIMIT 1`,
      );
    }
    for (const spec of argv`
      latency=8ms;operation=AttachmentGet reset=head;operation=AttachmentGet;share=3%;seed=1
      reset=head;operation=ActivityAddAttachment;share=3%;seed=2
      status=503;operation=ActivityAddAttachment;share=2%;seed=3
    `)
      await here.fault(spec);
  });

  /** Starts a run and kills it; false when it came to its end before. */
  async function killed(words: readonly string[], withinMs: number): Promise<boolean> {
    const run = started(words, { env: here.env });
    await Promise.race([pause(draw(withinMs)), run.ended]);
    run.child.kill('SIGKILL');
    return (await run.ended).signal === 'SIGKILL';
  }

  it('leaves files that are whole, and results that know each of them', async () => {
    for (let done = 0, task = 0; done < kills; task += 1) {
      const [file, out] = [here.fresh(`ids-${task}.txt`), here.fresh('out')];
      const results = `${file}.results.csv`;
      mkdirSync(out);
      writeFileSync(file, ids.map((id) => `${id}\n`).join(''));
      const words = ['attachment', 'get', '--ids', file, '--output-dir', out, '--only-missing'];
      const check = (): number => {
        const text = existsSync(results) ? readFileSync(results, 'utf8') : '';
        const told = new Map(
          text
            .slice(0, text.lastIndexOf('\n') + 1)
            .split('\r\n')
            .map((line) => [line.split(',')[0] ?? '', line.split(',')]),
        );
        const files = readdirSync(out).filter((name) => !name.includes('.part-'));
        for (const name of files) {
          const bytes = readFileSync(join(out, name));
          const id = name.slice(0, 36);
          assert.deepEqual(bytes, bytesOf(ids.indexOf(id)), name);
          const [, own, size, hash, outcome = ''] = told.get(id) ?? [];
          assert.deepEqual([own, size, hash], [name, String(bytes.length), sha256(bytes)], name);
          assert.ok(['saved', 'there', 'saving'].includes(outcome), outcome);
        }
        for (const [id, [, name = '', , , outcome]] of told)
          if (outcome === 'saved' || outcome === 'there') assert.ok(files.includes(name), id);
        return files.length;
      };
      while (done < kills && (await killed(words, 1200))) {
        done += 1;
        check();
      }
      await ends(here.run(words), 0);
      assert.equal(check(), count);
      assert.deepEqual(
        readdirSync(out).filter((name) => name.includes('.part-')),
        [],
      );
    }
  });

  it('attaches each file once, or leaves its row unknown', async () => {
    for (let done = 0, task = 0; done < kills; task += 1) {
      const folder = here.fresh(`up-${task}`);
      mkdirSync(join(folder, activity), { recursive: true });
      const names = ids.map((_, at) => `up-${task}-${at}.bin`);
      for (const [at, name] of names.entries()) writeFileSync(join(folder, activity, name), bytesOf(at));
      const journal = `${folder}.results.csv.journal`;
      const words = (): string[] => [
        ...['activity', 'attach', '--dir', folder, '--yes', '--concurrency', '2'],
        ...(existsSync(journal) && readFileSync(journal).includes(10) ? ['--resume'] : []),
      ];
      while (done < kills && (await killed(words(), 1200))) done += 1;
      for (let code: number | null = 8, turns = 0; code === 8 && turns < 10; turns += 1)
        ({ code } = await here.run(words()));
      const lines = readFileSync(`${folder}.results.csv`, 'utf8').split('\r\n').slice(1, -1);
      assert.equal(lines.length, count);
      const stored = new Map(
        here
          .rows(
            `SELECT "FileName", count(*), min(coalesce("Base64EncodedFile", (SELECT group_concat(Text, '') FROM
             (SELECT Text FROM "ContentPiece" WHERE attachment = "Attachment".seq ORDER BY position)))) FROM "Attachment" GROUP BY "FileName"`,
          )
          .map(([name, times, text]) => [String(name), { times: Number(times), text: String(text) }]),
      );
      for (const line of lines) {
        const name = line.slice(line.lastIndexOf('/') + 1);
        const [, , outcome] = line.split(',');
        const { times = 0, text } = stored.get(name) ?? {};
        if (outcome === 'done') {
          assert.equal(times, 1, line);
          assert.equal(text, bytesOf(names.indexOf(name)).toString('base64'), line);
        } else assert.ok(outcome === 'unknown' && times <= 1, line);
      }
      assert.ok(lines.filter((line) => line.includes(',done,')).length > count / 2);
    }
  });
});
