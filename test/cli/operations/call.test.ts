import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answers, brokenServer } from '../../support/broken-server.js';
import { ends, home, program, relctl, type Run } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { count, namespace } from '../../support/soap-answers.js';

const userId = '00000000-0000-4000-8000-000000000011';
const fromStdin = ['call', 'NotificationGetCount', '--input', '-', '--profile', 'sandbox'];

describe('call', () => {
  const place = home();
  after(() => place.remove());
  const call = (args: readonly string[], input?: string): Promise<Run> =>
    relctl(['call', ...args, '--profile', 'sandbox'], {
      env: place.env,
      ...(input === undefined ? {} : { input }),
    });

  it('takes 8 MiB by --input, JSON and XML, and no byte more, from a file as from stdin: the message says so', async () => {
    const most = 8 * 1024 * 1024;
    const texts = [
      ['json', '{"userId":"x"}'],
      ['xml', `<userId>${userId}</userId>`],
    ] as const;
    for (const [form, text] of texts) {
      const file = join(place.folder, `most.${form}`);
      for (const from of [file, '-']) {
        for (const more of [0, 1]) {
          const whole = text.padEnd(most + more);
          writeFileSync(file, whole);
          const args = ['NotificationGetCount', '--input', from, '--envelope'];
          const { code, stdout, stderr } = await call(args, from === '-' ? whole : undefined);
          const source = from === '-' ? 'stdin' : file;
          const refusal = `Error: ${source} is larger than 8 MiB, the limit of --input\n`;
          assert.deepEqual([more, stderr.startsWith(refusal)], [more, more === 1], stderr.slice(0, 500));
          if (more === 1) assert.deepEqual([code, stdout], [2, '']);
        }
      }
    }
  });

  it('takes parameters from a JSON object, in a file or on stdin, and lets --param come first', async () => {
    const input = { pageNumber: 1, pageSize: 2, includeFields: false, includeCounters: false };
    const file = join(place.folder, 'input.json');
    writeFileSync(file, JSON.stringify(input));
    const [fromFile, fromStdin, changed] = await Promise.all([
      call(['RelationGetAll', '--input', file]),
      call(['RelationGetAll', '--input', '-'], JSON.stringify(input)),
      call(['RelationGetAll', '--input', file, '--param', 'pageSize=3']),
    ]);
    const count = (run: Run): number => (JSON.parse(run.stdout) as { Relations: unknown[] }).Relations.length;
    assert.deepEqual([count(fromFile), count(fromStdin), count(changed)], [2, 2, 3]);
  });

  it('waits for what comes late on stdin, also where it would not block', () => {
    // A pipe that somebody else made non-blocking, as Node does with its own.
    const late = `(printf '{"userId":'; sleep 0.5; printf '"${userId}"}')`;
    const nonBlocking = `perl -MFcntl -e 'fcntl(STDIN, F_SETFL, O_NONBLOCK) or die; exec @ARGV'`;
    const run = spawnSync(
      'bash',
      ['-c', `${late} | ${nonBlocking} "$@"`, '-', process.execPath, program, ...fromStdin],
      { env: { ...place.env, PATH: process.env['PATH'] }, encoding: 'utf8' },
    );
    assert.deepEqual([run.status, run.stderr], [0, '']);
    assert.equal((JSON.parse(run.stdout) as { NumberOfNotifications: number }).NumberOfNotifications, 30);
  });

  it('stops at Ctrl-C while it waits for stdin', () => {
    const waits = 'timeout --preserve-status --signal INT --kill-after 20 2 "$@" < <(exec sleep 30 2>/dev/null)';
    const run = spawnSync('bash', ['-c', waits, '-', process.execPath, program, ...fromStdin], {
      env: { ...place.env, PATH: process.env['PATH'] },
      encoding: 'utf8',
    });
    assert.deepEqual([run.status, run.stdout], [130, '']);
  });

  it('takes records and lists as JSON', async () => {
    const run = await call([
      'ActivitySearchByField',
      ...['activityEntityTypeId=00000000-0040-4000-8000-000000000011', 'pageNumber=1', 'pageSize=5'].flatMap((text) => [
        '--param',
        text,
      ]),
      '--param',
      'fieldValues=[{"Id":"00000000-0041-4000-8000-000000001102","Value":"00000000-0042-4000-8000-000000002401"}]',
      '--param',
      'includeFields=true',
      '--param',
      'includeCounters=false',
    ]);
    assert.equal(run.code, 0, run.stderr);
    const { Activities } = JSON.parse(run.stdout) as { Activities: { FieldValues: { Items: { Value: string }[] } }[] };
    assert.ok(Activities.length > 0);
    for (const { FieldValues } of Activities) {
      assert.ok(FieldValues.Items.some(({ Value }) => Value === '00000000-0042-4000-8000-000000002401'));
    }
  });

  it('refuses a name that is nearly one of the contract, unless a flag says that it is meant', async () => {
    for (const name of ['RelatonGet', 'RelationGe', 'RelationGett']) {
      const { code, stdout, stderr } = await call([name, '--param', 'a=1', '--envelope']);
      assert.deepEqual([code, stdout], [2, ''], name);
      assert.match(
        stderr,
        /there is no operation .*; nothing was sent.*--read or --write\n.*\n? {2}Try: relctl call RelationGet --param a=1 .*--envelope.*\n/,
      );
      for (const flag of ['--read', '--write']) {
        const meant = await ends(call([name, flag, '--param', 'a=1', '--envelope']), 0);
        assert.ok(meant.stdout.includes(`<${name} xmlns=`));
      }
    }
    assert.equal((await call(['X', '--read', '--write', '--envelope'])).code, 2);
  });

  it('sends nothing for a name that the contract does not know, until a flag says what it does', async () => {
    const server = await brokenServer({ answer: answers(count) });
    const env = { ...place.env, RELCTL_BASE_URL: server.url, RELCTL_NAMESPACE: namespace, RELCTL_API_KEY: userId };
    for (const name of ['Unheard', 'RelatonGet', 'relationget', 'RelationGetEverything']) {
      const refused = await relctl(['call', name, '--param', 'a=1'], { env });
      assert.deepEqual([refused.code, refused.stdout], [2, ''], name);
      assert.match(refused.stderr, /there is no operation .* in the contract; nothing was sent/);
    }
    assert.equal(server.requests.length, 0);
    await relctl(['call', 'Unheard', '--write'], { env });
    assert.equal(server.requests.length, 1);
    await server.close();
  });

  it('names the operation that one which the contract does not know may be meant for', async () => {
    const args = ['--read', '--param', 'a=1', '--envelope', '-o', 'json'];
    const { stderr } = await ends(call(['RelationGot_V', ...args]), 0);
    assert.deepEqual(JSON.parse(stderr), {
      notes: ['RelationGot_V is not in the contract, and relctl sends it unchanged; did you mean RelationGet?'],
    });
    assert.equal((await call(['Unheard', ...args])).stderr, '');
  });

  it('prints with --envelope the bytes that would be sent, but for the secrets', async () => {
    const server = await brokenServer({ answer: answers(count) });
    const env = {
      ...place.env,
      RELCTL_BASE_URL: server.url,
      RELCTL_NAMESPACE: namespace,
      RELCTL_API_KEY: userId,
      RELCTL_SOAP_VERSION: '1.1',
    };
    const args = ['call', 'NotificationGetCount', '--param', `userId=${userId.replace('11', '12')}`];
    const shown = await relctl([...args, '--envelope'], { env });
    assert.equal((await relctl(args, { env })).code, 0);
    await server.close();
    const [sent] = server.requests;
    const masked = (sent?.body.toString() ?? '').replace(`<ApiKey>${userId}`, '<ApiKey>********');
    assert.equal(shown.stdout.slice(shown.stdout.indexOf('\n\n') + 2), `${masked}\n`);
    for (const name of ['content-type', 'soapaction']) {
      assert.ok(shown.stdout.includes(`\n${name}: ${sent?.headers[name] ?? ''}\n`), name);
    }
  });

  it('sends XML of parameters behind the credentials, and a whole envelope as it is', async () => {
    const parameters = `<userId>${userId}</userId>`;
    const elements = await call(['NotificationGetCount', '--input', '-'], parameters);
    assert.match(elements.stdout, /"NumberOfNotifications": 30/);
    const envelope = `<?xml version="1.0"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><s:Body><NotificationGetCount xmlns="http://relctl.example/sandbox"><credentials><ApiKey>00000000-0000-4000-8000-000000000001</ApiKey><DatabaseId xsi:nil="true"/><UserId xsi:nil="true"/></credentials>${parameters}</NotificationGetCount></s:Body></s:Envelope>`;
    const whole = await call(['NotificationGetCount', '--input', '-'], envelope);
    assert.match(whole.stdout, /"NumberOfNotifications": 30/);
  });

  it('prints the answer as it came with --raw-output, also that of a failure', async () => {
    const good = await call(['NotificationGetCount', '--param', `userId=${userId}`, '--raw-output']);
    assert.match(good.stdout, /^<\?xml [^]*<NumberOfNotifications>30<\/NumberOfNotifications>[^]*<\/soap:Envelope>$/);
    await ends(call(['Nonsense', '--raw-output', '--read']), 4, /Nonsense/, /<soap:Fault>/);
  });

  it('sends an operation that no contract knows as it is given, in the order given, with credentials first', async () => {
    const run = await call(argv`RelationCreate --write --envelope --param b=1 --param a=<&> --set soapVersion=1.1`);
    assert.equal(run.code, 0);
    assert.match(run.stdout, /soapaction: "http:\/\/relctl\.example\/sandbox\/RelationCreate"/);
    assert.match(run.stdout, /<\/credentials>\s*<b>1<\/b>\s*<a>&lt;&amp;&gt;<\/a>\s*<\/RelationCreate>/);
    assert.doesNotMatch(run.stdout, /zandbak/);
  });

  it('masks the secrets of an envelope that somebody else wrote', async () => {
    const envelope =
      '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><X><Password>zandbak</Password></X></s:Body></s:Envelope>';
    const run = await ends(call(['X', '--write', '--input', '-', '--envelope'], envelope), 0);
    assert.match(run.stdout, /<Password>\*+<\/Password>/);
  });

  const mistakes: readonly (readonly [args: readonly string[], message: RegExp, input?: string])[] = [
    [['relationgetall'], /there is no operation 'relationgetall'[^]*relctl call RelationGetAll /],
    [['no/name'], /cannot be the name of an operation/],
    [['RelationGetAll', '--param', 'pageNumbr=1'], /no parameter 'pageNumbr'[^]*--param pageNumber=1/],
    [['RelationGetAll', '--param', 'pageNumber'], /--param takes NAME=VALUE/],
    [['RelationGetAll', '--param', 'pageNumber=x'], /--param pageNumber takes a whole number/],
    [
      ['RelationGetAll', '--param', 'pageNumber=1'],
      /pageSize, includeFields, includeCounters are missing\n +Try: [^]* --param includeFields=true /,
    ],
    [
      ['RelationGetMarksModified', '--list', 'RelationshipMarks'],
      /relationId, from, to are missing\n +Try: [^\n]* --param relationId=GUID --param from=TIME --param to=TIME\n/,
    ],
    // What relctl says for each page is not missing.
    [
      ['RelationGetAll', '--list', 'Relations'],
      /Error: includeFields, includeCounters are missing\n +Try: [^\n]* --param includeFields=true --param includeCounters=true\n/,
    ],
    [['NotificationGetCount', '--param', 'userId=7'], /--param userId takes a GUID/],
    [['RelationGetAll', '--input', '-'], /is not JSON/, '{'],
    [['RelationGetAll', '--input', '-'], /one JSON object/, '[]'],
    [
      ['RelationGetAll', '--input', '-'],
      /includeFields must be true or false/,
      '{"pageNumber":1,"pageSize":1,"includeFields":"yes","includeCounters":false}',
    ],
    [['RelationGetAll', '--input', '/nowhere.json'], /cannot be read: there is no such file/],
    [['RelationGetAll', '--input', '-'], /the XML cannot be sent/, '<a>'],
    [['RelationGetAll', '--input', '-'], /the XML cannot be sent/, '<!DOCTYPE a><a/>'],
    [
      ['RelationGetAll', '--input', '-', '--param', 'pageNumber=1'],
      /--input with XML and --param cannot be used together/,
      '<a/>',
    ],
    [['X', '--read', '-o', 'csv', '--envelope', '--param', 'a b=1'], /not a valid element name/],
  ];
  for (const [args, message, input = ''] of mistakes) {
    it(`refuses, before anything is sent: call ${args.join(' ')} ${input}`, async () => {
      const trace = join(place.folder, 'trace');
      writeFileSync(trace, '');
      await ends(call([...args, `--trace=${trace}`], input), 2, message, '');
      assert.equal(readFileSync(trace, 'utf8'), '');
    });
  }
});
