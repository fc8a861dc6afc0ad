import type { ContractDifference, How } from '../../descriptions/against-contract.js';

const none = 'nothing for commands';

/** A difference, and what commands do only after an import: nothing where the WSDL was imported. */
interface Of extends Pick<ContractDifference, 'isNeeded' | 'isShown'> {
  readonly condition: '' | ' once it is imported';
}

const sent: Readonly<Record<How, (found: Of) => string>> = {
  more: ({ isNeeded }) => (isNeeded ? 'commands do not send it, and may be refused' : 'commands do not send it'),
  less: () => 'commands send it where it is given; the service may ignore or refuse it',
  name: () => 'commands send it by the name of the contract',
  type: () => 'commands send it by the contract; the service may refuse it',
  order: () => 'commands send it in the place of the contract; the service may not see it there',
  presence: ({ isNeeded }) => (isNeeded ? 'calls without it may be refused' : none),
  other: () => 'calls may be refused',
};

const read: Readonly<Record<How, (found: Of) => string>> = {
  more: ({ condition }) => (condition === '' ? 'printed' : `printed, with its type${condition}`),
  less: () => 'commands print nothing there',
  name: ({ condition }) => `read by this name${condition}`,
  type: ({ isShown, condition }) =>
    isShown ? 'a value that does not fit is kept as text, which is told' : `read as the WSDL says${condition}`,
  order: () => none,
  presence: ({ isNeeded }) => (isNeeded ? none : 'it may be missing'),
  other: () => 'answers may not be read',
};

function ofValue({ how, isSent, isRead }: ContractDifference, isImported: boolean): string {
  if (how === 'less') return isSent ? 'the service may refuse it' : 'it does not come';
  const known = isImported ? 'read as others are' : 'unknown until it is imported';
  return [isRead ? known : '', isSent ? 'commands do not send it' : ''].filter((words) => words !== '').join('; ');
}

/**
 * What a difference between the contract and the WSDL of a service means for commands, in words.
 * @param isImported the WSDL is the one that was imported, so that commands know it
 */
export function meaningOf(found: ContractDifference, isImported: boolean): string {
  const { kind, how, isSent, isRead } = found;
  const condition = isImported ? '' : ' once it is imported';
  if (kind === 'operation') return how === 'less' ? 'commands that call it fail' : `called by \`call\`${condition}`;
  if (kind === 'value') return ofValue(found, isImported);
  if (kind === 'message' || kind === 'namespace') return 'calls may be refused, or their answers not be read';
  const of = { ...found, condition } as const;
  const words = [...(isSent ? [sent[how](of)] : []), ...(isRead ? [read[how](of)] : [])];
  return words.filter((each) => each !== none).join('; ') || none;
}
