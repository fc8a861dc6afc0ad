import { nearest } from '../core/text/text.js';

/**
 * What the last word of a command may be called, and whether that changes something: a record of the service, or what relctl
 * keeps. A word may have several meanings.
 */
const meanings = [
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
const topicNames: Readonly<Record<string, readonly string[]>> = {
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
const programWords: ReadonlyMap<string, readonly string[]> = new Map(
  [
    { words: ['version'], lines: ['--version'] },
    { words: ['login', 'logon', 'signin', 'init', 'setup'], lines: ['profile add NAME'] },
    { words: ['auth', 'authenticate', 'connect'], lines: ['profile add NAME', 'profile test'] },
    { words: ['configure'], lines: ['profile add NAME', 'profile edit NAME'] },
    { words: ['config', 'configuration'], lines: ['profile list', 'profile show'] },
    { words: ['settings'], lines: ['profile show', 'profile list'] },
    { words: ['logout'], lines: ['profile remove NAME'] },
    { words: ['me', 'user', 'users', 'who am i'], lines: ['whoami'] },
    { words: ['health', 'check'], lines: ['doctor', 'profile test'] },
    { words: ['ping', 'test'], lines: ['profile test', 'doctor'] },
    { words: ['diagnose'], lines: ['doctor'] },
    { words: ['completion', 'completions', 'complete'], lines: ['autocomplete --install'] },
    { words: ['export csv'], lines: ['relation list -o csv', 'export run'] },
    { words: ['export excel', 'export xlsx'], lines: ['relation list -o xlsx --output-file relations.xlsx'] },
    { words: ['export parquet'], lines: ['relation list -o parquet --output-file relations.parquet'] },
    { words: ['export json'], lines: ['relation list -o json', 'export run'] },
    { words: ['csv'], lines: ['relation list -o csv'] },
    { words: ['soap', 'request', 'invoke', 'raw'], lines: ['call', 'operations'] },
    { words: ['query', 'select'], lines: ['sql'] },
    { words: ['api'], lines: ['operations', 'call'] },
    { words: ['methods'], lines: ['operations'] },
    { words: ['download'], lines: ['attachment get'] },
    { words: ['aliases'], lines: ['name list'] },
    { words: ['phones'], lines: ['relation phone-book'] },
    { words: ['man', 'usage', 'commands', 'exit'], lines: ['--help'] },
  ].flatMap(({ words, lines }) => words.map((word) => [word, lines] as const)),
);

/** Topics in the order in which people use them most. */
const usualTopics: readonly string[] = ['relation', 'activity', 'product', 'relationship', 'profile', 'attachment'];

/** The names that can be asked for, with `:` between words. */
export interface Names {
  readonly commands: readonly string[];
  readonly topics: readonly string[];
}

const mostSuggestions = 3;

const spaced = (id: string): string => id.replaceAll(':', ' ');
const lastWord = (id: string): string => id.slice(id.lastIndexOf(':') + 1);
const wordsOf = (changes: boolean): readonly string[] =>
  meanings.filter((meaning) => meaning.changes === changes).flatMap(({ words }) => words);

const changing: ReadonlySet<string> = new Set([...wordsOf(true), 'add-line']);

const changesSomething = (id: string): boolean => id.split(':').some((word) => changing.has(word));

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');

/** The topic of a word: itself, its plural, or another name of it. */
function topicNamed(word: string, { topics }: Names): string | undefined {
  const names = new Set([word, singular(word)]);
  const match = topics.find((topic) => names.has(lastWord(topic)));
  return match ?? topics.find((topic) => topicNames[lastWord(topic)]?.some((name) => names.has(name)));
}

function topicSpeltNear(word: string, { topics }: Names): string | undefined {
  const nearestTopic = nearest(word, topics.map(lastWord));
  return topics.find((topic) => lastWord(topic) === nearestTopic);
}

/**
 * The word that a word stands for: itself, when it is known, or the nearest. Of two that are as near it is the one that
 * changes nothing.
 */
function verbOf(word: string, commands: readonly string[]): string | undefined {
  const own = commands.filter((id) => !changesSomething(id)).map(lastWord);
  const reading = [...own, ...wordsOf(false)];
  const all = [...reading, ...changing];
  return all.includes(word) ? word : nearest(word, all);
}

function sameMeaning(verb: string): ReadonlySet<string> {
  return new Set([verb, ...meanings.filter(({ words }) => words.includes(verb)).flatMap(({ words }) => words)]);
}

const commandsAllowedFor = (verb: string, commands: readonly string[]): readonly string[] =>
  changing.has(verb) ? commands : commands.filter((id) => !changesSomething(id));

function commandsForVerb(verb: string, all: readonly string[]): readonly string[] {
  const commands = commandsAllowedFor(verb, all);
  const same = commands.filter((id) => lastWord(id) === verb);
  if (same.length > 0) return same;
  const words = sameMeaning(verb);
  const matches = commands.filter((id) => words.has(lastWord(id)));
  return matches.length > 0 ? matches : commands.filter((id) => lastWord(id).startsWith(`${verb}-`));
}

function readingCommandsIn(commands: readonly string[]): readonly string[] {
  const usual = ['get', 'show', 'list', 'search'].flatMap((verb) => commands.filter((id) => lastWord(id) === verb));
  const all = commands.filter((id) => !changesSomething(id));
  return usual.length > 0 || all.length > mostSuggestions ? usual : all;
}

const readingCommandsStartingWith = (word: string, commands: readonly string[]): readonly string[] =>
  word.length < 3 ? [] : commands.filter((id) => lastWord(id).startsWith(word) && !changesSomething(id));

function withinTopic(topic: string, word: string, names: Names): readonly string[] {
  const commands = names.commands.filter((id) => id.startsWith(`${topic}:`));
  const verb = verbOf(word, commands);
  const matches = verb === undefined ? [] : commandsForVerb(verb, commands);
  const isReading = verb !== undefined && !changing.has(verb);
  const choices = [
    matches,
    readingCommandsStartingWith(word, commands),
    isReading ? readingCommandsIn(commands) : [],
    [`${topic} --help`],
  ];
  return choices.find((lines) => lines.length > 0) ?? [];
}

/** A word without a topic: commands of any topic, those that people use most first. */
function anywhere(word: string, names: Names): readonly string[] {
  const verb = verbOf(word, names.commands);
  if (verb === undefined) return [];
  const rank = (id: string): number => {
    const position = usualTopics.indexOf(id.split(':', 1)[0] ?? '');
    return position === -1 ? usualTopics.length : position;
  };
  const words = sameMeaning(verb);
  const candidates = commandsAllowedFor(verb, names.commands).filter((id) => words.has(lastWord(id)));
  return candidates.toSorted((left, right) => rank(left) - rank(right));
}

function commandsOfOtherPrograms(typed: readonly string[], { commands, topics }: Names): readonly string[] {
  const [first = '', second = ''] = typed;
  // A statement or a sentence is no word of a command.
  const isAlone = typed.length === 1 || second.includes(' ');
  const phrases = [...[3, 2].map((count) => typed.slice(0, count).join(' ')), ...(isAlone ? [first] : [])];
  const lines = phrases.map((phrase) => programWords.get(phrase)).find((each) => each !== undefined) ?? [];
  const isKnown = (line: string): boolean =>
    line.startsWith('--') || [...commands, ...topics].some((id) => `${line} `.startsWith(`${spaced(id)} `));
  return lines.filter(isKnown);
}

/** A topic alone: its list, where a word means it and is not its name; else what it has. */
function topicAlone(topic: string, names: Names): readonly string[] {
  const list = `${topic}:list`;
  return names.commands.includes(list) ? [list] : [topic];
}

function guesses(typed: readonly string[], names: Names): readonly string[] {
  const lines = commandsOfOtherPrograms(typed, names);
  if (lines.length > 0) return lines;
  const [first = '', second] = typed;
  if (second === undefined) {
    const topic = topicNamed(first, names);
    if (topic !== undefined) return topicAlone(topic, names);
    const near = topicSpeltNear(first, names);
    return near === undefined ? anywhere(first, names) : [near];
  }
  for (const find of [topicNamed, topicSpeltNear]) {
    const topic = find(first, names);
    if (topic !== undefined) return withinTopic(topic, second, names);
    const secondMatch = find(second, names);
    if (secondMatch !== undefined) return withinTopic(secondMatch, first, names);
  }
  return guesses([first], names);
}

/**
 * What may be meant by words that are no command, as command lines without the program's name: by meaning, then by letters.
 * A word of reading never gets a command that changes something. Empty when nothing is meant.
 * @param words those before the first flag
 */
export function guessCommands(words: readonly string[], { commands, topics }: Names): readonly string[] {
  const names = { commands, topics: topics.filter((topic) => commands.some((id) => id.startsWith(`${topic}:`))) };
  const typed = words.map((word) => word.slice(0, 64).toLowerCase());
  const topic = [2, 1].map((count) => typed.slice(0, count).join(':')).find((id) => names.topics.includes(id));
  const isDeep = topic?.includes(':') === true && typed.length > 2;
  const suggestions = isDeep ? withinTopic(topic, typed[2] ?? '', names) : guesses(typed.slice(0, 3), names);
  return [...new Set(suggestions.map(spaced))].slice(0, mostSuggestions);
}
