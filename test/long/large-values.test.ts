import assert from 'node:assert/strict';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { brokenServer, type Reaction } from '../support/broken-server.js';
import { started } from '../support/export-lane.js';
import { peakMeter } from '../support/tracer.js';
import { ends, home, type Run } from '../support/relctl.js';
import { namespace } from '../support/soap-answers.js';

const size = 100_000_000;
/** Bytes of rows that memory would not hold, were they kept. */
const sizeOfRows = 50_000_000;
const mostBytes = 300 * 1024 * 1024;
/** Bytes that a run with so many rows takes at most: rows that are kept take twice as much as on the wire. */
const mostBytesOfRows = 240 * 1024 * 1024;
const id = '00000000-0021-4000-8000-000000000001';

/** A text with one part of it repeated until there is enough. */
interface Large {
  readonly before: string;
  /** The part, or what gives it each time by its number. */
  readonly repeated: string | ((number: number) => string);
  readonly behind: string;
  /** Bytes of the text; a hundred million where it is left out. */
  readonly bytes?: number;
}

/** Gives blocks of many parts. */
function blocksOf({ repeated }: Large): () => Buffer {
  let number = 0;
  if (typeof repeated === 'function') return () => Buffer.from(repeated((number += 1)));
  const block = Buffer.from(repeated.repeat(Math.ceil(65_536 / repeated.length)));
  return () => block;
}

function* piecesOf(large: Large): Generator<Buffer> {
  yield Buffer.from(large.before);
  const nextBlock = blocksOf(large);
  for (let made = 0; made < (large.bytes ?? size);) {
    const block = nextBlock();
    made += block.length;
    yield block;
  }
  yield Buffer.from(large.behind);
}

/** Nothing comes on the pages behind the first one. */
const answersLarge =
  (large: Large): Reaction =>
  (socket, { body }) => {
    const isBehind = /<pageNumber>(?!1<)/.test(body.toString('latin1'));
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/soap+xml; charset=utf-8\r\nConnection: close\r\n\r\n');
    // Who has read enough hangs up.
    return pipeline(Readable.from(piecesOf(isBehind ? emptyPage : large)), socket).catch(() => undefined);
  };

/** A part of the result of an operation. */
function resultOf(operation: string, { before, repeated, behind }: Large): Large {
  const [open, close] = [`${operation}Response xmlns="${namespace}"`, `${operation}Response`];
  return {
    before: `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><${open}><${operation}Result>${before}`,
    repeated,
    behind: `${behind}</${operation}Result></${close}></s:Body></s:Envelope>`,
  };
}

const counted = (before: string, repeated: Large['repeated'], behind: string): Large =>
  resultOf('NotificationGetCount', {
    before: `<NumberOfNotifications>7</NumberOfNotifications>${before}`,
    repeated,
    behind,
  });
const ids = `<Id>${id}</Id><EntityTypeId>${id}</EntityTypeId>`;
const relation = resultOf('RelationGetAll', {
  before: `<Relations><PvRelationData>${ids}<IsRoot>false</IsRoot><IsDummy>false</IsDummy><IsInactive>false</IsInactive><DisplayName>`,
  repeated: 'xxxxxxxxx ',
  behind: '</DisplayName></PvRelationData></Relations>',
});
/** Characters of two bytes in memory and three on the wire, nearly as many as a text may have. */
const wide = { repeated: '漢字仮名', bytes: 50_000_000 } as const;
const wideRelation = { ...relation, ...wide };
const row = (number: number, members: string): string =>
  `<PvRelationData><Id>${number.toString(16).padStart(8, '0')}${id.slice(8)}</Id><EntityTypeId>${id}</EntityTypeId><IsRoot>false</IsRoot><IsDummy>false</IsDummy><IsInactive>false</IsInactive>${members}</PvRelationData>`;
const relations = (repeated: Large['repeated'], bytes: number): Large => ({
  ...resultOf('RelationGetAll', { before: '<Relations>', repeated, behind: '</Relations>' }),
  bytes,
});
const emptyPage = relations(() => '', 0);
const hundred = Array.from({ length: 100 }, (_, at) => at);
const names = '<DisplayName>Somebody</DisplayName><SortingName>SOMEBODY</SortingName><ImportKey>100000</ImportKey>';
/** Some 150,000 rows. */
const manyRelations = relations((block) => hundred.map((at) => row(block * 100 + at, names)).join(''), sizeOfRows);
const named = (number: number): string => names.replace('Somebody', `Somebody ${number}`);
const longText = `<Info>${'xxxxxxxxx '.repeat(800_000)}</Info>`;
const longRelations = relations((number) => row(number, longText), 150_000_000);
const emptyRelations = resultOf('RelationGetAll', {
  before: '<Relations>',
  repeated: '<PvRelationData/>',
  behind: '</Relations>',
});
const times =
  '<CreationDate>2026-01-01T00:00:00</CreationDate><ModificationDate>2026-01-01T00:00:00</ModificationDate>';
