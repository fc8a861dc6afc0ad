import { manifestCommands, meaningOf, typed, type ManifestCommand } from './manifest-read.js';
import { code, table } from './markdown.js';

function usage(command: ManifestCommand): string {
  const args = Object.values(command.args).map(({ name, required }) =>
    required === true ? name.toUpperCase() : `[${name.toUpperCase()}]`,
  );
  return `relctl ${[typed(command), ...args].join(' ')}`;
}

function flagsTable(command: ManifestCommand): string {
  const shown = Object.values(command.flags).filter((flag) => flag.hidden !== true);
  return table(
    ['flag', 'meaning'],
    shown.map(({ name, char, helpValue, allowNo, ...flag }) => [
      code(
        `${char === undefined ? '' : `-${char}, `}--${allowNo === true ? '[no-]' : ''}${name}${helpValue === undefined || helpValue === '' ? '' : ` ${helpValue}`}`,
      ),
      meaningOf({ name, ...flag }),
    ]),
  );
}

function details(command: ManifestCommand): string {
  const examples = (command.examples ?? []).map((example) => example.replaceAll('<%= config.bin %>', 'relctl'));
  return [
    `### ${typed(command)}`,
    command.summary ?? '',
    `\`\`\`sh\n${examples.join('\n')}\n\`\`\``,
    `Usage: ${code(usage(command))}`,
    flagsTable(command),
  ].join('\n\n');
}

/** Every command with its examples and flags. */
export function commandsText(root: string): string {
  const commands = manifestCommands(root);
  return [
    table(
      ['command', 'what it does'],
      commands.map((command) => [`[${typed(command)}](#${typed(command).replaceAll(' ', '-')})`, command.summary ?? '']),
    ),
    ...commands.map(details),
  ].join('\n\n');
}
