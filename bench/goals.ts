/** A goal of speed or size. */
export interface Goal {
  /** The section that measures it, and the name of its figure there. */
  readonly section: string;
  readonly figure: string;
  readonly what: string;
  readonly comparison: 'at most' | 'at least';
  readonly bound: number;
  readonly unit: string;
  /** Why it cannot be met, where that is known. It stays a goal, and is missed. */
  readonly reason?: string;
}

type Row = readonly [figure: string, what: string, comparison: Goal['comparison'], bound: number, unit: string];

const goalsOf = (section: string, rows: readonly (readonly [...Row, reason?: string])[]): readonly Goal[] =>
  rows.map(([figure, what, comparison, bound, unit, reason]) => ({
    section,
    figure,
    what,
    comparison,
    bound,
    unit,
    ...(reason === undefined ? {} : { reason }),
  }));

const timesNode = 'x `node -e 0`';

const startUp = goalsOf('start-up', [
  ['version', '`--version`, warm', 'at most', 1.12, timesNode],
  ['help', '`--help`, warm', 'at most', 1.9, timesNode],
  ['get', '`relation get`, warm', 'at most', 2.6, timesNode],
  ['envelope', '`relation get --envelope`, warm', 'at most', 2.3, timesNode],
  ['get-sandbox', '`relation get --profile sandbox`, which starts its own service, warm', 'at most', 3.2, timesNode],
]);

const decoding = goalsOf('decoding', [
  ['rate', 'bytes of a page to typed records', 'at least', 80, 'MB/s'],
  ['x-fast-xml-parser', 'bytes of a page to typed records, against fast-xml-parser', 'at least', 10, 'x'],
]);

const formats = ['csv', 'tsv', 'ndjson'] as const;

/** Texts of NDJSON are longer than those of CSV. */
const listBounds = { csv: [1.35, 7, 12], tsv: [1.35, 7, 12], ndjson: [1.15, 5.5, 10] } as const;

const lists = goalsOf(
  'lists',
  formats.flatMap((format): readonly Row[] => {
    const what = `100 pages of 1,000 to ${format.toUpperCase()}`;
    const [php, npmSoap, zeep] = listBounds[format];
    return [
      [`${format}-x-php`, `${what}, against PHP SoapClient: time`, 'at least', php, 'x faster'],
      [`${format}-x-npm-soap`, `${what}, against npm soap: processor time`, 'at least', npmSoap, 'x less'],
      [`${format}-x-zeep`, `${what}, against zeep: processor time`, 'at least', zeep, 'x less'],
    ];
  }),
);

const pages = goalsOf('pages', [
  ['cap-100', '100,000 rows in pages of 100, against pages of 1,000: processor time', 'at most', 2.7, 'x'],
]);

const peers = [
  ['php', 'PHP SoapClient'],
  ['npm-soap', 'npm soap'],
  ['zeep', 'zeep'],
] as const;

const waits =
  'With 3 pages under way 100 pages take 34 waits of 50 ms, 1.7 s. PHP takes 100 waits and 0.6 s of its own, 5.6 s: 3.3 times as long.';

const delay = goalsOf('delay', [
  ['default-x-curl', '50 ms a page, default, against curl with as many at once: time', 'at most', 1.25, 'x'],
  ['eight-x-curl', '50 ms a page, `--concurrency 8`, against curl with as many: time', 'at most', 1.6, 'x'],
  ...peers.flatMap(([id, name]): readonly (readonly [...Row, reason?: string])[] => {
    const what = `50 ms a page, default, against ${name}: time`;
    const byDefault = [`default-x-${id}`, what, 'at least', 4, 'x faster'] as const;
    return [
      id === 'php' ? [...byDefault, waits] : byDefault,
      [`eight-x-${id}`, `50 ms a page, \`--concurrency 8\`, against ${name}: time`, 'at least', 4, 'x faster'],
    ];
  }),
]);

const growthRows = (format: string, most: number): readonly Row[] => [
  [`${format}-many`, `100,000 rows to ${format.toUpperCase()}: memory`, 'at most', 130, 'MiB'],
  [`${format}-most`, `1,000,000 rows to ${format.toUpperCase()}: memory`, 'at most', most, 'MiB'],
  [`${format}-growth`, `1,000,000 rows to ${format.toUpperCase()} against 100,000: memory`, 'at most', 1.1, 'x'],
];

const growth = goalsOf(
  'growth',
  formats.flatMap((format) => growthRows(format, 100)),
);

const parquet = goalsOf('parquet', [
  ...growthRows('parquet', 130),
  ['many-x-csv', '100,000 rows to PARQUET, against CSV: time', 'at most', 3, 'x'],
  ['most-x-csv', '1,000,000 rows to PARQUET, against CSV: time', 'at most', 3, 'x'],
]);

const where = goalsOf('where', [
  ['cpu', '100,000 rows with `--where`, on top of the same without: processor time', 'at most', 0.35, 'x'],
]);

const sort = goalsOf('sort', [['memory', '1,000,000 rows with `--sort`: memory', 'at most', 300, 'MiB']]);

const mask = goalsOf('mask', [
  ['cpu', 'hiding secrets in forty lines, of an export of 100,000 rows: processor time', 'at most', 0.02, 'x'],
]);

const memory = goalsOf('memory', [
  ['ids-growth', '`--ids` of 60,000 against 6,000: memory', 'at most', 1.1, 'x'],
  ['diff', '`export diff` of 1,000,000 rows: memory', 'at most', 200, 'MB'],
  ['diff-cpu', '`export diff` of 1,000,000 rows: processor time', 'at most', 20, 's'],
  ['changes-since', '`--changes-since` of 1,000,000 rows: memory', 'at most', 130, 'MiB'],
  ['include-fields', '`--include-fields` of 100,000 rows: memory', 'at most', 130, 'MiB'],
]);

