import { usage } from '../../core/errors/relctl-error.js';

/** What a write adds, and the operation that reads it. */
export interface SettleBy {
  /** Operation that adds. */
  readonly write: string;
  /** Operation that reads what was added, and its parameter that takes the Id of the record. */
  readonly read: string;
  readonly parameter: string;
  /** Names of the members of its result that lead to the list. */
  readonly list: readonly string[];
}

const name = '[A-Za-z_][\\w-]*';
const form = new RegExp(`^(${name})=(${name})\\((${name})\\)((?:\\.${name})+)$`);

/**
 * Reads by what operations unknown rows are settled: `WRITE=READ(PARAMETER).LIST`, several with commas between them. Throws
 * `usage`.
 * @param path how the user wrote it: a flag, a variable, a setting of a profile
 */
export function readSettleBy(text: string, path: string): readonly SettleBy[] {
  const found = text.split(',').map((each) => {
    const [whole, write = '', read = '', parameter = '', list = ''] = form.exec(each.trim()) ?? [];
    if (whole !== undefined) return { write, read, parameter, list: list.slice(1).split('.') };
    const example = 'ActivityAddProductLine=ActivityGetProductLines(activityId).ProductLines';
    throw usage(path, `${path} takes WRITE=READ(PARAMETER).LIST such as ${example}, not '${each.trim()}'`);
  });
  const twice = found.find(({ write }, index) => found.findIndex((other) => other.write === write) !== index);
  if (twice === undefined) return found;
  throw usage(path, `${path} names two operations for ${twice.write}`);
}
