import { isThisMachine, looksLikeThisMachine } from '../../soap/transport/this-machine.js';

/** What is risky about the way to a service. */
interface Risk {
  /** A clause that follows the host or the address. */
  readonly words: string;
  /** Flags of `profile edit` that end it. */
  readonly mend: string;
}

const noTls: Risk = {
  words: 'is called without TLS: the credentials can be read on the way',
  mend: '--base-url https://…',
};

const anyCertificate: Risk = {
  words: 'may show any certificate: who answers in its place gets the credentials',
  mend: '--unset insecureTls',
};

const lookalike: Risk = {
  words: 'looks like this machine, but its name may lead anywhere: the credentials go there',
  mend: '--base-url https://…',
};

/** The risks of calling an address, the worst first. @param takesAny any certificate is taken */
export function risksOf({ protocol, hostname }: URL, takesAny: boolean): readonly Risk[] {
  const isClear = protocol === 'http:' && !isThisMachine(hostname);
  return [
    ...(looksLikeThisMachine(hostname) ? [lookalike] : []),
    ...(isClear ? [noTls] : []),
    ...(takesAny && protocol === 'https:' ? [anyCertificate] : []),
  ];
}