const attachment = resultOf('AttachmentGet', {
  before: `<Attachment><Id>${id}</Id>${times}<FileName>a.bin</FileName><ExternalDmsType>0</ExternalDmsType><Base64EncodedFile>`,
  repeated: 'AAAA',
  behind: '</Base64EncodedFile></Attachment>',
});
const oneRelation = resultOf('RelationGet', {
  before: `<Relation>${ids}<IsRoot>false</IsRoot><IsDummy>false</IsDummy><IsInactive>false</IsInactive></Relation><!--`,
  repeated: 'x',
  behind: '-->',
});
const wideRecord = {
  ...resultOf('RelationGet', {
    before: `<Relation>${ids}<IsRoot>false</IsRoot><IsDummy>false</IsDummy><IsInactive>false</IsInactive><DisplayName>`,
    repeated: wide.repeated,
    behind: '</DisplayName></Relation>',
  }),
  bytes: 33_000_000,
};
const fault: Large = {
  before:
    '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Code><s:Value>s:Receiver</s:Value></s:Code><s:Reason><s:Text xml:lang="en">',
  repeated: 'xxxxxxxxx ',
  behind: '</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>',
};

const count = ['call', 'NotificationGetCount', '--param', `userId=${id}`];
const list = ['relation', 'list', '--page', '1', '-o'];
const asked = ['includeFields=false', 'includeCounters=false'].flatMap((each) => ['--param', each]);
const get = ['attachment', 'get', id];

/** What becomes of an answer: the exit code, and words of the error. */
type Taken = readonly [large: Large, args: readonly string[], code: number, words: RegExp];

const answers: Readonly<Record<string, Taken>> = {
  ...Object.fromEntries(
    ['table', 'csv', 'json', 'ndjson', 'yaml'].map((format) => [
      `a text of a row, as ${format}`,
      [relation, [...list, format], 7, /DisplayName has more than 16777216 characters/] as const,
    ]),
  ),
  ...Object.fromEntries(
    ['csv', 'json'].flatMap((format): [string, Taken][] => [
      [`a text of a row that is not too long, as ${format}`, [wideRelation, [...list, format], 0, /^$/]],
      [
        `a text of a record that is not too long, as ${format}`,
        [wideRecord, ['relation', 'get', id, '-o', format], 0, /^$/],
      ],
    ]),
  ),
  'many rows by a key of their own, in a file': [
    relations((block) => hundred.map((at) => row(block * 100 + at, named(block * 100 + at))).join(''), sizeOfRows),
    ['call', 'RelationGetAll', '--list', 'Relations', '--key', 'DisplayName', ...asked, '--output-file', 'saved.csv'],
    0,
    /^$/,
  ],
  'many rows in a file, sorted': [
    manyRelations,
    [...list, 'csv', '--sort', 'Id:desc', '--output-file', 'saved.csv'],
    0,
    /^$/,
  ],
  'many rows, as table': [manyRelations, [...list, 'table'], 0, /^$/],
  'many rows, in a trace': [manyRelations, [...list, 'csv', '--trace=saved/trace'], 0, /^$/],
  'many rows in a file, read twice': [
    manyRelations,
    ['relation', 'list', '-o', 'csv', '--consistent', '--output-file', 'saved.csv'],
    0,
    /^$/,
  ],
  'many rows in a file, as changes': [
    manyRelations,
    ['relation', 'list', '-o', 'csv', '--changes-since', 'many', '--output-file', 'saved.csv'],
    0,
    /^$/,
  ],
  'many rows, by a query': [manyRelations, [...list, 'csv', '--query', '[].{a: Id, b: DisplayName}'], 0, /^$/],
  'many rows, that are needed at once': [
    { ...manyRelations, bytes: 75_000_000 },
    [...list, 'json', '--query', 'sort_by(@, &Id)'],
    2,
    /at once is more than 32 MiB/,
  ],
  'long texts of many rows, in a trace': [longRelations, [...list, 'csv', '--trace=saved/trace'], 0, /^$/],
  'long texts of many rows, as changes': [
    longRelations,
    ['relation', 'list', '-o', 'csv', '--changes-since', 'long'],
    0,
    /^$/,
  ],
  ...Object.fromEntries(
    ['csv', 'xlsx'].map((format) => [
      `long texts of many rows, as ${format}`,
      [longRelations, [...list, format], 0, format === 'xlsx' ? /texts were cut/ : /^$/] as const,
    ]),
  ),
  'long texts of many rows, sorted': [longRelations, [...list, 'csv', '--sort', 'Id:desc'], 0, /^$/],
  'a text beside the contract': [counted('<Q>', 'x', '</Q>'), count, 7, /Q has more than 16777216 characters/],
  'a section of characters': [counted('<Q><![CDATA[', 'x', ']]></Q>'), count, 7, /Q has more than 16777216 characters/],
  'an attribute': [counted('<Q a="', 'x', '"/>'), count, 7, /a tag longer than/],
  'the name of an element': [counted('<Q', 'q', '/>'), count, 7, /a tag longer than/],
  'a comment': [counted('<!--', 'x', '-->'), count, 7, /more than 32 MiB/],
  'a comment beside a record': [oneRelation, ['relation', 'get', id], 7, /more than 32 MiB/],
  'tiny elements': [counted('<Q>', '<a/>', '</Q>'), count, 7, /more than 250000 elements/],
  'empty rows': [emptyRelations, [...list, 'csv'], 7, /more than 1000000 items/],
  'a fault': [fault, count, 7, /more than 32 MiB/],
  'an attachment in JSON': [attachment, [...get, '-o', 'json'], 7, /Base64EncodedFile has more than 16777216/],
  'an attachment by call': [attachment, ['call', 'AttachmentGet', '--param', `attachmentId=${id}`], 7, /has more than/],
  'an attachment that is saved': [attachment, [...get, '--output-dir', 'saved'], 0, /^$/],
};

