import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { httpAnswer, type Reaction } from '../../support/broken-server.js';
import { answerOf, called, type Called } from '../../support/called.js';
import { ends, home } from '../../support/relctl.js';
import { envelope } from '../../support/soap-answers.js';
import { valuesOf } from '../../support/thrown.js';

const id = '00000000-0000-4000-8000-000000000011';
const line = `<ProductLineData><Id>${id}</Id><Quantity>2.50</Quantity></ProductLineData>`;
const lineFlags = ['--product', id, '--quantity', '1', '--amount', '1', '--purchase-amount', '1', '--vat', id];
const subscribe = ['subscription', 'add-line', id, ...lineFlags, '--period', '12'];
const counting = ['notification', 'count', '--user', id];
const marks = ['relation', 'marks', id];

/** Every way to answer without anything: no result, one that is nil, an empty one. */
const nothings = (operation: string): readonly (readonly [string, { readonly instead: string }])[] => [
  ['no result', { instead: '' }],
  [
    'a nil result',
    { instead: `<${operation}Result xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true" />` },
  ],
  ['an empty result', { instead: `<${operation}Result />` }],
];

describe('An answer', () => {
  it('has no record where attributes stand in its place', async () => {
    for (const content of [
      '<Relation status="gone"/>',
      '<Relation i:nil="true" xmlns:i="http://www.w3.org/2001/XMLSchema-instance" x="1"/>',
    ]) {
      await ends(called(answerOf('RelationGet', content), ['relation', 'get', id]), 5, /there is no such relation/);
    }
  });

  describe('with something beside its record', () => {
    const activity = `<ActivityData><Id>${id}</Id><Info>Gold</Info><FollowUp><Start>2026-01-31T09:30:00</Start></FollowUp></ActivityData>`;
    const answer = answerOf('SubscriptionAddProductLine', line + activity);

    it('shows the activity of a subscription in every format', async () => {
      const shown = async (format: string): Promise<string> => {
        return (await ends(called(answer, [...subscribe, '-o', format]), 0)).stdout;
      };
      const [json, yaml, csv, card] = await Promise.all(['json', 'yaml', 'csv', 'card'].map(shown));
      const ActivityData = { Id: id, Info: 'Gold', FollowUp: { Start: '2026-01-31T09:30:00' } };
      assert.deepEqual(JSON.parse(json ?? ''), { Id: id, Quantity: '2.50', ActivityData });
      assert.match(yaml ?? '', /ActivityData:\n {2}Id: .*\n {2}Info: Gold\n/);
      const [header, row] = (csv ?? '').split('\n').map((text) => text.split(','));
      const cell = (name: string): string | undefined => row?.[header?.indexOf(name) ?? -1];
      assert.deepEqual(
        [cell('ActivityData.Info'), cell('ActivityData.FollowUp.Start')],
        ['Gold', '2026-01-31T09:30:00'],
      );
      assert.match(card ?? '', /ActivityData\.Info\s+Gold\n/);
    });

    it('shows the relation of marks with each of them, also with --ids', async () => {
      const relation = `<Relation><Id>${id}</Id><DisplayName>Jan</DisplayName></Relation>`;
      const mark = (last: number): string =>
        `<PvRelationshipMarkData><Id>00000000-0000-4000-8000-00000000000${last}</Id></PvRelationshipMarkData>`;
      const list = `<RelationshipMarks>${mark(1)}${mark(2)}</RelationshipMarks>`;
      const answered = answerOf('RelationGetMarksModified', relation + list);
      const [one, many] = await Promise.all([
        called(answered, [...marks, '-o', 'csv', '--columns', 'Id,Relation.Id,Relation.DisplayName']),
        called(answered, ['relation', 'marks', '--ids', '-', '-o', 'json'], { input: id }),
      ]);
      const rows = [1, 2].map((last) => `00000000-0000-4000-8000-00000000000${last},${id},Jan`);
      assert.equal(one.stdout, ['Id,Relation.Id,Relation.DisplayName', ...rows, ''].join('\n'));
      const Relation = { Id: id, DisplayName: 'Jan' };
      const shown = JSON.parse(many.stdout) as { Relation: unknown }[];
      assert.deepEqual(valuesOf(shown, 'Relation'), [Relation, Relation]);
    });
  });

  describe('with something beside an empty list', () => {
    const relation = `<Relation><Id>${id}</Id><DisplayName>Piet&#x1B;[31m</DisplayName><Extra>1</Extra></Relation>`;
    const answer = answerOf('RelationGetMarksModified', `${relation}<RelationshipMarks/>`);
    const said = `Relation is not in the output, because the list has no rows: 'Id ${id}, DisplayName Piet\\u001B[31m'`;

    for (const format of ['table', 'card', 'csv', 'tsv', 'yaml']) {
      it(`tells it in a note: ${format}`, async () => {
        const { stderr } = await ends(called(answer, [...marks, '-o', format]), 0);
        assert.ok(stderr.split('\n').includes(`Note: ${said}`), stderr);
      });
    }

    it('tells it within the one object of stderr with -o json and ndjson, and to a file', async () => {
      for (const [format, none] of [
        ['json', '[]\n'],
        ['ndjson', ''],
      ] as const) {
        const { code, stdout, stderr } = await called(answer, [...marks, '-o', format]);
        assert.deepEqual([code, stdout], [0, none]);
        assert.ok((JSON.parse(stderr) as { notes: string[] }).notes.includes(said), stderr);
      }
      const own = home();
      const file = await called(answer, [...marks, '--output-file', join(own.folder, 'marks.csv')]);
      own.remove();
      assert.deepEqual([file.code, file.stderr.split('\n').includes(`Note: ${said}`)], [0, true], file.stderr);
    });

    it('tells nothing with --quiet, and nothing of a list with rows', async () => {
      await ends(called(answer, [...marks, '-q']), 0, '');
      const row = `<RelationshipMarks><PvRelationshipMarkData><Id>${id}</Id></PvRelationshipMarkData></RelationshipMarks>`;
      const rows = await called(answerOf('RelationGetMarksModified', relation + row), [...marks, '-o', 'csv']);
      assert.doesNotMatch(rows.stderr, /has no rows/);
    });

    it('tells it of each of the first ten of --ids, and counts the others', async () => {
      const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
      const each: Reaction = (socket, { body }) => {
        const asked = /<relationId>(.*)<\/relationId>/.exec(body.toString('utf8'))?.[1] ?? '';
        const one = `<Relation><Id>${asked}</Id></Relation><RelationshipMarks/>`;
        socket.write(httpAnswer(answerOf('RelationGetMarksModified', one)));
      };
      const input = Array.from({ length: 13 }, (_, index) => idOf(index + 1)).join('\n');
      const { stderr } = await ends(called(each, ['relation', 'marks', '--ids', '-', '-o', 'csv'], { input }), 0);
      const notes = stderr.split('\n').filter((text) => text.includes('has no rows'));
      assert.equal(new Set(notes.slice(0, 10).map((text) => /'Id (.*)'$/.exec(text)?.[1])).size, 10);
      assert.deepEqual(notes.slice(10), [
        'Note: Relation is not in the output, because the list has no rows (3 times)',
      ]);
    });
  });

  describe('of a call that succeeded', () => {
    const success = (more: string): string =>
      `<Result><Succeeded>true</Succeeded>${more}</Result><NumberOfNotifications>7</NumberOfNotifications>`;
    const notesOf = async (more: string): Promise<string> => {
      const { stdout, stderr } = await ends(called(answerOf('NotificationGetCount', success(more)), counting), 0);
      assert.match(stdout, /NumberOfNotifications\s+7/);
      return stderr;
    };

    it('tells the number, code and description that it comes with', async () => {
      const told = await notesOf('<Number>12</Number><Code>Late</Code><Description>Counted yesterday.</Description>');
      assert.equal(told, "Note: Result of the call, which succeeded, says: 'Number 12, Late, Counted yesterday.'\n");
    });

    it('tells nothing of them when they say no more than that it did', async () => {
      assert.equal(await notesOf('<Number>0</Number><Code>OK</Code><Description />'), '');
    });

    it('masks secrets in them', async () => {
      const told = await notesOf(
        '<Number>0</Number><Description>key 7d9f4c1e-3a52-4b8e-9c06-5f1d2e8a7b34</Description>',
      );
      assert.match(told, /says: 'key \*{8}'/);
    });
  });

  describe('without its count', () => {
    for (const [title, content] of [
      ...nothings('NotificationGetCount'),
      ['a result without it', '<Result><Succeeded>true</Succeeded><Number>0</Number></Result>'],
      ['a nil one', '<NumberOfNotifications xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>'],
      ['one that is no number', '<NumberOfNotifications>many</NumberOfNotifications>'],
    ] as const) {
      it(`is exit code 7: ${title}`, async () => {
        const run = await called(answerOf('NotificationGetCount', content), [...counting, '-o', 'json']);
        assert.deepEqual([run.code, run.stdout], [7, ''], run.stderr);
        assert.match(String(run.error()['message']), /the answer has no NumberOfNotifications/);
      });
    }
  });

  describe('to an add without what was made', () => {
    const adds: readonly (readonly [operation: string, member: string, args: readonly string[], about: RegExp])[] = [
      ['SubscriptionAddProductLine', 'ProductLineData', subscribe, /subscription 0/],
      ['ActivityAddProductLine', 'ProductLineData', ['activity', 'add-line', id, ...lineFlags], /activity 0/],
      ['ActivityAddAttachment', 'Attachment', ['activity', 'attach', id, process.execPath], /activity 0/],
    ];
    for (const [operation, member, args, about] of adds) {
      const nil = `<${member} xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>`;
      const forms = [
        ...nothings(operation),
        ['a nil record', nil],
        ['text in its place', `<${member}>done</${member}>`],
        ['another member', '<Made>yes</Made>'],
      ] as const;
      it(`is exit code 9 and names what to look at: ${operation}`, async () => {
        for (const [title, content] of forms) {
          // A file of this size would take long to send.
          const given = args.includes(process.execPath) ? [...args.slice(0, 3), '-', '--name', 'x.txt'] : args;
          const run = await called(answerOf(operation, content), [...given, '-o', 'json'], { input: 'x' });
          assert.deepEqual([run.code, run.stdout], [9, ''], `${title}: ${run.stderr}`);
          assert.equal(run.error()['kind'], 'outcome-unknown');
          assert.match(`${String(run.error()['advice'])} ${String(run.error()['hint'])}`, about);
          assert.equal(run.requests.length, 1);
        }
      });
    }

    it('is exit code 9 with call as well', async () => {
      const call = ['call', 'ActivityAddAttachment', '--param', `activityId=${id}`, '--param', 'fileName=a'];
      const run = await called(answerOf('ActivityAddAttachment', ''), [...call, '-o', 'json']);
      assert.deepEqual([run.code, run.stdout], [9, ''], run.stderr);
    });
  });

  describe('that brings nothing', () => {
    const reads: readonly (readonly [operation: string, args: readonly string[]])[] = [
      ['RelationGet', ['relation', 'get', id]],
      ['AttachmentGet', ['attachment', 'get', id]],
      ['RelationGetMarksModified', marks],
    ];
    for (const [operation, args] of reads) {
      it(`says that the record is not there: ${operation}`, async () => {
        for (const [, content] of nothings(operation)) {
          await ends(called(answerOf(operation, content), args), 5, /there is no /);
        }
      });
    }

    it('is done where nothing is to come', async () => {
      const flags =
        'IsDivisible,IsSalesPriceInclusiveVat,IsInactive,AllowChangePrice,AllowChangeDescription,AllowChangeVat,AutoEnableEdit';
      const productData = {
        ...{ Id: id, ProductGroupId: id, SalesVatId: id, ProductType: 'Product', Unit: 1 },
        ...{ SalesPrice: '1', PurchasePrice: '1' },
        ...Object.fromEntries(flags.split(',').map((name) => [name, false])),
      };
      for (const [title, content] of nothings('ProductUpdate_V2')) {
        const call = ['call', 'ProductUpdate_V2', '--param', `productData=${JSON.stringify(productData)}`];
        const run = await called(answerOf('ProductUpdate_V2', content), call);
        assert.deepEqual([run.code, run.stdout], [0, '{}\n'], `${title}: ${run.stderr}`);
      }
    });
  });

  describe('that holds something in the place of its record', () => {
    const reads: readonly (readonly [operation: string, content: string, args: readonly string[], words: RegExp])[] = [
      ['AttachmentGet', `<File><Id>${id}</Id></File>`, ['attachment', 'get', id], /no Attachment but File/],
      ['AttachmentGet', '<File>x</File>', ['attachment', 'get', id, '--output-file', '/tmp/relctl-none'], /but File/],
      ['AttachmentGet', '<Attachment><Blob>x</Blob></Attachment>', ['attachment', 'get', id], /Attachment\.Blob/],
      ['RelationGet', '<Person><Id>1</Id></Person>', ['relation', 'get', id], /no Relation but Person/],
      ['RelationGet', 'Jan', ['relation', 'get', id], /no Relation but/],
      ['RelationGet', '<Relation>Jan</Relation>', ['relation', 'get', id], /no Relation but/],
      ['RelationGetMarksModified', '<Person>Jan</Person>', marks, /no Relation but Person/],
    ];
    for (const [operation, content, args, words] of reads) {
      it(`is exit code 7, for nobody can say that it is not there: ${operation} ${content}`, async () => {
        const run = await ends(called(answerOf(operation, content), [...args, '-o', 'json']), 7);
        assert.match(String(run.error()['message']), words);
        assert.match(String(run.error()['hint']), / --trace$/);
        assert.ok(!existsSync('/tmp/relctl-none'));
      });
    }
  });

  describe('with an attachment', () => {
    const own = home();
    after(() => own.remove());
    const named = `<Id>${id}</Id><FileName>a.txt</FileName>`;
    const file = join(own.folder, 'file');
    const ways = [['--output-file', file], ['--output-dir', own.folder], ['--output-file', '-'], [], ['-o', 'json']];
    const get = (content: string, way: readonly string[]): Promise<Called> =>
      called(answerOf('AttachmentGet', content), ['attachment', 'get', id, ...way]);
    const reasons: readonly (readonly [title: string, inside: string, beside: string, but: string])[] = [
      ['nowhere', '', '', ''],
      ['under another name', '<Blob>eA==</Blob><Zip/>', '', ' but Attachment.Blob, Attachment.Zip'],
      ['beside it', '', '<Base64EncodedFile>eA==</Base64EncodedFile>', ' but Base64EncodedFile'],
    ];
    for (const [title, inside, beside, but] of reasons) {
      it(`whose content stands ${title} is exit code 7, and no file`, async () => {
        const end = but === '' ? '' : ', which the contract does not know';
        const missing = 'the answer has no content of the file: the answer has no Attachment.Base64EncodedFile';
        for (const way of ways) {
          const { code, stdout, stderr } = await get(`<Attachment>${named}${inside}</Attachment>${beside}`, way);
          assert.deepEqual([code, stdout, readdirSync(own.folder).includes('a.txt')], [7, '', false], stderr);
          assert.ok(!existsSync(file));
          if (way.includes('json')) assert.match(stderr, /"kind":"bad-answer".*"code":"missing-field"/);
          else assert.equal(stderr.split('\n')[0], `Error: ${missing}${but}${end}`);
        }
      });
    }

    it('whose content holds an element is exit code 7, in every way', async () => {
      const content = `<Attachment>${named}<Base64EncodedFile>aGVs<b>x</b></Base64EncodedFile></Attachment>`;
      for (const way of ways) {
        await ends(get(content, way), 7, /Attachment\.Base64EncodedFile holds an element/, '');
      }
    });

    for (const content of [
      '<Base64EncodedFile/>',
      '<Base64EncodedFile xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>',
    ]) {
      it(`whose content is there without text is an empty file: ${content}`, async () => {
        const answer = `<Attachment>${named}${content}</Attachment>`;
        for (const way of ways) assert.equal((await get(answer, way)).code, 0, way.join(' '));
        for (const name of ['file', 'a.txt']) assert.equal(readFileSync(join(own.folder, name), 'utf8'), '');
        assert.equal((await get(answer, ['--output-file', '-'])).stdout, '');
        for (const name of ['file', 'a.txt']) rmSync(join(own.folder, name));
      });
    }
  });

  describe('that is a fault', () => {
    const tree = '<Problem xmlns="" code="7"><Field name="Amount">too high</Field><Field name="Vat"/></Problem>';
    const eleven = `<soap:Fault><faultcode>soap:Server</faultcode><faultstring>No.</faultstring><detail>${tree}</detail></soap:Fault>`;
    const twelve = `<soap:Fault><soap:Code><soap:Value>soap:Receiver</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="en">No.</soap:Text></soap:Reason><detail>${tree}</detail></soap:Fault>`;
    const failing = (version: '1.1' | '1.2', ...more: string[]): Promise<Called> =>
      called(envelope(version, version === '1.1' ? eleven : twelve, 500), [...counting, ...more]);

    for (const version of ['1.1', '1.2'] as const) {
      it(`keeps the tree of its detail in SOAP ${version}, in JSON and in text`, async () => {
        const json = await ends(failing(version, '-o', 'json'), 4);
        const Field = [{ '@name': 'Amount', '#text': 'too high' }, { '@name': 'Vat' }];
        assert.deepEqual(json.error()['data'], { detail: { Problem: { '@code': '7', Field } } });
        const text = await failing(version);
        assert.match(
          text.stderr,
          /\n {2}detail:\n {4}Problem:\n {6}@code: 7\n {6}Field:\n {8}@name: Amount\n {8}#text: too high\n/,
        );
      });
    }
  });

  it('without a charset in its header is read by its XML declaration', async () => {
    const text = answerOf('RelationGet', `<Relation><Id>${id}</Id><DisplayName>Zoë</DisplayName></Relation>`).body;
    const body = Buffer.from(text.replace('encoding="utf-8"', 'encoding="iso-8859-1"'), 'latin1');
    const answer = { headers: { 'Content-Type': 'text/xml' }, body };
    const { stdout } = await ends(called(answer, ['relation', 'get', id, '-o', 'json']), 0);
    assert.equal((JSON.parse(stdout) as { DisplayName: string }).DisplayName, 'Zoë');
  });

  it('with a bad byte names its line and column', async () => {
    const text = answerOf('RelationGet', `\n<Relation>\n<DisplayName>Zoë</DisplayName></Relation>`).body;
    const run = await called({ headers: {}, body: Buffer.from(text, 'latin1') }, ['relation', 'get', id, '-o', 'json']);
    assert.deepEqual([run.code, run.error()['path']], [7, '3:16'], run.stderr);
    assert.match(
      String(run.error()['message']),
      new RegExp(`offset ${text.indexOf('ë')} is not utf-8 .*line 3, column 16`),
    );
  });
});
