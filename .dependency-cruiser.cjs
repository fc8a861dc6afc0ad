// The rooms of src, lowest floor first: what each owns, and which rooms it may import. docs/architecture.md shows this as a
// table. A room imports rooms of lower floors, and of its own floor those that stand before it.
const low = ['core', 'contract'];
const wire = [...low, 'xml', 'soap', 'wsdl'];

const rooms = {
  core: {
    floor: 0,
    owns: 'errors, values, text forms, the mask of secrets: what knows no field of the service',
    uses: [],
  },
  contract: { floor: 0, owns: 'the service as data: enumerations, records, operations, their tables', uses: ['core'] },
  xml: { floor: 1, owns: 'the strict streaming reader, the writer, free-form trees', uses: ['core'] },
  soap: { floor: 1, owns: 'values on the wire, records, envelopes, the HTTP exchange', uses: [...low, 'xml'] },
  wsdl: { floor: 1, owns: 'the WSDL: written for the sandbox, and read', uses: [...low, 'xml'] },
  state: {
    floor: 2,
    owns: 'what is durable on this machine: locks, part files, ledger, output registry, SQLite',
    uses: low,
  },
  formats: {
    floor: 2,
    owns: 'columns, writers, readers of files, streams; --where, --query, --sort',
    uses: [...low, 'xml', 'state'],
  },
  profiles: {
    floor: 2,
    owns: 'settings, secrets, names, imported WSDLs: what is stored of a service',
    uses: [...low, 'xml', 'wsdl', 'state', 'formats'],
  },
  client: {
    floor: 2,
    owns: 'calls: pace, retries, pages, the end of a list, calibration',
    uses: [...low, 'soap', 'wsdl'],
  },
  sandbox: {
    floor: 2,
    owns: 'the embedded service: endpoint, handlers, store, data set, faults, recordings',
    uses: [...wire, 'state'],
  },
  mirror: {
    floor: 2,
    owns: 'the mirror: its tables, syncs that are whole or nothing, search, SQL, publishing',
    uses: [...low, 'state', 'formats', 'client'],
  },
  kit: {
    floor: 3,
    owns: 'what commands are made of: definition, flags, session, process, prompts, output of records',
    uses: [...low, 'xml', 'soap', 'state', 'formats', 'profiles', 'client'],
  },
  names: {
    floor: 4,
    owns: 'names for Ids, and the mirror that they are looked up in',
    uses: [...low, 'state', 'formats', 'profiles', 'mirror', 'kit'],
  },
  app: {
    floor: 4,
    owns: 'the program: command resolution, guesses, usage errors, help, exit',
    uses: ['core', 'formats', 'sandbox', 'kit', 'names'],
  },
  jobs: {
    floor: 4,
    owns: 'the job files of `export run`',
    uses: [...low, 'state', 'formats', 'profiles', 'kit', 'names'],
  },
  lists: {
    floor: 4,
    owns: 'one record and lists of them: the call, fields, rows, exports, --changes-since',
    uses: [...low, 'soap', 'state', 'formats', 'profiles', 'client', 'kit', 'names'],
  },
  writes: {
    floor: 4,
    owns: 'writes of many rows: rows of files, checks, journal, results, attachments',
    uses: [...low, 'soap', 'state', 'formats', 'profiles', 'client', 'mirror', 'kit', 'names', 'lists'],
  },
  topics: {
    floor: 5,
    owns: 'what is special to a family of commands',
    uses: [
      ...[...low, 'soap', 'wsdl', 'state', 'formats', 'profiles', 'client', 'sandbox', 'mirror', 'kit', 'names', 'app'],
      ...['jobs', 'lists', 'writes'],
    ],
  },
  commands: {
    floor: 6,
    owns: 'one file a command: words, flags, one call',
    uses: [...low, 'kit', 'app', 'jobs', 'lists', 'writes', 'topics'],
  },
};

