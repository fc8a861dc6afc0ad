import { perhaps, RelctlError } from '../../../core/errors/relctl-error.js';
import type { RecordValue } from '../../../core/values/value.js';
import type { Given } from '../mistake.js';
import type { Scope } from './names.js';
import { Parser } from './parser.js';

/** What --where keeps of records. */
export interface Where {
  readonly keeps: (record: RecordValue) => boolean;
  readonly looksAt: ReadonlySet<string>;
}

const flag = '--where';

function parsed(given: Given, scope: Scope): Where {
  const parser = new Parser(given, scope);
  const test = parser.whole();
  return { keeps: (record) => test(record) === true, looksAt: parser.members };
}

const mostRepairs = 8;

/** The same mistake with a condition that is right in the place of the wrong one; without one, where none is known. */
function repaired(thrown: unknown, text: string, scope: Scope): RelctlError {
  const mistake = RelctlError.from(thrown);
  let meant = mistake.correction?.meant;
  for (let times = 0; meant !== undefined && times < mostRepairs; times += 1) {
    try {
      parsed({ path: flag, text: meant }, scope);
      return mistake.but(perhaps(text, meant, mistake.hint));
    } catch (next) {
      meant = RelctlError.from(next).correction?.meant;
    }
  }
  return mistake.but({ hint: mistake.hint });
}

/** Reads the text of --where. Throws `usage` for a mistake, with its place and a condition that is right, where one is known. */
export function whereOf(text: string, scope: Scope): Where {
  try {
    return parsed({ path: flag, text }, scope);
  } catch (thrown) {
    throw repaired(thrown, text, scope);
  }
}
