import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { operations, type OperationName } from '../../src/contract/service.js';
import { fieldId, known } from '../../src/sandbox/dataset/known.js';
import { attachmentMade } from '../support/soap-answers.js';
import { answers, brokenServer, resets, type Reaction } from '../support/broken-server.js';
import { started } from '../support/export-lane.js';
import { allRefused, callsIn, place } from '../support/operations/place.js';
import { ends } from '../support/relctl.js';
import { argv } from '../support/argv.js';

const { activityId, productId, vatId, relationshipId } = known;
const line = argv`--product ${productId} --vat ${vatId} --quantity 1 --amount 12.50 --purchase-amount 9.95`;
const addLine = ['activity', 'add-line', activityId, ...line];

/** A command for every operation that writes. */
const writes: Readonly<Partial<Record<OperationName, readonly string[]>>> = {
  ActivityUpdate: ['activity', 'update', activityId, '--field', `${fieldId(11, 'Subject')}=x`],
  ActivityAddProductLine: addLine,
  SubscriptionAddProductLine: argv`subscription add-line 00000000-0020-4000-8000-000000000003 --period 1 ${line}`,
  ActivityAddAttachment: ['activity', 'attach', activityId, '-', '--name', 'x.txt'],
  RelationshipAddLine: [
    ...['relationship', 'add-line', relationshipId, '--entity-type', known.lineEntityTypeId],
    ...['--datastore', known.datastoreEntityTypeId, '--field', `${fieldId(4, 'Course')}=x`],
  ],
  DatastoreCreateItem_V3: argv`datastore create-item ${known.datastoreEntityTypeId} --field ${fieldId(21, 'Description')}=x`,
  ProductUpdate_V2: ['product', 'update', '00001', '--name', 'x', '--yes'],
};
const entries = Object.entries(writes);