const walls = Object.entries(rooms).map(([room, { owns, uses }]) => ({
  name: `room-${room}`,
  comment:
    `src/${room} owns ${owns}. It may import ${uses.length === 0 ? 'nothing' : uses.join(', ')} and itself: ` +
    'imports point to lower floors, so that each room can be read and tested without those above it.',
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: '^src/', pathNot: `^src/(${[room, ...uses].join('|')})/` },
}));

/** Parts of soap, and which of them each imports. */
const partsOfSoap = {
  ...{ transport: [], values: [], rows: [], codec: ['values', 'rows'] },
  wire: ['transport', 'values', 'codec'],
};
const wallsOfSoap = Object.entries(partsOfSoap).map(([part, uses]) => ({
  name: `soap-${part}`,
  comment: `src/soap/${part} may import ${uses.length === 0 ? 'no other part' : uses.join(', ')} of soap.`,
  severity: 'error',
  from: { path: `^src/soap/${part}/` },
  to: { path: '^src/soap/', pathNot: `^src/soap/(${[part, ...uses].join('|')})/` },
}));

/** The files that may import a package: a change of library touches these only. */
const doors = {
  axios: '^src/soap/transport/axios-client\\.ts$',
  'https-proxy-agent': '^src/soap/transport/(axios-client|agents)\\.ts$',
  'fast-xml-parser': '^src/xml/tree\\.ts$',
  'cli-table3': '^src/formats/layout/table-layout\\.ts$',
  inquirer: '^src/kit/host/prompt\\.ts$',
  fflate: '^src/formats/(writers/workbook|readers/workbook/zip)\\.ts$',
  hyparquet: '^src/lists/export/diff/packed-tables\\.ts$',
  'hyparquet-writer': '^src/formats/writers/parquet/file\\.ts$',
  conf: '^src/profiles/store/store\\.ts$',
  '@jmespath-community/jmespath': '^src/formats/query/',
  yaml: '^src/jobs/yaml-file\\.ts$',
  '@modelcontextprotocol/server': '^src/topics/mcp/(server|transport)\\.ts$',
  pg: '^src/mirror/postgres/connect\\.ts$',
  'pg-copy-streams': '^src/mirror/postgres/connect\\.ts$',
  libsql: '^src/state/sqlite/open\\.ts$',
  '@oclif/core': '^src/(app|kit|jobs|lists|writes|topics/(completion|operations|call|products|profiles))/',
};

const packages = Object.entries(doors).map(([name, door]) => ({
  name: `door-${name.replace(/[^a-z0-9]+/gi, '-')}`,
  comment: `${name} is imported in ${door} only: what it does wrong is put right there.`,
  severity: 'error',
  from: { path: '^src/', pathNot: door },
  to: { path: `^node_modules/${name}/` },
}));

/** The files and folders of src that may import node:fs. */
const fileSystemDoors = [
  'state/',
  'formats/readers/bytes[.]',
  'profiles/(descriptions/stored|secrets/(keyring|secret)|store/(profile-file|store))[.]',
  'sandbox/(recordings/|store/create[.])',
  'mirror/(index-aside|open|postgres/address|publish/folder)[.]',
  'kit/(calls/trace|remedy/complete|sandbox/running|session/connection)[.]',
  'names/mirror/location[.]',
  // Both read files of the package itself.
  'app/(program-config|help/help)[.]',
  'jobs/plan-jobs[.]',
  'lists/(changes-since/|export/|(fields/look-up|unlisted-fields)[.])',
  'writes/(attachments/|(batch/journal|batch-files)[.])',
  'topics/(completion/(install|values)|doctor/doctor|mirror/(open|publish|remove|status)|profiles/edit|writes/open)[.]',
  'topics/sandbox/(control|make|replay|start)[.]',
];

module.exports = {
  forbidden: [
    ...walls,
    ...wallsOfSoap,
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
        'app/main.ts hands the embedded service to commands, and topics/sandbox serves it: no other file of src knows that ' +
        'there is one.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(sandbox/|topics/sandbox/|app/main\\.ts$)' },
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
      comment: 'Every room of src is in the table above.',
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
      comment: 'Files are read and written by these files and folders only.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: `^src/(${fileSystemDoors.join('|')})`,
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
