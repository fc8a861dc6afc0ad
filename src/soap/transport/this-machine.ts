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
