// The module folders of src, lowest layer first: what each owns, and which folders it may import. docs/architecture.md shows
// this as a table, with the imports that the source has.
const base = ['errors', 'lexical', 'plain'];
const shared = ['contract', ...base];
const calls = ['client', 'soap', 'xml', ...shared];
const program = ['cli', 'query', 'host', 'output', 'profiles', 'files', ...calls];
const topic = (owns, ...more) => ({ owns, uses: ['records', ...more, ...program] });

const rooms = {
  plain: { owns: 'plain values: records, objects, JSON; no field of the service', uses: [] },
  errors: { owns: 'the closed set of failures: kind, exit code, layer', uses: ['plain'] },
  contract: { owns: 'the service as data: enumerations, records, operations', uses: [] },
  lexical: {
    owns: 'text forms: guid, integer, decimal, dateTime, telephone number, CSV; no conversion that loses',
    uses: ['errors', 'plain'],
  },
  files: { owns: 'locks, partial files, bounded reads, syncs', uses: ['errors', 'plain'] },
  postgres: {
    owns: 'the door to PostgreSQL: addresses, passwords, TLS, statements, COPY, failures',
    uses: ['files', ...base],
  },
  xml: { owns: 'the strict streaming reader, the writer, free-form trees', uses: base },
  'soap/values': { owns: 'values of the contract and their text on the wire', uses: ['xml', ...shared] },
  'soap/codec': { owns: 'encoding and decoding of records by the contract', uses: ['soap/values', 'xml', ...shared] },
  'soap/transport': { owns: 'the HTTP exchange: time limits, proxies, TLS, decompression', uses: ['errors', 'plain'] },
  'soap/wire': {
    owns: 'envelopes, faults, masks; requests and answers, both ways',
    uses: ['soap/codec', 'soap/transport', 'soap/values', 'xml', ...shared],
  },
  tables: { owns: 'records of the contract as tables: columns, lists, cells', uses: ['contract', 'plain'] },
  sqlite: { owns: 'the driver of SQLite: statements, transactions, failures', uses: ['tables', ...base] },
  wsdl: {
    owns: 'the WSDL: written for the embedded service, its namespace read',
    uses: ['xml', 'contract', 'errors', 'plain'],
  },
  profiles: {
    owns: 'the profile store, secrets and their references, where each value comes from',
    uses: ['output', 'files', ...base],
  },
  output: { owns: 'streams, formats, columns, the escaper, how errors look', uses: shared },
  query: {
    owns: 'what is asked of records: expressions of JMESPath, orders, sorting',
    uses: ['output', 'files', ...shared],
  },
  sql: {
    owns: 'what is asked by SQL: statements, what they may call, the process that reads the file, questions to PostgreSQL',
    uses: ['query', 'sqlite', 'postgres', 'tables', ...shared],
  },
  client: { owns: 'calls: retries, pages, the end of a list, calibration', uses: ['soap', 'wsdl', ...shared] },
  sandbox: {
    owns: 'the embedded service: endpoint, handlers, store, data set, faults',
    uses: ['soap', 'sqlite', 'tables', 'wsdl', 'xml', 'files', ...shared],
  },
  mirror: {
    owns: 'the mirror: tables of the records of a service, syncs that are whole or nothing, reading',
    uses: ['client', 'sqlite', 'postgres', 'tables', 'profiles', 'output', 'files', ...shared],
  },
  export: {
    owns: 'complete files of lists: journal, resume, snapshots, comparison',
    uses: ['client', 'output', 'soap', 'files', ...shared],
  },
  host: {
    owns: 'what the process is: environment, clock, signals, parent, prompt, progress, notes, heap',
    uses: ['output', 'soap', 'files', ...base],
  },
  cli: {
    owns: 'what commands are made of: definition, flags, session, output of records, consent, dry run, trace',
    uses: ['export', 'query', 'sandbox', 'mirror', 'sqlite', 'host', 'output', 'profiles', 'files', ...calls],
  },
  fields: { owns: 'field catalogue, columns and values of fields', uses: program },
  records: {
    owns: 'commands of one record: the call, a missing record, an unknown outcome',
    uses: ['fields', ...program],
  },
  lists: {
    owns: 'commands of lists: plan, walk, rows, export, --since-last, --changes-since, many ids',
    uses: ['records', 'fields', 'export', ...program],
  },
  syncs: {
    owns: 'syncs of the mirror: lists of the service, page by page, into its tables',
    uses: ['lists', 'mirror', 'postgres', 'records', 'fields', 'export', ...program],
  },
  jobs: { owns: 'the job files of `export run`', uses: program },
  attachments: { owns: 'attachments on their way up and down', uses: ['records', 'export', ...program] },
  'topics/activities': topic('search, update, and the activities of a relation', 'lists', 'fields'),
  'topics/call': topic('`call`: any operation by its name'),
  'topics/compare': topic('`compare`: what two services are set up with', 'lists'),
  'topics/completion': topic(
    'completion in shells: what may be typed, scripts, where they are put',
    'app',
    'lists',
    'fields',
    'mirror',
  ),
  'topics/datastores': topic('items of data stores', 'lists'),
  'topics/diff': topic('`export diff`', 'export'),
  'topics/doctor': topic('`doctor`: what the machine and the profiles look like'),
  'topics/find': topic(
    '`find`: what is looked for in the mirror, and the search in a terminal',
    'mirror',
    'sqlite',
    'syncs',
  ),
  'topics/marks': topic('names of marks', 'client', 'lists'),
  'topics/mirror': topic('the commands of the mirror', 'mirror', 'sqlite', 'syncs', 'lists', 'export', 'tables'),
  'topics/notifications': topic('notifications of many users, and the monitoring plug-in', 'lists'),
  'topics/operations': topic('`operations`: the contract, printed'),
  'topics/products': topic('products: one, and its update'),
  'topics/profiles': topic('questions, tests and printing of profiles', 'fields'),
  'topics/reports': topic(
    '`mark members` and `check`: questions to the mirror that have an answer ready',
    'mirror',
    'sqlite',
    'syncs',
  ),
  'topics/sql': topic(
    '`sql`: statements asked of a mirror, and the answers printed',
    'mirror',
    'postgres',
    'sql',
    'sqlite',
    'syncs',
  ),
  'topics/sandbox': topic('start, stop and watch the embedded service', 'sandbox'),
  'topics/tree': topic('`relation tree`', 'lists', 'mirror', 'sqlite', 'syncs'),
  app: {
    owns: 'the program: command resolution, guesses, usage errors, help, exit',
    uses: ['cli', 'host', 'output', ...shared],
  },
  commands: {
    owns: 'one file a command: words, flags, meaning',
    uses: ['app', 'topics', 'jobs', 'attachments', 'lists', 'records', 'fields', 'cli', 'contract', 'plain'],
  },
};

