import { isThisMachine, looksLikeThisMachine } from '../../soap/transport/this-machine.js';

/**
 * The risks of calling an address, the worst first: a clause that follows the host or the address, and flags of `profile edit`
 * that end it.
 * @param takesAny any certificate is taken
 */
export function risksOf({ protocol, hostname }: URL, takesAny: boolean): readonly Record<'words' | 'mend', string>[] {
  const tls = '--base-url https://…';
  const risks = [
    [
      looksLikeThisMachine(hostname),
      'looks like this machine, but its name may lead anywhere: the credentials go there',
      tls,
    ],
    [
      protocol === 'http:' && !isThisMachine(hostname),
      'is called without TLS: the credentials can be read on the way',
      tls,
    ],
    [
      takesAny && protocol === 'https:',
      'may show any certificate: who answers in its place gets the credentials',
      '--unset insecureTls',
    ],
  ] as const;
  return risks.flatMap(([isThere, words, mend]) => (isThere ? [{ words, mend }] : []));
}
