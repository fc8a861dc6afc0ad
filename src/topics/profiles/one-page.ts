import { usage } from '../../errors/usage.js';
import { shellWord } from '../../lexical/shell/command.js';
import { pageOf } from '../../profiles/settings/service-address.js';
import type { Changes, StoredProfile } from '../../profiles/store/store.js';

/**
 * Throws `usage` where changes give a profile a base address that names the page beside a path: no call could be made. A
 * profile that had both before is not refused for another change, and a base address that was broken by hand names no page.
 */
export function refuseTwoPages(known: StoredProfile, changes: Changes): void {
  const { baseUrl, path } = { ...known, ...changes };
  if (typeof changes.baseUrl !== 'string' && typeof changes.path !== 'string') return;
  if (typeof baseUrl !== 'string' || typeof path !== 'string' || !URL.canParse(baseUrl)) return;
  const page = pageOf(baseUrl);
  if (page === undefined) return;
  throw usage('--base-url', `the base address names the page ${page} already, and the path is ${path}`, {
    advice: 'Give one of them: the address of the page, or a base address with a path.',
    hint: typeof changes.path === 'string' ? `--base-url ${shellWord(new URL(baseUrl).origin)}` : '--unset path',
  });
}
