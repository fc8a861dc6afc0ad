import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { known } from '../../src/sandbox/dataset/known.js';
import { callsIn, place } from '../support/operations/place.js';
import { ends, inShell, program } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { valuesOf } from '../support/thrown.js';

const { firstRelationId: relationId } = known;
const nobody = '00000000-0000-4000-8000-0000000009ff';

describe('Many relations by --ids', () => {
  const here = place();
  let ids: readonly string[] = [];
  before(async () => {
    const all = await here.json<readonly { readonly Id: string }[]>(['relation', 'list']);
    ids = all.map(({ Id }) => Id);
  });
  const fileOf = (lines: readonly string[], ending = '\n'): string => {
    const file = here.fresh('ids.txt');
    writeFileSync(file, lines.map((line) => line + ending).join(''));
    return file;
  };
  it('are a list in the order of the file, each as it is by itself', async () => {
    const asked = ids.slice(0, 12).toReversed();
    const found = await here.json<readonly { readonly Id: string }[]>(
      argv`relation get --ids ${fileOf(asked)} --concurrency 4`,
    );
    assert.deepEqual(valuesOf(found, 'Id'), asked);
    assert.deepEqual(found[3], await here.json(['relation', 'get', asked[3] ?? '']));
  });

  it('may come from stdin, as another relctl prints them, and slowly', async () => {
    const csv = await here.run(['relation', 'list', '-o', 'csv', '--columns', 'Info,Id']);
    const bare = await here.run(['relation', 'list', '-o', 'csv', '--columns', 'Id', '--no-header']);
    const json = await here.run(['relation', 'list', '-o', 'json', '--columns', 'Info,Id']);
    const lines = await here.run(['relation', 'list', '-o', 'ndjson']);
    for (const { stdout } of [csv, bare, json, lines]) {
      const run = await here.run(['relation', 'get', '--ids', '-', '-o', 'csv', '--columns', 'Id'], { input: stdout });
      assert.deepEqual([run.code, run.stderr], [0, '']);
      assert.equal(run.stdout, `Id\n${ids.map((id) => `${id}\n`).join('')}`);
    }
    const substituted = `relctl relation get --ids <(echo ${relationId}) -o csv --columns Id`;
    const fromPipe = await inShell(substituted, here.env);
    assert.equal(fromPipe.stdout, `Id\n${relationId}\n`);
    const command = `(sleep 1; echo ${relationId}) | relctl relation get --ids - -o csv --columns Id --no-header`;
    await ends(inShell(`set -o pipefail; ${command}`, here.env), 0, '', `${relationId}\n`);
  });

  it('say of each mark and activity whose it is, with the rows of each as they are by themselves', async () => {
    const asked = ids.slice(0, 10);
    for (const verb of ['marks', 'activities']) {
      const many = await here.json<readonly Record<string, unknown>[]>(
        argv`relation ${verb} --ids ${fileOf(asked)} -q`,
      );
      const alone = await Promise.all(
        asked.map(async (id) => {
          const rows = await here.json<readonly Record<string, unknown>[]>(['relation', verb, id, '-q']);
          return rows.map((row) => ({ _relationId: id, ...row }));
        }),
      );
      assert.deepEqual(many, alone.flat());
      assert.ok(many.length > 5);
      assert.equal(Object.keys(many[0] ?? {})[0], '_relationId');
    }
    const csv = await here.run(['relation', 'activities', '--ids', fileOf(asked), '-o', 'csv', '--page-size', '1']);
    assert.match(csv.stdout, /^_relationId,Id,/);
    const table = await here.run(['relation', 'marks', '--ids', fileOf(asked)]);
    assert.match(table.stdout, /^_relationId +RelationshipId +Mark\.Name +Date/);
  });

  it('with --limit end after so many rows of all of them', async () => {
    const args = ['relation', 'activities', '--ids', fileOf(ids), '-o', 'csv', '--no-header'];
    const [all, some] = [await here.run(args), await here.run([...args, '--limit', '7'])];
    assert.equal(some.code, 0);
    assert.match(some.stderr, /stopped at --limit: more rows exist/);
    assert.equal(some.stdout, `${all.stdout.split('\n').slice(0, 7).join('\n')}\n`);
  });

  it('are asked for once each, and repeats are reported', async () => {
    const trace = here.fresh('trace');
    const file = fileOf([relationId, relationId.toUpperCase(), '# x', relationId]);
    const run = await ends(here.run(['relation', 'get', '--ids', file, '-o', 'ndjson', `--trace=${trace}`]), 0);
    assert.equal(run.stdout.split('\n').length, 2);
    assert.match(run.stderr, /repeats ids \(lines: 2\)/);
    assert.equal(callsIn(trace).length, 1);
  });

  it('that are wrong are named with their line before anything is sent', async () => {
    const trace = here.fresh('trace');
    const file = fileOf(['\ufeff# x', '', relationId, 'Sandbox & Zonen'], '\r\n');
    for (const verb of ['get', 'marks', 'activities']) {
      const run = await here.run(['relation', verb, '--ids', file, `--trace=${trace}`]);
      assert.deepEqual([run.code, run.stdout], [2, '']);
      assert.match(run.stderr, /ids\.txt, line 4: 'Sandbox & Zonen' is not a GUID/);
    }
    const refusals = [
      [['relation', 'get', relationId, '--ids', file], /cannot be used together/],
      [['relation', 'marks'], /ID is missing: specify one, or use --ids FILE/],
      [['relation', 'activities', '--ids', file, '--page', '1'], /--ids and --page cannot be used together/],
      [['relation', 'activities', '--ids', file, '--resume', '--output-file', 'x'], /--ids and --resume/],
      [['relation', 'get', '--ids', fileOf([relationId]), '--concurrency', '17'], /--concurrency takes/],
    ] as const;
    for (const [args, names] of refusals) {
      await ends(here.run([...args, `--trace=${trace}`], { input: `${relationId}\n` }), 2, names, '');
    }
    assert.deepEqual(callsIn(trace), []);
    const missing = await here.run(['relation', 'get', '--ids', here.fresh('missing')]);
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /missing cannot be read: there is no such file/);
  });

  it('with two columns of that name are refused before anything is sent', async () => {
    const trace = here.fresh('trace');
    const file = fileOf(['Id,id', ids.slice(0, 2).join(',')]);
    const run = await here.run(['relation', 'get', '--ids', file, `--trace=${trace}`]);
    assert.deepEqual([run.code, run.stdout, callsIn(trace)], [2, '', []]);
    assert.match(run.stderr, /ids\.txt, line 1: columns 1 and 2 are both named Id/);
  });

  it('in a file that is no text are refused in words that say what to do', async () => {
    const workbook = here.fresh('ids.xlsx');
    assert.equal((await here.run(['relation', 'list', '--output-file', workbook])).code, 0);
    const utf16 = here.fresh('ids.txt');
    writeFileSync(utf16, Buffer.from(`\ufeff${relationId}\r\n`, 'utf16le'));
    const trace = here.fresh('trace');
    for (const [file, words] of [
      [workbook, /ids\.xlsx is a workbook, or another ZIP file: save the sheet with the column Id as "CSV UTF-8"\n/],
      [utf16, /ids\.txt is UTF-16: save it as "CSV UTF-8", or convert it with `iconv -f utf-16 -t utf-8`\n/],
    ] as const) {
      const run = await here.run(['relation', 'get', '--ids', file, `--trace=${trace}`]);
      assert.deepEqual([run.code, run.stdout, callsIn(trace)], [2, '', []]);
      assert.match(run.stderr, words);
    }
  });

  it('in a file above 64 MB are refused before anything is sent', async () => {
    const large = here.fresh('large.txt');
    writeFileSync(large, Buffer.alloc(64 * 1024 * 1024 + 1, 'x'));
    const trace = here.fresh('trace');
    const run = await here.run(['relation', 'get', '--ids', large, `--trace=${trace}`]);
    assert.deepEqual([run.code, run.stdout], [2, '']);
    assert.match(run.stderr, /large\.txt is larger than 64 MiB$/m);
    assert.deepEqual(callsIn(trace), []);
  });

  it('that do not exist are reported with line and id, the others are written, and the exit code is 8', async () => {
    const file = fileOf([ids[0] ?? '', nobody, '', ids[1] ?? '']);
    for (const verb of ['get', 'marks']) {
      const run = await ends(here.run(['relation', verb, '--ids', file, '-o', 'csv', '--quiet']), 8);
      assert.ok(run.stdout.includes(ids[0] ?? '?') || verb === 'marks');
      assert.match(run.stderr, new RegExp(`line 2, ${nobody}: there is no such`));
      assert.match(
        run.stderr,
        /1 of 3 relations failed\n.*\n {2}Correct or remove the ids .*\n {2}Try: relctl whoami\b/,
      );
    }
    const json = await here.run(['relation', 'get', '--ids', file, '-o', 'json']);
    assert.deepEqual([json.code, (JSON.parse(json.stdout) as unknown[]).length], [8, 2]);
    const { error } = JSON.parse(json.stderr) as { error: { kind: string; exitCode: number; notes: string[] } };
    assert.deepEqual([error.kind, error.exitCode], ['partial', 8]);
    assert.match(error.notes[0] ?? '', new RegExp(`^line 2, ${nobody}: `));
    const none = await here.run(['relation', 'get', '--ids', fileOf([nobody]), '-o', 'csv']);
    assert.equal(none.code, 5);
    assert.match(
      none.stderr,
      /1 of 1 relations failed\n.*\n {2}Correct or remove the ids .*\n {2}Try: relctl whoami\b/,
    );
  });

  it('that fail by a fault are reported, and the others are asked for', async () => {
    await here.failing('fault=Server,message="Not today";every=3;operation=RelationGet', async () => {
      const asked = ids.slice(0, 9);
      const run = await here.run(
        argv`relation get --ids ${fileOf(asked)} -o csv --columns Id --no-header --concurrency 1`,
      );
      assert.equal(run.code, 8);
      assert.deepEqual(
        run.stdout.trim().split('\n'),
        asked.filter((_, index) => index % 3 !== 2),
      );
      assert.match(run.stderr, /3 of 9 relations failed\n.*\n {2}Try: relctl relation get --ids /);
      for (const index of [2, 5, 8]) assert.ok(run.stderr.includes(`line ${index + 1}, ${asked[index]}: `), run.stderr);
    });
  });

  it('end when the service does not answer five in a row', async () => {
    await here.failing('html=502,title="Bad Gateway"', async () => {
      const trace = here.fresh('trace');
      const run = await here.run(
        argv`relation get --ids ${fileOf(ids)} --set retries=0 --concurrency 1 --trace=${trace}`,
      );
      assert.equal(run.code, 6);
      assert.match(
        run.stderr,
        /5 of 60 relations failed; the service does not answer, so relctl did not request the ids after line 5/,
      );
      assert.ok(callsIn(trace).length <= 6);
    });
  });

  it('go to a file that appears when it is complete, with the fields in columns of their own', async () => {
    const file = here.fresh('relations.csv');
    const args = ['relation', 'get', '--ids', fileOf(ids), '--include-fields', '-o', 'csv', '--output-file', file];
    assert.deepEqual(await here.run(args), { code: 0, signal: null, stdout: '', stderr: '' });
    const [header = ''] = readFileSync(file, 'utf8').split('\n');
    assert.match(header, /,Field\.00000000-0041-4000-8000-000000000101,.*,FieldValues\.Items,CounterValues,Counters$/);
    const wrong = here.fresh('wrong.csv');
    await here.failing('fault=Server,message="x"', async () => {
      await ends(here.run(['relation', 'get', '--ids', fileOf(ids.slice(0, 2)), '--output-file', wrong]), 4);
    });
    // What came of it is whole: there is nothing in it, and the exit code says why.
    assert.ok(existsSync(wrong));
  });

  it('end quietly when the reader is gone, with few calls beyond', async () => {
    const trace = here.fresh('trace');
    const file = fileOf(ids);
    const command = `relctl relation get --ids ${file} -o csv --trace=${trace} | head -2; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await inShell(command, here.env);
    assert.equal(stdout.trim().split('\n').at(-1), '0');
    assert.equal(stderr, '');
    assert.ok(callsIn(trace).length < 30, `${callsIn(trace).length} calls`);
  });

  it('are interrupted by Ctrl-C without a file', async () => {
    await here.failing('latency=300ms', async () => {
      const file = here.fresh('out.csv');
      const trace = here.fresh('trace');
      const words = `relation get --ids ${fileOf(ids)} -o csv --output-file ${file} --trace=${trace}`;
      const { stdout } = await inShell(
        `timeout -s INT 2 "${process.execPath}" "${program}" ${words}; echo $?`,
        here.env,
      );
      assert.equal(stdout.trim(), '124');
      assert.ok(!existsSync(file));
      assert.ok(callsIn(trace).length < 60);
    });
  });

  it('show the first envelope with --envelope, and how many there are', async () => {
    const run = await ends(here.run(['relation', 'marks', '--ids', fileOf(ids.slice(0, 3)), '--envelope']), 0);
    assert.equal(run.stdout.split('<relationId>').length, 2);
    assert.ok(run.stdout.includes(`<relationId>${ids[0]}</relationId>`));
    assert.match(run.stderr, /relctl would send the same for 2 more relations/);
  });

  it('of no ids are an empty list, and a note says so', async () => {
    const note = 'ids: relctl requests nothing';
    const run = await here.run(['relation', 'marks', '--ids', '-', '-o', 'json'], { input: '# nobody\n' });
    assert.deepEqual([run.code, run.stdout], [0, '[]\n']);
    assert.deepEqual(JSON.parse(run.stderr), { notes: [`stdin has no ${note}`] });
    for (const lines of [[], ['Id'], ['[]']]) {
      const file = fileOf(lines);
      const asked = ['relation', 'get', '--ids', file, '-o', 'csv', '--columns', 'Id'];
      assert.deepEqual(await here.run(asked), {
        ...{ code: 0, signal: null },
        ...{ stdout: 'Id\n', stderr: `Note: ${file} has no ${note}\n` },
      });
      assert.equal((await here.run([...asked, '--quiet'])).stderr, '');
    }
  });
});

describe('An argument that is missing', () => {
  const here = place();

  it('is not taken from stdin, which is read only when asked', async () => {
    const named = await here.run(['operations', '-o', 'json'], { input: 'RelationGet\n' });
    assert.ok((JSON.parse(named.stdout) as unknown[]).length > 20);
    await ends(here.run(['activity', 'fields'], { input: `${known.workflowId}\n` }), 2);
  });
});
