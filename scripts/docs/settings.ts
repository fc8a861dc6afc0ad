import { settingEntries, type Setting } from '../../src/profiles/settings/settings.js';
import { code, table } from './markdown.js';

/** The flags that a setting has of its own, beside --set and --secret. */
function flagText({ flag, isSecret }: Setting): string {
  if (flag === undefined) return isSecret === true ? ' (secret)' : '';
  return isSecret === true ? ` (${code(`--${flag}-stdin`)}, ${code(`--${flag}-from`)})` : ` (${code(`--${flag}`)})`;
}

/** Every setting of a profile. */
export function settingsText(): string {
  return table(
    ['setting', 'variable', 'default', 'meaning'],
    settingEntries.map(([name, setting]) => [
      `${code(name)}${flagText(setting)}`,
      code(setting.environment),
      setting.fallback === undefined ? '' : code(String(setting.fallback) + (setting.form === 'duration' ? 's' : '')),
      setting.doc,
    ]),
  );
}
