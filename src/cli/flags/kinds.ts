import type { Interfaces } from '@oclif/core';
import { momentOf } from '../../lexical/moment.js';
import type { NameKind } from '../../profiles/names.js';
import { checkedSetting, settings, type SettingName } from '../../profiles/settings.js';
import { argument, option, type OptionKind, type Reader } from './define.js';
import {
  choiceOf,
  decimalOf,
  durationMs,
  minutesOf,
  guidOf,
  idOrNameOf,
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

/** An option that holds a length of time, in minutes. */
export const minutesOption = option(minutesOf, { helpValue: 'DURATION' });

/** An option that holds a whole number within bounds. */
export const wholeOption = (bounds: Bounds): OptionKind<number> =>
  option((text, flag) => wholeOf(text, flag, bounds), { helpValue: 'N' });

/** An option that takes one of these words. */
export const choiceOption = <V extends string>(values: readonly V[]): OptionKind<V> =>
  option((text, flag) => choiceOf(text, flag, values), { helpValue: values.join('|') });

/** An option that says true or false, where leaving it out is a third thing. */
export const yesNoOption = option(yesNoOf, { helpValue: 'true|false' });

/** An option that holds a setting of the profile for one command; its value is the text, which the profile reads. */
export const settingOption = (name: SettingName): OptionKind<string> => {
  const isFile = settings[name].form === 'file';
  const reader: Reader<string> = (text, flag) => {
    checkedSetting(name, text, flag);
    return text;
  };
  const env = settings[name].environment;
  return option(reader, isFile ? { env, helpValue: 'FILE', form: 'input-file' } : { env });
};

/** Nearly the first and the last time of the calendar: what is none from either is none at all. */
const someTimes = [Date.UTC(200, 0), Date.UTC(9800, 0)];

const asGiven = (text: string): string => text;

/** An option that holds any text. */
export const textOption = option(asGiven);

/** An option that names a file to read; - is stdin. */
export const inputFileOption = option(asGiven, { helpValue: 'FILE', form: 'input-file' });

/** An option that names a file to write; - is a stream of output. */
export const outputFileOption = option(asGiven, { helpValue: 'FILE', form: 'output-file' });

/** An option that holds names with commas between them. */
export const namesOption = option(asGiven, { helpValue: 'A,B', form: 'names' });

/** An option that holds a name and its value. */
export const pairOption = option(asGiven, { helpValue: 'NAME=VALUE', form: 'pairs' });

/** The form of a time; which one it is depends on the profile's zone and the clock. Throws `usage` that names the flag. */
function timeForm(text: string, flag: string): string {
  if (someTimes.some((nowMs) => momentOf(text, { nowMs, zone: 'UTC' }) !== undefined)) return text;
  throw noTime(text, flag);
}

/** An option that holds a time, as it was given. */
export const timeOption = option(timeForm, { helpValue: 'TIME' });

/** An argument that holds any text. */
export const textArg = argument(asGiven);

const guid = argument(guidOf);

/** An argument that holds the GUID of a record. */
export const guidArg = (description: string): Interfaces.Arg<string> => guid({ required: true, description });

/** An argument that holds the id of a record of a kind, or its name in the profile. */
export const idArg = (kind: NameKind, description: string): Interfaces.Arg<string> =>
  argument(idOrNameOf, { idOf: kind })({ required: true, description });

/** The same where --ids may stand instead. */
export const optionalGuidArg = (description: string): Interfaces.Arg<string | undefined> =>
  guid({ required: false, description: `${description} Or --ids.` });
