import { secretPlace } from './secret.js';
import type { SettingName } from '../settings/settings.js';

/** The references and secrets in the value of a secret setting: one, or that of each header. */
export const referencesIn = (name: SettingName, text: string): readonly string[] =>
  name === 'headers' ? text.split(/\r?\n/).map((line) => line.replace(/^[^:]*:[ \t]*/, '')) : [text];

/** True for a secret setting that holds a secret as it is, and not a reference to it. */
export const hasPlain = (name: SettingName, text: string): boolean =>
  referencesIn(name, text).some((each) => secretPlace(each) === 'value');
