import type { ContractDifference, How } from '../../descriptions/against-contract.js';

const none = 'nothing for commands';

type Of = Pick<ContractDifference, 'isNeeded' | 'isShown' | 'service'>;

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
  more: () => 'printed, with its type once it is imported',
  less: () => 'commands print nothing there',
  name: () => 'read by this name once it is imported',
  type: ({ isShown }) =>
    isShown ? 'a value that does not fit is kept as text, which is told' : 'read as the WSDL says once it is imported',
  order: () => none,
  presence: ({ isNeeded }) => (isNeeded ? none : 'it may be missing'),
  other: () => 'answers may not be read',
};

function ofValue({ how, isSent, isRead }: ContractDifference): string {
  if (how === 'less') return isSent ? 'the service may refuse it' : 'it does not come';
  return [isRead ? 'unknown until it is imported' : '', isSent ? 'commands do not send it' : '']
    .filter((words) => words !== '')
    .join('; ');
}

/** What a difference between the contract and the WSDL of a service means for commands, in words. */
export function meaningOf(found: ContractDifference): string {
  const { kind, how, isSent, isRead } = found;
  if (kind === 'operation')
    return how === 'less' ? 'commands that call it fail' : 'called by `call` once it is imported';
  if (kind === 'value') return ofValue(found);
  if (kind === 'message' || kind === 'namespace') return 'calls may be refused, or their answers not be read';
  const words = [...(isSent ? [sent[how](found)] : []), ...(isRead ? [read[how](found)] : [])];
  return words.filter((each) => each !== none).join('; ') || none;
}