const walls = Object.entries(rooms).map(([room, { owns, uses }]) => ({
  name: `room-${room.replace('/', '-')}`,
  comment:
    `src/${room} owns ${owns}. It may import ${uses.length === 0 ? 'nothing' : [...new Set(uses)].join(', ')} and itself: ` +
    'imports point to lower layers, so that each folder can be read and tested without those above it.',
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: '^src/', pathNot: `^src/(${[room, ...uses].join('|')})/` },
}));

/** The files that may import a package: a change of library touches these only. */
const doors = {
  axios: '^src/soap/transport/axios-client\\.ts$',
  'https-proxy-agent': '^src/soap/transport/(axios-client|agents)\\.ts$',
  'fast-xml-parser': '^src/xml/tree\\.ts$',
  'cli-table3': '^src/output/formats/table\\.ts$',
  inquirer: '^src/host/prompt\\.ts$',
  fflate: '^src/output/formats/workbook\\.ts$',
  'hyparquet-writer': '^src/output/formats/parquet/file\\.ts$',
  conf: '^src/profiles/store\\.ts$',
  '@jmespath-community/jmespath': '^src/query/',
  yaml: '^src/jobs/yaml-file\\.ts$',
  'libphonenumber-js': '^src/lexical/telephone\\.ts$',
  pg: '^src/postgres/connect\\.ts$',
  'pg-copy-streams': '^src/postgres/connect\\.ts$',
  libsql: '^src/sqlite/(open|question)\\.ts$',
  '@oclif/core': '^src/(app|cli|host|jobs|lists|records|topics/completion)/',
};

const packages = Object.entries(doors).map(([name, door]) => ({
  name: `door-${name.replace(/[^a-z0-9]+/gi, '-')}`,
  comment: `${name} is imported in ${door} only: what it does wrong is put right there.`,
  severity: 'error',
  from: { path: '^src/', pathNot: door },
  to: { path: `^node_modules/${name}/` },
}));

module.exports = {
  forbidden: [
    ...walls,
    ...packages,
    {
      name: 'no-cycles',
      comment: 'Two files that import each other are one file, or want a third below them. Type imports count.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'sandbox-by-one-door',
      comment:
        'The embedded service is loaded by cli/sandbox-profile.ts and topics/sandbox alone, so that a look-up never pays for it.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(sandbox/|topics/sandbox/|cli/sandbox-profile\\.ts$)' },
      to: { path: '^src/sandbox/' },
    },
    {
      name: 'no-ways-between-topics',
      comment: 'A topic knows no other: what two of them need goes to a folder of a lower layer.',
      severity: 'error',
      from: { path: '^src/topics/([^/]+)/' },
      to: { path: '^src/topics/', pathNot: '^src/topics/$1/' },
    },
    {
      name: 'room-without-rules',
      comment: 'Every folder of src is in the table above.',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(${Object.keys(rooms).join('|')})/` },
      to: {},
    },
    {
      name: 'not-to-test',
      comment: 'What ships does not import what tests it.',
      severity: 'error',
      from: { path: '^(src|bin)/' },
      to: { path: '^(test|bench|scripts)/' },
    },
    {
      name: 'file-system-doors',
      comment: 'Files are read and written in these folders only.',
      severity: 'error',
      from: {
        path: '^src/',
        // postgres reads the files of libpq (passwords, PEM); program-config.ts and help.ts those of the package itself.
        pathNot:
          '^src/((files|postgres|profiles|export|sandbox/store|mirror/sqlite|fields|cli|lists|jobs|attachments|topics)/|app/(program-config|help/help)[.])',
      },
      to: { dependencyTypes: ['core'], path: '^(node:)?fs(/promises)?$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};

// For the table in docs/architecture.md; not a rule, so not in what dependency-cruiser reads.
Object.defineProperty(module.exports, 'rooms', { value: rooms, enumerable: false });
