import type { RelctlError } from '../../errors/relctl-error.js';
import { usage } from '../../errors/usage.js';
import { shellWord } from '../../lexical/shell/command.js';
import { pageOf } from '../../profiles/settings/service-address.js';
import type { Changes, StoredProfile } from '../../profiles/store/store.js';

/** What a profile would have, of which only one may name the page. */
interface Both {
  readonly baseUrl: string;
  readonly path: string;
  readonly page: string;
}

/** The base address and the path of a profile, where both name the page; a base address that was broken by hand names none. */
function bothOf({ baseUrl, path }: StoredProfile): Both | undefined {
  if (typeof baseUrl !== 'string' || typeof path !== 'string' || !URL.canParse(baseUrl)) return undefined;
  const page = pageOf(baseUrl);
  return page === undefined ? undefined : { baseUrl, path, page };
}

function twoPages({ baseUrl, path, page }: Both, changes: Changes): RelctlError {
  if (typeof changes.path !== 'string')
    return usage('--base-url', `--base-url names the page ${page} already, and the profile has the path ${path}`, {
      advice: 'Remove the path, or give a base address without the page.',
      hint: '--unset path',
    });
  const base = typeof changes.baseUrl === 'string' ? '--base-url' : 'the base address of the profile';
  return usage('--set', `${base} names the page ${page} already, and the path is ${path}`, {
    advice: 'Give one of them: the address of the page, or a base address with a path.',
    hint: `--base-url ${shellWord(new URL(baseUrl).origin)}`,
  });
}

/**
 * Throws `usage` where changes give a profile a base address that names the page beside a path: no call could be made. A
 * profile that had both before is not refused for another change.
 */
export function refuseTwoPages(known: StoredProfile, changes: Changes): void {
  if (typeof changes.baseUrl !== 'string' && typeof changes.path !== 'string') return;
  const both = bothOf({ ...known, ...changes });
  if (both !== undefined) throw twoPages(both, changes);
}
