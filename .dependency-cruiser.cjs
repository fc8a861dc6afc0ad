// The module folders of src, lowest layer first: what each owns, and which folders it may import. docs/architecture.md shows
// this as a table, with the imports that the source has.
const base = ['errors', 'lexical', 'plain'];
const shared = ['contract', 'secrets', ...base];
const calls = ['client', 'pace', 'soap', 'xml', ...shared];
const program = ['cli', 'query', 'host', 'output', 'profiles', 'files', ...calls];
const topic = (owns, ...more) => ({
  owns,
  uses: ['records', 'bulk', 'batches', 'edits', 'ledger', ...more, ...program],
});

const rooms = {
  plain: { owns: 'plain values: records, objects, JSON; no field of the service', uses: [] },
  errors: { owns: 'the closed set of failures: kind, exit code, layer', uses: ['plain'] },
  contract: { owns: 'the service as data: enumerations, records, operations', uses: [] },
  lexical: {
    owns: 'text forms: guid, integer, decimal, dateTime, telephone number, CSV; no conversion that loses',
    uses: ['errors', 'plain'],
  },
  secrets: { owns: 'the forms that a secret takes in texts, and the mask that hides it', uses: ['lexical'] },
  files: { owns: 'locks, partial files, bounded reads, syncs', uses: ['errors', 'plain'] },
  postgres: {
    owns: 'the door to PostgreSQL: addresses, passwords, TLS, statements, COPY, failures',
    uses: ['files', ...base],
  },
  xml: { owns: 'the strict streaming reader, the writer, free-form trees', uses: base },
  'soap/values': { owns: 'values of the contract and their text on the wire', uses: ['xml', ...shared] },
  'soap/codec': { owns: 'encoding and decoding of records by the contract', uses: ['soap/values', 'xml', ...shared] },
  'soap/transport': { owns: 'the HTTP exchange: time limits, proxies, TLS, decompression', uses: base },
  'soap/wire': {
    owns: 'envelopes, faults, masks; requests and answers, both ways',
    uses: ['soap/codec', 'soap/transport', 'soap/values', 'xml', ...shared],
  },
  tables: { owns: 'records of the contract as tables: columns, lists, cells', uses: ['contract', 'plain'] },
  sqlite: { owns: 'the driver of SQLite: statements, transactions, failures', uses: ['tables', ...base] },
  wsdl: {
    owns: 'the WSDL: written for the embedded service, and read: its namespace, its operations and their types',
    uses: ['xml', ...shared],
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
    owns: 'what is asked by SQL: statements, what they may call, the process that reads the file',
    uses: ['query', 'sqlite', 'tables', ...shared],
  },
  pace: {
    owns: 'how often a service is asked: fewer calls while it is asked too much, or answers late',
    uses: ['errors'],
  },
  descriptions: {
    owns: 'the WSDL of a service as a profile keeps it: its documents, what they say, what changed',
    uses: ['wsdl', 'xml', 'files', ...shared],
  },
  recordings: {
    owns: 'calls that were recorded: masked, written, read again, known by what they ask for',
    uses: ['secrets', 'soap', 'xml', 'files', ...shared],
  },
  client: { owns: 'calls: retries, pages, the end of a list, calibration', uses: ['pace', 'soap', 'wsdl', ...shared] },
  sandbox: {
    owns: 'the embedded service: endpoint, handlers, store, data set, faults',
    uses: ['soap', 'sqlite', 'tables', 'wsdl', 'xml', 'files', ...shared],
  },
  mirror: {
    owns: 'the mirror: tables of the records of a service, syncs that are whole or nothing, reading, publishing',
    uses: ['client', 'sqlite', 'postgres', 'tables', 'profiles', 'output', 'files', ...shared],
  },
  inputs: {
    owns: 'rows of input files: CSV, TSV, NDJSON, JSON, xlsx; what a cell says, and where it stands',
    uses: ['edits', 'xml', 'files', ...base],
  },
  edits: {
    owns: 'what tells the edited cells of a file from those that are as they were exported',
    uses: ['contract', ...base],
  },
  batches: {
    owns: 'writes of many rows: the journal that says of each what became of it, the order of sending',
    uses: ['pace', 'files', ...base],
  },
  ledger: {
    owns: 'the ledger of writes: what was written to a service, when, by whom, and how it ended',
    uses: ['batches', 'files', ...base],
  },
  export: {
    owns: 'complete files of lists: journal, resume, snapshots, comparison',
    uses: ['client', 'inputs', 'output', 'soap', 'files', ...shared],
  },
  host: {
    owns: 'what the process is: environment, clock, signals, parent, prompt, progress, notes, heap',
    uses: ['output', 'soap', 'files', 'secrets', ...base],
  },
  cli: {
    owns: 'what commands are made of: definition, flags, session, output of records, consent, dry run, trace',
    uses: [
      'descriptions',
      'recordings',
      'export',
      'query',
      'sandbox',
      'mirror',
      'sqlite',
      'host',
      'output',
      'profiles',
      'files',
      ...calls,
    ],
  },
  fields: { owns: 'field catalogue, columns and values of fields', uses: program },
  records: {
    owns: 'commands of one record: the call, a missing record, an unknown outcome, what the ledger is told',
    uses: ['fields', 'batches', 'ledger', ...program],
  },
  bulk: {
    owns: 'commands with --from: what columns mean, checks before anything is sent, plans, results',
    uses: ['records', 'fields', 'batches', 'edits', 'mirror', 'inputs', 'export', ...program],
  },
  lists: {
    owns: 'commands of lists: plan, walk, rows, export, --changes-since, many ids',
    uses: ['records', 'fields', 'edits', 'inputs', 'export', ...program],
  },
  syncs: {
    owns: 'syncs of the mirror: lists of the service, page by page, into its tables',
    uses: ['lists', 'mirror', 'records', 'fields', 'export', ...program],
  },
  jobs: { owns: 'the job files of `export run`', uses: program },
  attachments: {
    owns: 'attachments on their way up and down',
    uses: ['records', 'bulk', 'batches', 'inputs', 'lists', 'export', ...program],
  },
  'topics/activities': topic('search, update, and the activities of a relation', 'lists', 'fields'),
  'topics/call': topic('`call`: any operation by its name', 'lists'),
  'topics/completion': topic(
    'completion in shells: what may be typed, scripts, where they are put',
    'app',
    'lists',
    'fields',
    'mirror',
    'sqlite',
  ),
  'topics/datastores': topic('items of data stores', 'lists', 'fields'),
  'topics/diff': topic('`export diff`', 'export'),
  'topics/doctor': topic('`doctor`: what this machine looks like'),
  'topics/find': topic(
    '`find`: what is looked for in the mirror, and the search in a terminal',
    'mirror',
    'sqlite',
    'syncs',
  ),
  'topics/marks': topic('names of marks', 'client', 'lists'),
  'topics/mirror': topic(
    'the commands of the mirror',
    'mirror',
    'postgres',
    'sqlite',
    'syncs',
    'lists',
    'export',
    'tables',
  ),
  'topics/mcp': topic('`mcp`: tools for agents, and the server that offers them', 'mirror'),
  'topics/notifications': topic('notifications of many users', 'lists'),
  'topics/operations': topic(
    '`operations`: the contract and the WSDL of a service, printed',
    'descriptions',
    'jobs',
    'wsdl',
  ),
  'topics/products': topic('products: one, and its update', 'lists'),
  'topics/profiles': topic('questions, tests and printing of profiles', 'fields', 'descriptions'),
  'topics/relationships': topic('lines of relationships', 'fields'),
  'topics/sql': topic(
    '`sql`: statements asked of a mirror, and the answers printed',
    'mirror',
    'sql',
    'sqlite',
    'syncs',
  ),
  'topics/sandbox': topic('start, stop and watch the embedded service', 'sandbox', 'recordings'),
  'topics/writes': topic('`writes`: the ledger of what was written, and its way back'),
  app: {
    owns: 'the program: command resolution, guesses, usage errors, help, exit',
    uses: ['cli', 'host', 'output', ...shared],
  },
  commands: {
    owns: 'one file a command: words, flags, meaning',
    uses: ['app', 'topics', 'jobs', 'attachments', 'lists', 'bulk', 'records', 'fields', 'cli', 'contract', 'plain'],
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
  fflate: '^src/(output/formats/workbook|inputs/workbook/zip)\\.ts$',
  hyparquet: '^src/export/diff/packed-tables\\.ts$',
  'hyparquet-writer': '^src/output/formats/parquet/file\\.ts$',
  conf: '^src/profiles/store/store\\.ts$',
  '@jmespath-community/jmespath': '^src/query/',
  yaml: '^src/jobs/yaml-file\\.ts$',
  '@modelcontextprotocol/server': '^src/topics/mcp/(server|transport)\\.ts$',
  pg: '^src/postgres/connect\\.ts$',
  'pg-copy-streams': '^src/postgres/connect\\.ts$',
  libsql: '^src/sqlite/(open|question)\\.ts$',
  '@oclif/core': '^src/(app|bulk|cli|host|jobs|lists|records|topics/completion|topics/operations|topics/call)/',
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
        'The embedded service is loaded by cli/sandbox/running.ts and topics/sandbox alone, so that a look-up never pays for it.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(sandbox/|topics/sandbox/|cli/sandbox/running\\.ts$)' },
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
          '^src/((files|postgres|profiles|export|inputs|batches|ledger|descriptions|recordings|sandbox/store|mirror|fields|cli|lists|jobs|attachments|topics)/|app/(program-config|help/help)[.])',
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
