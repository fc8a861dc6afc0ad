import type { Interfaces } from '@oclif/core';
import { momentOf } from '../../core/text/time/moment.js';
import type { RecordKind } from '../../contract/lists.js';
import type { NameKind } from '../../profiles/names.js';
import { checkedSetting, settings, type Setting, type SettingName } from '../../profiles/settings/settings.js';
import { usage } from '../../core/errors/relctl-error.js';
import { argument, option, type OptionKind, type Reader } from './define.js';
import {
  choiceOf,
  decimalOf,
  durationMs,
  someDurationMs,
  minutesOf,
  guidOf,
  idOrNameOf,
  idOrTextOf,
  noTime,
  wholeOf,
  yesNoOf,
  type Bounds,
} from './readers.js';

/** An option that holds the id of a record of a kind, or its name in the profile. */
export const idOption = (kind: NameKind): OptionKind<string> =>
  option(idOrNameOf, { helpValue: 'ID|NAME', idOf: kind });

/** An option that holds a decimal, to the digit. */
export const decimalOption = option(decimalOf, { helpValue: 'DECIMAL' });

/** An option that holds a length of time; its value is in milliseconds. */
export const durationOption = option(durationMs, { helpValue: 'DURATION' });

/** The same for one that must not be over at once. */
export const someDurationOption = option(someDurationMs, { helpValue: 'DURATION' });

/** An option that holds a length of time, in minutes. */
export const minutesOption = option(minutesOf, { helpValue: 'DURATION' });

/** An option that holds a whole number within bounds. */
export const wholeOption = (bounds: Bounds): OptionKind<number> =>
  option((text, flag) => wholeOf(text, flag, bounds), { helpValue: 'N', bounds });

/** An option that takes one of these words. */
export const choiceOption = <V extends string>(values: readonly V[]): OptionKind<V> =>
  option((text, flag) => choiceOf(text, flag, values), {
    helpValue: values.join('|'),
    offers: values,
    choices: values,
  });

const yesNo = ['true', 'false'] as const;

/** An option that says true or false, where leaving it out is a third thing. */
export const yesNoOption = option(yesNoOf, { helpValue: yesNo.join('|'), offers: yesNo });

/** An option that holds a setting of the profile for one command; its value is the text, which the profile reads. */
export const settingOption = (name: SettingName): OptionKind<string> => {
  const { form, choices = [], environment: env }: Setting = settings[name];
  const offers = form === 'zone' ? 'zones' : choices;
  const reader: Reader<string> = (text, flag) => {
    checkedSetting(name, text, flag);
    return text;
  };
  return option(
    reader,
    form === 'file' ? { env, helpValue: 'FILE', form: 'input-file', offers: 'files' } : { env, offers },
  );
};

/** Nearly the first and the last time of the calendar: what is none from either is none at all. */
const someTimes = [Date.UTC(200, 0), Date.UTC(9800, 0)];

const identity = (text: string): string => text;

/** An option that holds any text. */
export const textOption = option(identity);

/** An option that names a profile. */
export const profileOption = option(identity, { helpValue: 'NAME', offers: 'profiles' });

/** An option that names a bookmark. */
export const bookmarkOption = option(identity, { helpValue: 'NAME', offers: 'bookmarks' });

/** An option that names a field. */
export const fieldOption = option(identity, { helpValue: 'FIELD', offers: 'fields' });

function nonEmptyPath(text: string, flag: string): string {
  if (text !== '') return text;
  throw usage(flag, `${flag} needs a path, not an empty text`);
}

/** An option that names a file to read; - is stdin. */
export const inputFileOption = option(nonEmptyPath, { helpValue: 'FILE', form: 'input-file', offers: 'files' });

/** An option that names a file to write; - is a stream of output. */
export const outputFileOption = option(nonEmptyPath, { helpValue: 'FILE', form: 'output-file', offers: 'files' });

