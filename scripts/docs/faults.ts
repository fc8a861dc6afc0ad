import { faultKinds, scheduleKeys } from '../../src/sandbox/faults/spec.js';
import { families, type Argument, type FaultKind } from '../../src/sandbox/faults/kinds/fault-kind.js';
import { code } from './markdown.js';

const preset = ({ preset: usual }: Argument): string => {
  if (usual === undefined) return '';
  return usual === '' ? ' Left out: none.' : ` Left out: ${code(usual)}.`;
};

const part = (name: string, argument: Argument): string =>
  `- ${code(`${name}=…`)} (${argument.form.words}): ${argument.words}${preset(argument)}`;

function section({ name, words, value, args, example }: FaultKind): string {
  const parts = [
    ...(value === undefined ? [] : [part(name, value)]),
    ...Object.entries(args).map(([arg, argument]) => part(arg, argument)),
  ];
  return [`#### ${name}`, `${words} Example: ${code(`--fault '${example}'`)}`, parts.join('\n')]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Every fault that the sandbox can be told to have, and when it has them. */
export function faultsText(): string {
  const schedule = Object.entries(scheduleKeys)
    .map(([key, argument]) => part(key, argument))
    .join('\n');
  const sections = Object.entries(families).map(([family, words]) =>
    [`### ${words}`, ...faultKinds.filter((kind) => kind.family === family).map(section)].join('\n\n'),
  );
  return ['### When', schedule, ...sections].join('\n\n');
}
