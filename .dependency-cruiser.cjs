// The floors of the house: who may import whom. docs/architecture.md shows the picture drawn from these rules.
const rooms = {
  errors: [],
  lexical: ['errors'],
  files: ['errors'],
  contract: [],
  xml: ['errors', 'lexical'],
  soap: ['xml', 'contract', 'lexical', 'errors'],
  wsdl: ['xml', 'contract', 'errors'],
  profiles: ['files', 'lexical', 'errors'],
  output: ['contract', 'lexical', 'errors'],
  client: ['soap', 'contract', 'lexical', 'errors'],
  sandbox: ['soap', 'wsdl', 'xml', 'contract', 'files', 'lexical', 'errors'],
  export: ['client', 'output', 'soap', 'contract', 'files', 'lexical', 'errors'],
  runtime: [
    'export',
    'client',
    'sandbox',
    'output',
    'profiles',
    'wsdl',
    'soap',
    'xml',
    'contract',
    'files',
    'lexical',
    'errors',
  ],
  commands: ['runtime', 'contract'],
};

const floors = Object.entries(rooms).map(([room, allowed]) => ({
  name: `floor-${room}`,
  comment:
    `src/${room} may import ${allowed.length === 0 ? 'nothing' : allowed.join(', ')} and itself. ` +
    'Imports point down the floors, so that a lower room can be read and tested without the rooms above it.',
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: '^src/', pathNot: `^src/(${[room, ...allowed].join('|')})/` },
}));

/** One package, one door: a change of library touches one file. */
const doors = {
  axios: '^src/soap/axios-client\\.ts$',
  'https-proxy-agent': '^src/soap/(axios-client|agents)\\.ts$',
  'proxy-from-env': '^src/soap/(axios-client|agents)\\.ts$',
  'fast-xml-parser': '^src/xml/tree\\.ts$',
  'cli-table3': '^src/output/formats/table\\.ts$',
  inquirer: '^src/runtime/prompt\\.ts$',
  fflate: '^src/output/formats/xlsx\\.ts$',
  conf: '^src/profiles/store\\.ts$',
  yaml: '^src/runtime/export-jobs/yaml-file\\.ts$',
  libsql: '^src/sandbox/store/open\\.ts$',
  '@oclif/core': '^src/(runtime|commands)/',
};

const packages = Object.entries(doors).map(([name, door]) => ({
  name: `door-${name.replace(/[^a-z0-9]+/gi, '-')}`,
  comment: `${name} has one door (${door}): what it does wrong is put right there, and nowhere else.`,
  severity: 'error',
  from: { path: '^src/', pathNot: door },
  to: { path: `^node_modules/${name}/` },
}));

module.exports = {
  forbidden: [
    ...floors,
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
      comment: 'The embedded service is loaded by runtime/sandbox-*.ts alone, so that a look-up never pays for it.',
      severity: 'error',
      from: { path: '^src/runtime/', pathNot: '^src/runtime/sandbox-[a-z-]+\\.ts$' },
      to: { path: '^src/sandbox/' },
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
      comment: 'Files are read and written in files, profiles, export, sandbox/store and runtime only.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(files|profiles|export|sandbox/store|runtime)/' },
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