const update = ['call', 'ActivityUpdate', '--dry-run', '--file'];
const table = ['call', 'ActivityUpdate', '--dry-run', '--map', 'x=', '--file'];
/** The same for files. */
const files: Readonly<Record<string, readonly [large: Large, args: readonly string[], words: RegExp]>> = {
  'cell.csv': [{ before: 'activityId,x\n1,"', repeated: 'x', behind: '"\n' }, table, /more than 33554432 characters/],
  'cells.csv': [{ before: 'a', repeated: ',b', behind: '\n' }, update, /more than 10000 cells/],
  'cell.tsv': [{ before: 'activityId\tx\n1\t', repeated: 'x', behind: '\n' }, table, /a line that does not end/],
  'line.ndjson': [{ before: '{"activityId":"', repeated: 'x', behind: '"}\n' }, update, /a line that does not end/],
  'text.json': [{ before: '[{"activityId":"', repeated: 'x', behind: '"}]' }, update, /a record that is too long/],
  'input.json': [
    { before: '{"userId":"', repeated: 'x', behind: '"}' },
    ['call', 'NotificationGetCount', '--input'],
    /larger than 8 MiB/,
  ],
  'raw.xml': [
    { before: '<userId>', repeated: 'x', behind: '</userId>' },
    ['call', 'NotificationGetCount', '--input'],
    /larger than 8 MiB/,
  ],
  'jobs.yaml': [{ before: 'jobs: "', repeated: 'x', behind: '"\n' }, ['export', 'run'], /larger than 256 KiB/],
};

function writeLarge(file: string, large: Large): void {
  const handle = openSync(file, 'w');
  for (const piece of piecesOf(large)) writeSync(handle, piece);
  closeSync(handle);
}

describe('A hundred million bytes where one value is', function () {
  const own = home();
  after(() => own.remove());

  async function measured(
    context: Mocha.Context,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    most: number,
  ): Promise<Run> {
    const meter = peakMeter(context, own.folder, { ...own.env, ...env });
    const run = await started(args, { env: meter.env }).ended;
    const peak = meter.take();
    assert.ok(peak < most, `${Math.round(peak / 1024 / 1024)} MiB, exit code ${run.code}`);
    return run;
  }

  for (const [what, [large, args, code, words]] of Object.entries(answers)) {
    it(`take less than 300 MiB of memory in an answer, as ${what}`, async function () {
      const server = await brokenServer({ answer: answersLarge(large) });
      mkdirSync(join(own.folder, 'saved'), { recursive: true });
      try {
        const run = await measured(
          this,
          args.map((arg) => arg.replace(/^(--trace=)?(?=saved)/, `$1${own.folder}/`)),
          {
            RELCTL_BASE_URL: server.url,
            RELCTL_NAMESPACE: namespace,
            RELCTL_API_KEY: '7d9f4c1e-3a52-4b8e-9c06-5f1d2e8a7b34',
            RELCTL_DATABASE_ID: id,
          },
          typeof large.repeated === 'function' && large.bytes === sizeOfRows ? mostBytesOfRows : mostBytes,
        );
        assert.equal(run.code, code, run.stderr.slice(0, 500));
        assert.match(run.stderr, words);
      } finally {
        await server.close();
      }
    });
  }

  for (const [name, [large, args, words]] of Object.entries(files)) {
    it(`take less than 300 MiB of memory in a file, as ${name}`, async function () {
      const file = join(own.folder, name);
      writeLarge(file, large);
      await ends(measured(this, [...args, file], { RELCTL_PROFILE: 'sandbox' }, mostBytes), 2, words);
    });
  }
});
