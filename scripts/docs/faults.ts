import { faultKinds } from '../../src/sandbox/faults/kinds/catalogue.js';
import { families, type Argument, type FaultKind } from '../../src/sandbox/faults/kinds/fault-kind.js';
import { scheduleKeys } from '../../src/sandbox/faults/spec.js';
import { code, table } from './markdown.js';

const preset = ({ preset: usual }: Argument): string => {
  if (usual === undefined) return '';
  return usual === '' ? ' Left out: none.' : ` Left out: ${code(usual)}.`;
};

const row = (name: string, argument: Argument): string[] => [
  code(name),
  `${argument.words}${preset(argument)}`,
  argument.form.words,
];

function section({ name, words, value, args, example }: FaultKind): string {
  const rows = [
    ...(value === undefined ? [] : [row(`${name}=…`, value)]),
    ...Object.entries(args).map(([arg, argument]) => row(`${arg}=…`, argument)),
  ];
  return [
    `#### ${name}`,
    words,
    ...(rows.length === 0 ? [] : [table(['part', 'meaning', 'form'], rows)]),
    `\`\`\`sh\nrelctl sandbox start --fault '${example}'\n\`\`\``,
  ].join('\n\n');
}

/** Every fault that the sandbox can be told to have, and when it has them. */
export function faultsText(): string {
  const schedule = table(
    ['part', 'meaning', 'form'],
    Object.entries(scheduleKeys).map(([key, argument]) => row(`${key}=…`, argument)),
  );
  const sections = Object.entries(families).map(([family, words]) =>
    [`### ${words}`, ...faultKinds.filter((kind) => kind.family === family).map(section)].join('\n\n'),
  );
  return ['### When', schedule, ...sections].join('\n\n');
}
