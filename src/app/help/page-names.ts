/** A page of the docs that help prints, with what it is about. */
export interface HelpPage {
  /** Its file below docs, without the ending. */
  readonly file: string;
  readonly about: string;
}

/** The pages by the names that help knows them by, in the order in which it lists them. No command has such a name. */
export const helpPages: Readonly<Record<string, HelpPage>> = {
  flags: { file: 'flags', about: 'Flags that many commands have.' },
  'exit-codes': { file: 'exit-codes', about: 'What each exit code means, and what a script should do.' },
  environment: { file: 'environment', about: 'All variables of the environment, and which value comes first.' },
  columns: { file: 'columns', about: 'Which columns there are, and how to choose them.' },
  formats: { file: 'formats', about: 'Formats of output: tables, CSV, JSON, workbooks.' },
  names: {
    file: 'names',
    about: 'Names in the place of Ids and beside them, columns for fields, many relations at once.',
  },
  words: { file: 'words', about: 'Words of the service, and where each GUID comes from.' },
  glossary: { file: 'glossary', about: 'Words of relctl itself.' },
  profiles: { file: 'profiles', about: 'Addresses, credentials and settings of services.' },
  queries: { file: 'queries', about: 'Filter, sort, query and count, on every command that prints records.' },
  cookbook: { file: 'cookbook', about: 'Twelve jobs, with lines to paste.' },
  'find-guide': { file: 'find', about: 'Find records by name, number, key or code.' },
  'sql-guide': { file: 'sql', about: 'Questions in SQL, asked of the mirror.' },
  exports: { file: 'exports', about: 'Exports to files, job files, cron, systemd, Kubernetes.' },
  'mirror-guide': { file: 'mirror', about: 'The mirror: what it keeps and where, syncs, tables, changes.' },
  'import-guide': { file: 'import', about: 'Operations of a deployed service, from its WSDL.' },
  'call-lists': { file: 'call-lists', about: 'Lists of any operation, by call --list.' },
  'mcp-guide': { file: 'mcp', about: 'Tools for agents, by the Model Context Protocol.' },
  editing: { file: 'editing', about: 'Records edited in a spreadsheet, and fed back.' },
  'writes-guide': { file: 'writes', about: 'Writes from a file: checks, plans, results, going on.' },
  ledger: { file: 'ledger', about: 'What was written: shown, put back, forgotten.' },
  attachments: { file: 'attachments', about: 'Files of activities.' },
  'sandbox-guide': { file: 'sandbox', about: 'The embedded service: data, ports, other machines.' },
  recordings: { file: 'recording', about: 'Calls that are recorded, and served again.' },
  faults: { file: 'faults', about: 'Failures that the sandbox produces on purpose.' },
  records: { file: 'records', about: 'Records of the service, member by member.' },
};

/** Names that pages had in earlier versions, with those that they have. Help prints the pages, and does not list the names. */
export const earlierPages: Readonly<Record<string, string>> = { terms: 'glossary' };
