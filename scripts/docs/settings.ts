import { settingEntries, type Setting } from '../../src/profiles/settings/settings.js';
import { code, table } from './markdown.js';

function flagText({ flag, form, isSecret }: Setting): string {
  if (form === 'headers') return `${code(`--${flag}`)}, ${code(`--${flag}-stdin`)}`;
  return isSecret === true ? `${code(`--${flag}-stdin`)}, ${code(`--${flag}-from`)}` : code(`--${flag}`);
}

/** Every setting of a profile. */
export function settingsText(): string {
  return table(
    ['setting', 'flag of `profile add` and `edit`', 'environment', 'default', 'meaning'],
    settingEntries.map(([name, setting]) => [
      code(name),
      flagText(setting),
      code(setting.environment),
      setting.fallback === undefined ? '' : code(String(setting.fallback) + (setting.form === 'duration' ? 's' : '')),
      setting.doc,
    ]),
  );
}
