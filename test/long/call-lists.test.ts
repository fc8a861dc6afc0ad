import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveSandbox } from '../../src/sandbox/http/serve.js';
import type { RecordValue } from '../../src/core/values/value.js';
import type { RunningServer } from '../../src/sandbox/http/server.js';
import { ends, home, relctl, type Home, type Run } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { broken, contacts, deployment, events } from '../support/sandbox/deployed.js';
import { temporarySandbox } from '../support/sandbox/temporary.js';
import { valuesOf } from '../support/thrown.js';

/** A service that offers operations that the contract lacks, and a profile for it. */
describe('call --list', () => {
  let here: Home;
  let server: RunningServer;
  let close: () => void;
  const deployed = deployment();
  const { calls } = deployed;
  const run = (...args: readonly string[]): Promise<Run> => relctl(args, { env: here.env });
  const done = async (...args: readonly string[]): Promise<string> => {
    return (await ends(run(...args), 0)).stdout;
  };
  const read = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse(await done('call', ...args, '-o', 'json'));
  const refused = async (message: RegExp, ...args: readonly string[]): Promise<string> => {
    const before = calls.length;
    const { stderr } = await ends(run('call', ...args), 2, message, '');
    assert.equal(calls.length, before);
    return stderr;
  };
  const file = (name: string): string => join(here.folder, name);

  before(async () => {
    here = home();
    const sandbox = await temporarySandbox(30);
    server = await serveSandbox({ ...sandbox, more: deployed.more });
    close = () => sandbox.close();
    Object.assign(here.env, {
      RELCTL_BASE_URL: server.url,
      RELCTL_NAMESPACE: sandbox.namespace,
      RELCTL_API_KEY: '00000000-0000-4000-8000-000000000001',
      RELCTL_DATABASE_ID: '00000000-0000-4000-8000-000000000002',
      RELCTL_USER_NAME: 'sandbox',
      RELCTL_PASSWORD: 'zandbak',
      RELCTL_FIRST_PAGE: '1',
      RELCTL_TIME_ZONE: 'UTC',
    });
    await done('operations', 'import', '--reads', '*Get*', '--reads', 'ContactAsk');
  });
  afterEach(() => {
    deployed.onCall = () => undefined;
    calls.length = 0;
  });
  after(async () => {
    await server.close();
    close();
    here.remove();
  });

  describe('of an operation that only the service has', () => {
    it('is described as those of the contract are', async () => {
      const text = await done('operations', 'ContactGetAll');
      assert.match(text, /^ContactGetAll \(read\)/);
      assert.match(text, / {2}Page {2,}DeployedContactPage {2}Opt/);
      assert.match(text, / {2}Contacts {2}list of DeployedContact {2}Opt/);
      assert.match(text, / {2}Number {5}long {2,}Req/);
    });

    it('is a call as those of the contract are', async () => {
      const one = await read('ContactGetAll', '--param', 'pageNumber=3', '--param', 'pageSize=20');
      assert.deepEqual(one, { Page: { Total: 57, Contacts: contacts.slice(40).map(sent) } });
    });

    it('is read to its end, each record as it is', async () => {
      assert.deepEqual(await read('ContactGetAll', '--list', 'Page.Contacts'), contacts.map(sent));
      assert.deepEqual(calls.map(({ input }) => [input['pageNumber'], input['pageSize']]).slice(0, 2), [
        [1, 1000],
        [2, 20],
      ]);
    });

    it('is found by the end of its path, in any case of letters', async () => {
      assert.equal(await done('call', 'ContactGetAll', '--list', 'contacts', '--count'), '57\n');
    });

    it('takes columns, filters, an order and a limit', async () => {
      const csv = await done(
        ...['call', 'ContactGetAll', '--list', 'Contacts', '-o', 'csv', '--columns', 'Nr=Number,Name,Address.City'],
        ...['--where', "Address.City = 'Zürich' and IsActive", '--sort', 'Number:desc', '--limit', '2'],
      );
      assert.equal(
        csv,
        'Nr,Name,Address.City\r\n9007199254741049,"Name; ""56"" & =1+56",Zürich\r\n9007199254741045,"Name; ""52"" & =1+52",Zürich\r\n'.replaceAll(
          '\r\n',
          csv.includes('\r\n') ? '\r\n' : '\n',
        ),
      );
    });

    it('has its columns told', async () => {
      const columns = await done('call', 'ContactGetAll', '--list', 'Contacts', '--columns', 'help', '-o', 'csv');
      assert.ok(columns.includes('Address.City,string,,'), columns);
      assert.ok(columns.includes('_change'), columns);
      const whole = await done('call', 'ContactGetAll', '--columns', 'help', '-o', 'csv');
      assert.ok(whole.includes('Page.Total,int,,'), whole);
      assert.ok(!whole.includes('_change'), whole);
    });

    it('is completed: its name, its parameters, its lists and those of pages', async () => {
      const offered = async (line: string): Promise<readonly string[]> =>
        (await done('autocomplete', 'fish', `--line=relctl call ${line}`))
          .trim()
          .split('\n')
          .slice(1)
          .map((each) => each.split('\t')[0] ?? '');
      assert.ok((await offered('Contact')).includes('ContactGetAll'));
      assert.deepEqual(await offered('ContactGetAll --param '), ['pageNumber=', 'pageSize=', 'city=']);
      assert.deepEqual(await offered('ContactGetAll --list '), ['Page.Contacts']);
      assert.deepEqual(await offered('ContactAsk --page-params '), ['Request.Page', 'Request.Rows', 'none']);
      assert.deepEqual(await offered('ContactAsk --page-params Request.Page,'), [
        'Request.Page,Request.Rows',
        'Request.Page,none',
      ]);
    });

    it('is exported, and an export that stopped is resumed: the file is the same as one that did not', async () => {
      const line = argv`call ContactGetAll --list Contacts --set pageSize=20 -o csv --output-file`;
      await done(...line, file('whole.csv'));
      deployed.onCall = (_, { pageNumber }) => (pageNumber === 3 ? broken() : undefined);
      await ends(run(...line, file('part.csv'), '--set', 'retries=0'), 8, /stopped short at page 3 after 40 rows/);
      assert.equal(existsSync(file('part.csv')), false);
      deployed.onCall = () => undefined;
      calls.length = 0;
      await done(...line, file('part.csv'), '--resume');
      assert.equal(calls[0]?.input['pageNumber'], 2);
      const text = readFileSync(file('part.csv'), 'utf8');
      assert.equal(text, readFileSync(file('whole.csv'), 'utf8'));
      assert.equal(text.match(/0000c0de-/g)?.length, 57);
    });

    it('is to the byte that of records that are kept, on stdout and in files, by Id or a key of its own', async () => {
      const period = ['--param', 'from=2024-01-01T00:00:00Z', '--param', 'to=2024-01-20T00:00:00Z'];
      const lists: readonly (readonly string[])[] = [
        ['ContactGetAll', '--list', 'Page.Contacts'],
        ['ContactGetAll', '--list', 'Page.Contacts', '--key', 'Number'],
        // Some have no name.
        ['ContactGetAll', '--list', 'Page.Contacts', '--key', 'Name'],
        ['ContactGetModified', '--list', 'Contacts', ...period],
        ['EventGetPage', '--list', 'Events'],
        ['EventGetPage', '--list', 'Events', '--key', 'Code'],
        ['ContactGetFrom', '--list', 'Contacts', '--page-params', 'none', '--param', 'offset=2'],
        ['GapGetAll', '--list', 'Contacts'],
      ];
      const stylesWith = (some: string): readonly (readonly string[])[] => [
        ['-o', 'csv'],
        ['-o', 'json', '--limit', '7'],
        ['-o', 'ndjson', '--where', some],
        ['-o', 'table'],
        ['-o', 'yaml'],
        ['-o', 'tsv'],
        ['--count'],
        ['--count', '--where', some],
      ];
      for (const line of lists)
        for (const style of stylesWith(line.includes('Events') ? 'Count > 3' : 'IsActive')) {
          const trace = [`--trace=${file('trace')}`];
          const made = await run('call', ...line, ...style);
          const traced = await run('call', ...line, ...style, ...trace);
          // The hint repeats the flags.
          const stderr = traced.stderr.replace(`${trace.join('')} `, '');
          assert.deepEqual(made, { ...traced, stderr }, [...line, ...style].join(' '));
          assert.equal(made.code, line[0] === 'GapGetAll' ? 7 : 0, made.stderr);
          if (style[0] === '--count' || style[1] === 'table' || made.code !== 0) continue;
          const bytesOf = async (name: string, ...more: readonly string[]): Promise<string> => {
            await done('call', ...line, ...style, '--output-file', file(name), '--force', ...more);
            return readFileSync(file(name), 'utf8');
          };
          const kept = await bytesOf('kept', ...trace);
          assert.equal(await bytesOf('made'), kept, [...line, ...style].join(' '));
          // Only lists of pages are read again, until none of their records comes twice.
          if (line.includes('none') || line.includes('Code')) continue;
          assert.equal(await bytesOf('agreed', '--consistent'), kept, [...line, ...style].join(' '));
        }
    });

    it('is not resumed as another list, or with other parameters', async () => {
      const line = argv`call ContactGetAll --list Contacts --set pageSize=20 -o csv --set retries=0`;
      deployed.onCall = (_, { pageNumber }) => (pageNumber === 2 ? broken() : undefined);
      await run(...line, '--output-file', file('other.csv'));
      deployed.onCall = () => undefined;
      const { code, stderr } = await run(...line, '--output-file', file('other.csv'), '--resume', '--param', 'city=X');
      assert.equal(code, 2);
      assert.match(stderr, /parameters was/);
    });

    it('is a job of export run', async () => {
      writeFileSync(
        file('jobs.yaml'),
        [
          'version: 1',
          'jobs:',
          '  contacts:',
          '    command: call',
          '    args: ContactGetAll',
          '    flags: { list: Contacts, param: { city: Any }, where: IsActive }',
          '    columns: [Number]',
          '    output-file: contacts.csv',
          '  tags: { command: call, args: TagGetAll, flags: { list: Tags }, output-file: tags.json }',
        ].join('\n'),
      );
      await done('export', 'run', file('jobs.yaml'));
      const rows = readFileSync(file('contacts.csv'), 'utf8').trim().split(/\r?\n/);
      assert.deepEqual(rows, [
        'Number',
        ...contacts.filter(({ IsActive }) => IsActive === true).map(({ Number: number }) => number),
      ]);
      assert.deepEqual(JSON.parse(readFileSync(file('tags.json'), 'utf8')), [
        { Value: 'b' },
        { Value: 'a' },
        { Value: '01' },
      ]);
      // A page that the list before asked for ahead may still come.
      assert.ok(calls.some(({ name, input }) => name === 'ContactGetAll' && input['city'] === 'Any'));
    });
  });

  it('prints what commands of the contract print', async () => {
    const given = ['--param', 'includeFields=false', '--param', 'includeCounters=false'];
    for (const format of ['csv', 'ndjson', 'yaml', 'tsv']) {
      const [own, other] = [
        await done('relation', 'list', '-o', format),
        await done('call', 'RelationGetAll', '--list', 'Relations', ...given, '-o', format),
      ];
      assert.equal(other, own);
    }
  });

  it('prints items that are no records in a column Value', async () => {
    assert.deepEqual(await read('TagGetAll', '--list', 'Tags'), [{ Value: 'b' }, { Value: 'a' }, { Value: '01' }]);
    assert.equal(
      (await done('call', 'TagGetAll', '--list', 'Tags', '-o', 'csv', '--sort', 'Value')).replaceAll('\r', ''),
      'Value\n01\na\nb\n',
    );
  });

  it('refuses a list with a nil record, writes nothing of it, and says what prints it', async () => {
    for (const line of [['-o', 'json'], ['--output-file', file('gap.csv')], ['--count']]) {
      const { code, stdout, stderr } = await run('call', 'GapGetAll', '--list', 'Contacts', ...line);
      assert.deepEqual([code, stdout], [7, '']);
      assert.match(stderr, /the answer has <Contacts> whose item 3 is nil: relctl cannot print it as a row/);
      assert.match(
        stderr,
        /To print the whole answer, with null for such an item, use `relctl call OPERATION` without --list/,
      );
    }
    assert.equal(existsSync(file('gap.csv')), false);
    const whole = (await read('GapGetAll')) as { readonly Contacts: readonly unknown[] };
    assert.deepEqual(whole.Contacts, [...contacts.slice(0, 2).map(sent), null, ...contacts.slice(2, 3).map(sent)]);
  });

  it('finds the parameters of a page within a record, and sends them in their types', async () => {
    assert.equal(
      await done(...argv`call ContactAsk --list Contacts --count --page-params ,request.rows --set pageSize=20`),
      '57\n',
    );
    assert.deepEqual(calls[0]?.input, { Request: { Page: '1', Rows: 20 } });
  });

  it('reads pages whose size the service decides, and records without an Id, alike ones too', async () => {
    assert.deepEqual(await read('EventGetPage', '--list', 'Events'), events);
    assert.deepEqual(
      valuesOf(calls, 'input'),
      [1, 2, 3, 4, 5].map((page) => ({ page })),
    );
  });

  it('notices a first page that was passed over, of records without an Id too', async () => {
    const env: NodeJS.ProcessEnv = { ...here.env, RELCTL_FIRST_PAGE: '2' };
    delete env['RELCTL_FIRST_PAGE'];
    // Pages of the deployment begin at 1: the one before them is empty, and nothing is missed.
    assert.equal((await relctl(['call', 'EventGetPage', '--list', 'Events', '--count'], { env })).stdout, '11\n');
    const zero = deployment();
    const other = await temporarySandbox(30);
    const shifted = new Map(
      [...zero.more].map(([name, { operation, handler }]) => [
        name,
        {
          operation,
          handler: (input: Parameters<typeof handler>[0]) => handler({ ...input, page: Number(input['page']) + 1 }),
        },
      ]),
    );
    const from0 = await serveSandbox({ ...other, more: shifted });
    try {
      const elsewhere = { ...env, RELCTL_BASE_URL: from0.url };
      await relctl(['operations', 'import', '--reads', '*Get*'], { env: elsewhere });
      const { code, stderr } = await relctl(['call', 'EventGetPage', '--list', 'Events', '--count'], {
        env: elsewhere,
      });
      assert.equal(code, 7, stderr);
      assert.match(stderr, /numbers pages from 0/);
      const told = { ...elsewhere, RELCTL_FIRST_PAGE: '0' };
      assert.equal(
        (await relctl(['call', 'EventGetPage', '--list', 'Events', '--count'], { env: told })).stdout,
        '11\n',
      );
    } finally {
      await from0.close();
      other.close();
      await done('operations', 'import', '--reads', '*Get*', '--reads', 'ContactAsk');
    }
  });

  it('takes times of a period as other commands do', async () => {
    const line = ['call', 'ContactGetModified', '--list', 'Contacts', '--count', '--param', 'FROM=2024-01-05T00:00Z'];
    assert.equal(
      await done(...line, '--param', 'to=2024-01-06T00:00Z'),
      `${contacts.filter(({ ChangedAt }) => ChangedAt === '2024-01-05T12:00:00Z').length}\n`,
    );
    await refused(/is after --param to/, ...line.slice(1), '--param', 'to=2023-01-01');
  });

  it('tells changes of a list without a period', async () => {
    const line = argv`call ContactGetAll --list Contacts --changes-since all -o csv --columns Number`;
    assert.equal((await done(...line)).trim().split(/\r?\n/).length, 58);
    assert.equal((await done(...line)).trim(), '_change,Number');
    await refused(/have no member Id/, 'EventGetPage', '--list', 'Events', '--changes-since', 'events');
    const keyed = await done(...argv`call EventGetPage --list Events --key code --changes-since events -o csv`);
    assert.equal(keyed.trim().split(/\r?\n/).length, 11);
  });

  it('shows its first request with --envelope, and sends nothing', async () => {
    const envelope = await done('call', 'ContactGetAll', '--list', 'Contacts', '--envelope');
    assert.match(envelope, /<pageNumber>1<\/pageNumber>\s*<pageSize>1000<\/pageSize>/);
    assert.equal(calls.length, 0);
  });

  for (const [what, message, args] of [
    [
      'a member that is a record',
      /ContactGetAll has no list 'Page'; its list is Page\.Contacts/,
      ['ContactGetAll', '--list', 'Page'],
    ],
    [
      'a member that is one value',
      /ContactGetAll has no list 'page\.total'; its list is Page\.Contacts/,
      ['ContactGetAll', '--list', 'page.total'],
    ],
    ['a name that is near', /has no list 'Contcts'.*--list Page\.Contacts/s, ['ContactGetAll', '--list', 'Contcts']],
    ['a list within items', /--list Page\.Contacts/, ['ContactGetAll', '--list', 'Page.Contacts.Tags']],
    ['an operation without lists', /ContactTouch returns no list/, ['ContactTouch', '--read', '--list', 'Info']],
    ['an operation that may write', /counts as a write.*--read/s, ['ContactTouch', '--list', 'Info']],
    ['an operation that writes', /ActivityUpdate writes/, ['ActivityUpdate', '--list', 'x', '--read']],
    [
      'an operation that nobody knows',
      /the answers of Other are not described.*operations import/s,
      ['Other', '--read', '--list', 'x'],
    ],
    [
      'an operation that pages by rows',
      /takes offset, and no parameter .*--page-params none/s,
      ['ContactGetFrom', '--list', 'Contacts'],
    ],
    [
      'a page that is a parameter',
      /--list sets pageNumber of ContactGetAll itself/s,
      ['ContactGetAll', '--list', 'Contacts', '--param', 'pageNumber=2'],
    ],
    [
      'a second reading of a list without pages',
      /TagGetAll returns its whole list/,
      ['TagGetAll', '--list', 'Tags', '--consistent', '--output-file', 'tags.csv'],
    ],
    [
      'three parameters of a page',
      /--page-params takes two parameters/,
      ['ContactGetAll', '--list', 'Contacts', '--page-params', 'a,b,c'],
    ],
    [
      'changes of rows that leave members out',
      /rows of ActivitySearchByField omit members.*Try: relctl relation activities ID --from -2d/s,
      ['ActivitySearchByField', '--list', 'Activities', '--changes-since', 'x'],
    ],
    [
      'changes of marks, whose rows do so too',
      /rows of RelationGetMarksModified omit members.*Try: relctl relation marks ID --from -2d/s,
      ['RelationGetMarksModified', '--list', 'RelationshipMarks', '--changes-since', 'x'],
    ],
    [
      'a page parameter that is not there',
      /no parameter 'nr' that is a number; the numeric parameters are pageNumber, pageSize/,
      ['ContactGetAll', '--list', 'Contacts', '--page-params', 'nr'],
    ],
    [
      'a page parameter of words',
      /ContactAsk has no parameter .Request. that is a number/,
      ['ContactAsk', '--list', 'Contacts', '--page-params', 'Request'],
    ],
    [
      'rows of a file',
      /--file FILE writes rows.*--param from=TIME/s,
      ['ContactGetAll', '--list', 'Contacts', '--file', 'x.csv'],
    ],
    ['flags of lists without --list', /--limit needs --list/, ['ContactGetAll', '--limit', '5']],
    ['a key that is a record', /no text or number/, ['ContactGetAll', '--list', 'Contacts', '--key', 'Address']],
    [
      'a column that is not there',
      /no column 'Nme'.*--columns Name/s,
      ['ContactGetAll', '--list', 'Contacts', '--columns', 'Nme'],
    ],
  ] as const) {
    it(`refuses ${what}, before anything is called`, async () => {
      assert.match(await refused(message, ...args), /Try: relctl /);
    });
  }

  it('reads one answer where --page-params none says that it has all', async () => {
    const line = argv`call ContactGetFrom --list Contacts --page-params none --param offset=50 --count`;
    assert.equal(await done(...line), '7\n');
  });
});

/** A record as the sandbox sends it: a nested list without items is nil. */
const sent = (record: RecordValue): RecordValue => ({
  ...record,
  Tags: Array.isArray(record['Tags']) && record['Tags'].length === 0 ? null : (record['Tags'] ?? null),
});