describe('A command that writes', () => {
  const here = place();

  it('is tried below for every operation that writes', () => {
    const all = Object.values(operations).filter(({ access }) => access !== 'read');
    assert.deepEqual(new Set(Object.keys(writes)), new Set(all.map(({ name }) => name)));
  });

  it('with --envelope prints the envelope without a secret, and writes nothing', async () => {
    const before = here.digest();
    await Promise.all(
      entries.flatMap(([operation, args]) =>
        (['1.1', '1.2'] as const).map(async (soap) => {
          const trace = here.fresh('trace');
          const run = await here.run([...args, '--envelope', '--set', `soapVersion=${soap}`, `--trace=${trace}`], {
            input: 'x',
          });
          assert.equal(run.code, 0, run.stderr);
          assert.match(run.stdout, new RegExp(`^POST ${here.url()}/V1/service\\.asmx\n`));
          assert.match(run.stdout, soap === '1.1' ? /\nsoapaction: "/ : /\ncontent-type: application\/soap\+xml/);
          assert.match(run.stdout, new RegExp(`<${operation} xmlns=`));
          assert.match(run.stdout, /<ApiKey>\*+<\/ApiKey>[^]*<Password>\*+<\/Password>/);
          assert.ok(!run.stdout.includes(known.credentials.ApiKey));
          // A product has to be read for its envelope to be exact.
          const calls = callsIn(trace).map((call) => call.operation);
          assert.deepEqual(calls, operation === 'ProductUpdate_V2' ? ['ProductGetAll_V2'] : []);
        }),
      ),
    );
    assert.equal(here.digest(), before);
  });

  it('ends with 4 when the service refuses, with 5 when something is not there, and says which', async () => {
    const before = here.digest();
    const unknown = 'ffffffff-0020-4000-8000-000000000001';
    // A text in ErrorInformation does not say of itself that something is not there.
    const runs: readonly (readonly [args: readonly string[], code: number, says: RegExp])[] = [
      [['activity', 'update', unknown, '--field', `${fieldId(11, 'Subject')}=x`], 4, /There is no activity ffffffff/],
      [['activity', 'add-line', unknown, ...line], 5, /There is no activity ffffffff/],
      [['activity', 'attach', unknown, '-', '--name', 'x'], 5, /There is no activity ffffffff/],
      [['datastore', 'create-item', unknown, '--field', `${unknown}=x`], 4, /There is no entity type ffffffff/],
      [['product', 'update', '00001', '--unit', '44', '--yes'], 4, /There is no unit 44/],
      [['product', 'update', '00001', '--product-group-id', unknown, '--yes'], 5, /There is no product group ffffffff/],
    ];
    await Promise.all(
      runs.map(async ([args, code, says]) => {
        const run = await here.run(args, { input: 'x' });
        assert.match(run.stderr, says);
        assert.deepEqual([run.code, run.stdout], [code, ''], run.stderr);
      }),
    );
    assert.equal(here.digest(), before);
  });

  describe('whose answer is lost', () => {
    const losses: Readonly<Record<string, Reaction>> = {
      'the connection is reset': resets,
      'the connection ends': (socket) => void socket.end(),
      'half an answer comes': (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n<?xml'),
    };

    for (const [title, answer] of Object.entries(losses)) {
      it(`ends with 9, is sent exactly once, and says how to find out: ${title}`, async () => {
        await Promise.all(
          entries
            .filter(([operation]) => operation !== 'ProductUpdate_V2')
            .map(async ([operation, args]) => {
              const server = await brokenServer({ answer });
              try {
                const env = { RELCTL_BASE_URL: server.url };
                const run = await here.run([...args, '--quiet', '--set', 'retries=5'], { env, input: 'x' });
                assert.deepEqual([run.code, run.stdout], [9, ''], run.stderr);
                assert.equal(server.requests.length, 1);
                assert.match(server.requests[0]?.body.toString() ?? '', new RegExp(`<${operation} `));
                assert.match(run.stderr, /Try: /);
                assert.ok(!run.stderr.includes(known.credentials.ApiKey));
              } finally {
                await server.close();
              }
            }),
        );
      });
    }

    it('says the exact read that settles it, or where to look', async () => {
      const own = (id: string): string => `\\S+ of \\w+ ${id} in the CRM before you repeat the command: no oper`;
      const tries: Readonly<Partial<Record<OperationName, RegExp>>> = {
        ActivityUpdate: new RegExp(`Check activity ${activityId} in the CRM .*: no operation returns`),
        ActivityAddProductLine: new RegExp(`Check the product ${own(activityId)}`),
        SubscriptionAddProductLine: new RegExp(`Check the product ${own('00000000-0020-4000-8000-000000000003')}`),
        ActivityAddAttachment: new RegExp(`Check the ${own(activityId)}`),
        RelationshipAddLine: new RegExp(`Check the ${own(relationshipId)}`),
        DatastoreCreateItem_V3: new RegExp(`Try: relctl datastore items ${known.datastoreEntityTypeId}$`, 'm'),
        ProductUpdate_V2: /Try: relctl product get 00001$/m,
      };
      assert.deepEqual(Object.keys(tries).sort(), Object.keys(writes).sort());
      const productData = await here.json<object>(['product', 'get', '00001']);
      const input = here.fresh('input');
      writeFileSync(input, JSON.stringify({ productData }));
      const server = await brokenServer({ answer: resets });
      const env = { RELCTL_BASE_URL: server.url };
      const commands = { ...writes, ProductUpdate_V2: ['call', 'ProductUpdate_V2', '--input', input] };
      try {
        await Promise.all(
          Object.entries(commands).map(async ([operation, args]) => {
            const text = await here.run([...args, '--quiet'], { env, input: 'x' });
            const json = await here.run([...args, '-o', 'json'], { env, input: 'x' });
            const { error } = JSON.parse(json.stderr) as { error: Readonly<Record<string, unknown>> };
            assert.match(text.stderr, tries[operation as OperationName] ?? /^$/);
            assert.deepEqual([text.code, json.code, error['kind'], error['exitCode']], [9, 9, 'outcome-unknown', 9]);
            const same = String(error['hint']).replace(' -o json', ' --quiet');
            assert.ok(text.stderr.includes(`  Try: ${same}\n`), text.stderr);
          }),
        );
      } finally {
        await server.close();
      }
    });

    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      it(`because ${signal} came when it was sent ends with 9, also when the signal comes twice`, async () => {
        for (const signals of [[signal], [signal, signal]]) {
          let isSent = (): void => undefined;
          const sent = new Promise<void>((resolve) => (isSent = resolve));
          const server = await brokenServer({ answer: () => isSent() });
          const run = started([...addLine, '-o', 'json'], { env: { ...here.env, RELCTL_BASE_URL: server.url } });
          try {
            await sent;
            for (const each of signals) run.child.kill(each);
            const { code, signal: raised, stderr } = await run.ended;
            assert.deepEqual([code, raised], [9, null], stderr);
            // A second signal may come before anything was said.
            if (signals.length > 1) continue;
            const { error } = JSON.parse(stderr) as { error: Readonly<Record<string, unknown>> };
            assert.deepEqual([error['kind'], error['exitCode'], error['code']], ['outcome-unknown', 9, signal]);
          } finally {
            await server.close();
          }
        }
      });
    }

    it('says that it was done when only its result cannot be written', async () => {
      const file = here.fresh('made.json');
      const server = await brokenServer({
        answer: (socket, request) => {
          writeFileSync(file, 'theirs');
          return answers(attachmentMade)(socket, request);
        },
      });
      const env = { ...here.env, RELCTL_BASE_URL: server.url };
      try {
        const raced = await here.run([...(writes.ActivityAddAttachment ?? []), '--output-file', file], {
          env,
          input: 'x',
        });
        const under = ['sh', '-c', 'echo x | "$0" "$@" > /dev/full'];
        const full = await started([...(writes.ActivityAddAttachment ?? [])], { env, under }).ended;
        for (const { code, stderr } of [raced, full]) {
          assert.equal(code, 10, stderr);
          assert.match(stderr, /^Error: the write succeeded \(attach x\.txt .*\), do not repeat it; but /m);
        }
      } finally {
        await server.close();
      }
    });

    it('is not the end of a read that a signal ended', async () => {
      let isSent = (): void => undefined;
      const sent = new Promise<void>((resolve) => (isSent = resolve));
      const server = await brokenServer({ answer: () => isSent() });
      const run = started(['mark', 'list'], { env: { ...here.env, RELCTL_BASE_URL: server.url } });
      await sent;
      run.child.kill('SIGINT');
      assert.equal((await run.ended).signal, 'SIGINT');
      await server.close();
    });
  });
});

describe('A protected profile', () => {
  const here = place(['--set', 'protected=yes']);

  it('is written through with its name only, whatever --yes says', async () => {
    await allRefused(
      here,
      entries
        .filter(([operation]) => operation !== 'ProductUpdate_V2')
        .map(([, args]) => [[...args, '--yes'], /profile 'local' is protected: relctl will not .*\n.*--confirm local/]),
    );
    await allRefused(here, [
      [[...addLine, '--confirm', 'Local'], /names profile 'Local', and the profile in use is 'local'/],
    ]);
  });

  it('is written through with --confirm and its name, and read and tried without', async () => {
    const trace = here.fresh('trace');
    const [written, tried, read] = await Promise.all([
      here.run([...addLine, '--confirm', 'local']),
      here.run([...addLine, '--envelope', `--trace=${trace}`]),
      here.run(['mark', 'list']),
    ]);
    assert.deepEqual([written.code, tried.code, read.code], [0, 0, 0], written.stderr);
    assert.ok(!existsSync(trace));
  });
});

describe('A write that was done', () => {
  const here = place();
  const done = (stderr: string): readonly string[] => stderr.split('\n').filter((line) => line.startsWith('Done: '));
  const inTerminal = { RELCTL_FORCE_TTY: '200', NO_COLOR: '1' };

  for (const [operation, args] of entries) {
    it(`is told to a terminal in one line, with profile and address, and nowhere else: ${operation}`, async () => {
      const told = await ends(here.run(args, { input: 'x', env: inTerminal }), 0);
      const [line = '', ...others] = done(told.stderr);
      assert.deepEqual(others, []);
      const place = `, with profile 'local' (${here.url()}/V1/service.asmx)`;
      assert.ok(line.endsWith(place), line);
      assert.ok(told.stderr.endsWith(`${line}\n`), 'it is the last line');
      assert.doesNotMatch(told.stdout, /Done: /);
    });
  }

  it('is not told with --quiet, without a terminal, beside JSON, and for --envelope and what only reads', async () => {
    const runs = [
      here.run(addLine),
      here.run([...addLine, '--quiet'], { env: inTerminal }),
      here.run([...addLine, '-o', 'json'], { env: inTerminal }),
      here.run([...addLine, '--envelope'], { env: inTerminal }),
      here.run(['mark', 'list'], { env: inTerminal }),
    ];
    for (const { code, stdout, stderr } of await Promise.all(runs)) {
      assert.equal(code, 0, stderr);
      assert.doesNotMatch(stdout + stderr, /Done: /);
    }
  });

  it('is not told when the service refused it', async () => {
    const { code, stderr } = await here.run(['product', 'update', '00001', '--unit', '44', '--yes'], {
      env: inTerminal,
    });
    assert.equal(code, 4);
    assert.deepEqual(done(stderr), []);
  });

  it('is told of call as well, unless the answer is printed as it came, and nobody has looked at it', async () => {
    const params = Object.entries({ activityId, fileName: 'x.txt', base64EncodedFile: 'eA==' });
    const attach = [
      'call',
      'ActivityAddAttachment',
      ...params.flatMap(([name, value]) => ['--param', `${name}=${value}`]),
    ];
    const [told, raw] = await Promise.all([
      here.run(attach, { env: inTerminal }),
      here.run([...attach, '--raw-output'], { env: inTerminal }),
    ]);
    assert.deepEqual([told.code, raw.code], [0, 0], told.stderr);
    assert.match(told.stderr, /^Done: call ActivityAddAttachment, with profile 'local' \(/m);
    assert.deepEqual(done(raw.stderr), []);
  });
});
