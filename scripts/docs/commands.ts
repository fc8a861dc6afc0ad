import { isSame, sharedGroups, type SharedGroup } from './flags.js';
import { manifestCommands, meaningOf, typed, typedFlag, type ManifestCommand, type ManifestFlag } from './manifest-read.js';
import { anchor, code } from './markdown.js';

function usage(command: ManifestCommand): string {
  const args = Object.values(command.args).map(({ name, required }) =>
    required === true ? name.toUpperCase() : `[${name.toUpperCase()}]`,
  );
  return `relctl ${[typed(command), ...args].join(' ')}`;
}

/** The flags of a command that only few others have, one a line. */
function ownFlags({ flags }: ManifestCommand, shared: readonly SharedGroup[]): string {
  const known = shared.flatMap((group) => group.flags);
  return Object.values(flags)
    .filter((flag) => flag.hidden !== true && !known.some((each) => isSame(each, flag)))
    .map((flag) => `- ${code(typedFlag(flag))}: ${meaningOf(flag)}`)
    .join('\n');
}

/** Which flags of a group a command has, in few words; nothing for none. */
function partOf({ title, short, flags }: SharedGroup, has: readonly ManifestFlag[]): readonly string[] {
  const [own, others] = [true, false].map((isOwn) =>
    flags.filter((each) => has.some((flag) => isSame(each, flag)) === isOwn).map(({ name }) => name),
  );
  if (own === undefined || others === undefined || own.length === 0) return [];
  const link = `[${short}](flags.md#${anchor(title)})`;
  if (others.length === 0) return [link];
  return [own.length <= others.length ? `${link} (${own.join(', ')})` : `${link} without ${others.join(', ')}`];
}

/** Its other flags by the groups that explain them; those of every command are left out. */
function sharedFlags({ flags }: ManifestCommand, [, ...shared]: readonly SharedGroup[]): string {
  const parts = shared.flatMap((group) => partOf(group, Object.values(flags)));
  return parts.length === 0 ? '' : `Shared flags: ${parts.join('; ')}.`;
}

/** Help shows the others. */
const shownExamples = 2;

function details(command: ManifestCommand, shared: readonly SharedGroup[]): string {
  const examples = (command.examples ?? [])
    .slice(0, shownExamples)
    .map((example) => example.replaceAll('<%= config.bin %>', 'relctl'));
  const parts = [
    `### ${typed(command)}`,
    command.summary ?? '',
    `\`\`\`sh\n${examples.join('\n')}\n\`\`\``,
    `Usage: ${code(usage(command))}`,
    ownFlags(command, shared),
    sharedFlags(command, shared),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The commands of each topic, linked; those outside of a topic together. */
function index(commands: readonly ManifestCommand[]): string {
  const topics = new Map<string, readonly string[]>();
  for (const command of commands) {
    const [first = '', ...rest] = typed(command).split(' ');
    const isTopic = commands.some(({ id }) => id.startsWith(`${first}:`));
    const topic = isTopic ? first : 'others';
    const links = topics.get(topic) ?? [];
    topics.set(topic, [...links, `[${rest.join(' ') || first}](#${anchor(typed(command))})`]);
  }
  const lines = [...topics].toSorted(([one], [other]) => Number(one === 'others') - Number(other === 'others'));
  return lines.map(([topic, links]) => `- ${topic}: ${links.join(', ')}`).join('\n');
}

/** Every command with its examples, its own flags, and the names of those that are explained with the shared ones. */
export function commandsText(root: string): string {
  const commands = manifestCommands(root);
  const shared = sharedGroups(commands);
  return [
    index(commands),
    ...commands.map((command) => details(command, shared)),
  ].join('\n\n');
}
