import type { NamedPlace } from '../cli/names/places.js';
import { pastedGuid } from '../lexical/values/guid.js';
import { refusal, wrongValue } from './flag-values.js';
import type { WrittenJob } from './job-file.js';
import type { GivenFlag } from './job-flags.js';
import type { Report } from './mistakes.js';

/** What is wrong with a name of an id in a profile, in words; undefined when it is known. */
export type WrongNameIn = (profile: string | undefined, place: NamedPlace) => string | undefined;

/** The values of a flag, without `--NAME=`. */
const valuesOf = ({ facts, words }: GivenFlag): readonly string[] =>
  words.map((word) => word.slice(`--${facts.name}=`.length));

/**
 * Reports the names of ids that the profile of a job does not know, so that no job of the file begins with one of them
 * unknown.
 */
export function checkNames(
  job: WrittenJob,
  given: ReadonlyMap<string, GivenFlag>,
  { wrongNameIn, report }: { readonly wrongNameIn: WrongNameIn; readonly report: Report },
): void {
  const profileFlag = given.get('profile');
  const [profile] = profileFlag === undefined ? [] : valuesOf(profileFlag);
  const check = (at: Parameters<Report>[0], place: Omit<NamedPlace, 'texts'>, text: string): void => {
    const wrong = pastedGuid(text) === undefined ? wrongNameIn(profile, { ...place, texts: [text] }) : undefined;
    if (wrong !== undefined) report(at, wrong);
  };
  for (const flag of given.values()) {
    const { idOf: kind, name: key } = flag.facts;
    if (kind === undefined) continue;
    // What can be no name was reported when the flag was read.
    const texts = valuesOf(flag).filter((text) => wrongValue(flag.facts, text) === undefined);
    for (const text of texts) check(flag.setting.value.at, { group: 'flags', key, kind }, text);
  }
  for (const [index, { name: key, idOf: kind, reader }] of job.command.args.entries()) {
    const text = job.args[index];
    const isRead = text !== undefined && refusal(reader, text, key) === undefined;
    if (kind !== undefined && isRead) check(job.at, { group: 'args', key, kind }, text);
  }
}
