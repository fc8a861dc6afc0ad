import type { LookupFunction } from 'node:net';

const name = /^(?:[^.]+\.)*localhost\.?$/;

/** 127.0.0.0/8 and ::1, and the addresses that stand for none, which systems connect to themselves; also as IPv6 writes those of IPv4. */
const address = /^(?:127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0)\])$/;

/**
 * True for a host that is this machine, which no proxy can reach and no network lies before.
 * @param hostname as a URL gives it: it has made 127.0.0.1 of 127.1, 0x7f.1 and 2130706433 already, and small letters of capitals
 */
export const isThisMachine = (hostname: string): boolean => name.test(hostname) || address.test(hostname);

/** True for the name of another host that a glance takes for this machine, such as localhost.example or 127.0.0.1.example. */
export const looksLikeThisMachine = (hostname: string): boolean =>
  !isThisMachine(hostname) && /(?:^|\.)localhost\.|^127\./.test(hostname);

const addresses = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
] as const;

const look: LookupFunction = (_, { all, family }, done) => {
  const [first, second] = addresses;
  if (all === true) done(null, [...addresses]);
  else if (family === 6 || family === 'IPv6') done(null, second.address, second.family);
  else done(null, first.address, first.family);
};

/**
 * What finds the addresses of a name of this machine without asking anybody (RFC 6761, section 6.3): a name server could
 * answer for sub.localhost with another machine, to which the credentials would go in the clear. Undefined for any other host.
 */
export const lookupHere = (hostname: string): LookupFunction | undefined => (name.test(hostname) ? look : undefined);