/** The same for a file that relctl reads again, which no stream can be. Throws `usage` for -. */
export const rereadFileOption = option(
  (text, flag) => {
    if (text === '-') throw usage(flag, `${flag} takes a file, not -: relctl reads it again`, `${flag} FILE`);
    return nonEmptyPath(text, flag);
  },
  { helpValue: 'FILE', form: 'output-file', offers: 'files' },
);

/** An option that names a file of relctl's own. Throws `usage` for an address. */
export const ownFileOption = option(
  (text, flag) => {
    if (/^\w+:\/\//.test(text)) throw usage(flag, `${flag} needs the path of a file, not an address`);
    return nonEmptyPath(text, flag);
  },
  { helpValue: 'FILE', offers: 'files' },
);

/** An option that names a folder. */
export const folderOption = option(nonEmptyPath, { helpValue: 'DIR', offers: 'folders' });

/** An option that holds names with commas between them. */
export const namesOption = option(identity, { helpValue: 'A,B', form: 'names' });

/** An option that holds a name and its value. */
export const pairOption = option(identity, { helpValue: 'NAME=VALUE', form: 'pairs' });

function checkedTime(text: string, flag: string): string {
  if (someTimes.some((nowMs) => momentOf(text, { nowMs, zone: 'UTC' }) !== undefined)) return text;
  throw noTime(text, flag);
}

/** An option that holds a time, as it was given. */
export const timeOption = option(checkedTime, {
  helpValue: 'TIME',
  offers: ['now', 'today', 'yesterday', '-7d', '-2h'],
});

/** An argument that holds any text. */
export const textArg = argument(identity);

/** An argument that names a file. */
export const fileArg = argument(identity, { offers: 'files' });

/** An argument that names a folder. */
export const folderArg = argument(identity, { offers: 'folders' });

/** An argument that names a profile. */
export const profileArg = argument(identity, { offers: 'profiles' });

/** An argument that names a bookmark. */
export const bookmarkArg = argument(identity, { offers: 'bookmarks' });

/** An argument that names a source of the mirror. */
export const sourceArg = argument(identity, { offers: 'sources' });

/** An argument that says what is added to a mirror: a kind, or an operation behind `call:`. */
export const addedArg = argument(identity, { offers: 'added-kinds' });

/** An argument that is a name of the kind that stands before it. */
export const nameArg = argument(identity, { offers: 'names' });

/** An argument that names an operation. */
export const operationArg = argument(identity, { offers: 'operations' });

const guid = argument(guidOf);

/** An argument that holds the GUID of a record. */
export const guidArg = (description: string): Interfaces.Arg<string> => guid({ required: true, description });

/** An argument that holds the id of a record of a kind, or its name in the profile. */
export const idArg = (kind: NameKind, description: string): Interfaces.Arg<string> =>
  argument(idOrNameOf, { idOf: kind })({ required: true, description });

const wordsForNameOf: Readonly<Record<RecordKind, string>> = {
  relation: 'name or import key',
  relationship: 'name',
  activity: 'number',
};

const recordWords = (kind: RecordKind, noun: string): string =>
  `Id of the ${noun}, or its ${wordsForNameOf[kind]} in the mirror`;

/** An argument that holds the Id of a record, or a name of it in the mirror. */
export const recordArg = (kind: RecordKind, noun: string = kind): Interfaces.Arg<string> =>
  argument(idOrTextOf, { idOf: kind })({ required: true, description: `${recordWords(kind, noun)}.` });

/** The same where --ids may stand instead. */
export const optionalRecordArg = (kind: RecordKind): Interfaces.Arg<string | undefined> =>
  argument(idOrTextOf, { idOf: kind })({ required: false, description: `${recordWords(kind, kind)}; or --ids.` });

/** A flag that holds a user's GUID. */
export const userFlag = idOption('user')({ summary: "User of the notifications; by default the profile's UserId." });