const mirror = goalsOf('mirror', [
  ['first', '1,000,000 relations into a new mirror, against CSV: time', 'at most', 4, 'x'],
  ['second', '1,000,000 relations that have not changed, against CSV: time', 'at most', 1.5, 'x'],
  ['first-memory-many', '100,000 relations into a new mirror: memory', 'at most', 130, 'MiB'],
  ['first-memory-most', '1,000,000 relations into a new mirror: memory', 'at most', 130, 'MiB'],
  ['second-memory-most', '1,000,000 relations that have not changed: memory', 'at most', 130, 'MiB'],
  ['first-memory-growth', '1,000,000 relations into a new mirror against 100,000: memory', 'at most', 1.1, 'x'],
]);

const overCsv = 'x `mirror publish FOLDER --format csv`';

const publish = goalsOf('publish', [
  ['x-csv', 'a mirror of 1,000,000 relations to PostgreSQL: time', 'at most', 3, overCsv],
  ['memory', 'a mirror of 1,000,000 relations to PostgreSQL: memory', 'at most', 130, 'MiB'],
  ['parquet-x-csv', 'the same to a folder as Parquet: time', 'at most', 2, overCsv],
  ['again-x-csv', 'the same to PostgreSQL, where nothing has changed since: time', 'at most', 0.2, overCsv],
]);

const timesGet = 'x `relation get`';
const timesEnvelope = 'x `relation get --envelope`';

const find = goalsOf('find', [
  ['inside', 'the slowest question among 1,000,000 relations, inside the program', 'at most', 60, 'ms'],
  ['x-get', 'the slowest question among 1,000,000 relations, whole process', 'at most', 1.3, timesGet],
  ['growth', 'questions among 1,000,000 relations against 10,000: time', 'at most', 1.3, 'x'],
]);

const names = goalsOf('names', [
  ['x-get', 'a name or an import key for an Id, of 1,000,000 relations', 'at most', 1.3, timesEnvelope],
  ['growth', 'names of 1,000,000 relations against 10,000: time', 'at most', 1.3, 'x'],
]);

const sql = goalsOf('sql', [
  ['x-get', '`sql` by an Id, of 1,000,000 relations', 'at most', 2.5, timesEnvelope],
  ['growth', '`sql` by an Id, of 1,000,000 relations against 10,000: time', 'at most', 1.3, 'x'],
  ['scan', '`sql` for a part of 1,000,000 names', 'at most', 1.5, 's'],
  ['groups', '`sql` that counts 1,000,000 names', 'at most', 5, 's'],
]);

const embedded = goalsOf('embedded', [
  ['make-many', 'making 100,000 relations: processor time', 'at most', 4.5, 's'],
  ['make-many-disk', 'making 100,000 relations: disk', 'at most', 150, 'MB'],
  ['make-most', 'making 1,000,000 relations: processor time', 'at most', 80, 's'],
  ['make-most-disk', 'making 1,000,000 relations: disk', 'at most', 1400, 'MB'],
  ['pages', 'pages of 1,000 out of 1,000,000, the slowest place', 'at least', 100, 'a second'],
  ['pages-with-fields', 'pages of 1,000 with fields out of 1,000,000, the slowest place', 'at least', 50, 'a second'],
  ['get', 'RelationGet, 16 at once', 'at least', 1500, 'a second'],
  ['attachment-in', 'an attachment of 100 MB in: memory of the service', 'at most', 150, 'MB'],
  ['attachment-out', 'an attachment of 100 MB out: memory of the service', 'at most', 150, 'MB'],
]);

const large = goalsOf('large', [
  ['table', 'a table of 10,000 rows: time', 'at most', 1, 's'],
  ['down', 'an attachment of 100 MB down', 'at least', 100, 'MB/s'],
  ['up', 'an attachment of 100 MB up', 'at least', 100, 'MB/s'],
  ['down-memory', 'an attachment of 100 MB down, above an empty one: memory', 'at most', 64, 'MiB'],
  ['up-memory', 'an attachment of 100 MB up, above one of 6 bytes: memory', 'at most', 64, 'MiB'],
]);

const batch = goalsOf('batch', [
  ['one-x-bare', '10,000 product updates by `--file`, against the bare calls: time', 'at most', 1.3, 'x'],
  [
    'four-x-bare',
    '10,000 product updates by `--file`, 4 at once, against as many bare calls: time',
    'at most',
    1.3,
    'x',
  ],
  ['growth', '100,000 product lines by `--file` against 10,000: memory', 'at most', 1.1, 'x'],
  ['checks', 'checks of 1,000,000 rows: memory', 'at most', 130, 'MiB'],
]);

const importOfWsdl = goalsOf('import', [
  ['first', 'a WSDL of 10 MB: time', 'at most', 2, 's'],
  ['again', 'a WSDL of 10 MB, compared with the kept one: time', 'at most', 2, 's'],
  ['memory', 'a WSDL of 10 MB: memory', 'at most', 300, 'MB'],
]);

/** All goals, in the order of the sections. */
export const goals: readonly Goal[] = [
  ...startUp,
  ...decoding,
  ...lists,
  ...pages,
  ...delay,
  ...growth,
  ...parquet,
  ...where,
  ...sort,
  ...mask,
  ...memory,
  ...mirror,
  ...publish,
  ...find,
  ...names,
  ...sql,
  ...embedded,
  ...large,
  ...batch,
  ...importOfWsdl,
];
