interface Meaning {
  /** Whether what it names changes something: a record of the service, or what relctl keeps. */
  readonly changes: boolean;
  readonly words: readonly string[];
}

/** What the last word of a command may be called. A word may have several meanings. */
export const meanings: readonly Meaning[] = [
  {
    changes: false,
    words: ['get', 'show', 'view', 'see', 'describe', 'display', 'details', 'info', 'print', 'cat', 'read', 'open'],
  },
  { changes: false, words: ['list', 'ls', 'dir', 'all', 'index', 'browse', 'getall', 'get-all', 'items', 'entries'] },
  { changes: false, words: ['search', 'find', 'query', 'filter', 'grep', 'where', 'lookup', 'look-up'] },
  { changes: false, words: ['count', 'total', 'number'] },
  { changes: false, words: ['status', 'state', 'ps'] },
  { changes: false, words: ['test', 'check', 'ping', 'verify', 'validate', 'try'] },
  { changes: false, words: ['diff', 'compare', 'difference'] },
  { changes: false, words: ['run', 'execute', 'exec'] },
  { changes: true, words: ['add', 'create', 'create-item', 'new', 'make', 'insert', 'register', 'set'] },
  {
    changes: true,
    words: ['update', 'edit', 'set', 'change', 'modify', 'patch', 'put', 'alter', 'configure', 'save'],
  },
  { changes: true, words: ['remove', 'rm', 'delete', 'del', 'drop', 'unset', 'erase', 'destroy', 'forget'] },
  { changes: true, words: ['undo', 'revert', 'rollback'] },
  { changes: true, words: ['use', 'switch', 'select', 'activate'] },
  { changes: true, words: ['attach', 'upload'] },
  { changes: true, words: ['start', 'serve', 'up', 'launch'] },
  { changes: true, words: ['stop', 'kill', 'down', 'halt', 'quit'] },
  { changes: true, words: ['reset', 'clear', 'wipe'] },
];

/** Other names for what commands are about, by the last word of the topic. */
export const topicNames: Readonly<Record<string, readonly string[]>> = {
  relation: ['contact', 'customer', 'client', 'person', 'people', 'company', 'organisation', 'organization', 'account'],
  activity: ['task', 'ticket', 'case', 'issue', 'todo', 'workitem'],
  attachment: ['file', 'document'],
  product: ['article'],
  profile: ['config', 'configuration', 'settings', 'context', 'credential', 'remote'],
  sandbox: ['mock', 'demo', 'emulator', 'server', 'fake'],
  bookmark: ['checkpoint', 'cursor', 'snapshot'],
  notification: ['alert', 'message'],
  datastore: ['picklist', 'dropdown'],
  export: ['job', 'backup', 'dump'],
};

/** What is meant by words that other programs have as a command: command lines, the likeliest first. */
export const programWords: Readonly<Record<string, readonly string[]>> = {
  version: ['--version'],
  login: ['profile add NAME'],
  logon: ['profile add NAME'],
  signin: ['profile add NAME'],
  auth: ['profile add NAME', 'profile test'],
  authenticate: ['profile add NAME', 'profile test'],
  connect: ['profile add NAME', 'profile test'],
  init: ['profile add NAME'],
  setup: ['profile add NAME'],
  configure: ['profile add NAME', 'profile edit NAME'],
  config: ['profile list', 'profile show'],
  configuration: ['profile list', 'profile show'],
  settings: ['profile show', 'profile list'],
  logout: ['profile remove NAME'],
  me: ['whoami'],
  user: ['whoami'],
  users: ['whoami'],
  'who am i': ['whoami'],
  health: ['doctor', 'profile test'],
  check: ['doctor', 'profile test'],
  ping: ['profile test', 'doctor'],
  test: ['profile test', 'doctor'],
  diagnose: ['doctor'],
  completion: ['autocomplete --install'],
  completions: ['autocomplete --install'],
  complete: ['autocomplete --install'],
  'export csv': ['relation list -o csv', 'export run'],
  'export excel': ['relation list -o xlsx --output-file relations.xlsx'],
  'export xlsx': ['relation list -o xlsx --output-file relations.xlsx'],
  'export parquet': ['relation list -o parquet --output-file relations.parquet'],
  'export json': ['relation list -o json', 'export run'],
  csv: ['relation list -o csv'],
  soap: ['call', 'operations'],
  query: ['sql'],
  select: ['sql'],
  request: ['call', 'operations'],
  invoke: ['call', 'operations'],
  raw: ['call', 'operations'],
  api: ['operations', 'call'],
  methods: ['operations'],
  download: ['attachment get'],
  aliases: ['name list'],
  phones: ['relation phone-book'],
  man: ['--help'],
  usage: ['--help'],
  commands: ['--help'],
  exit: ['--help'],
};

/** Topics in the order in which people use them most. */
export const usualTopics: readonly string[] = [
  'relation',
  'activity',
  'product',
  'relationship',
  'profile',
  'attachment',
];
