import { usage } from '../../core/errors/relctl-error.js';

/** A value that a service takes for an enumeration, though the interface document does not list it. */
export interface AllowedValue {
  readonly enumeration: string;
  readonly value: string;
}

const mostValues = 1000;

/** An enumeration and a value of it, as they stand in XML: without white space at their ends, and without a comma between. */
const form = /^([A-Za-z_][\w.-]{0,127})=([^\s,=\p{Cc}](?:[^,\p{Cc}]{0,254}[^\s,\p{Cc}])?)$/u;

/** The one in `NAME=VALUE`. Throws `usage`. */
function readAllowedValue(text: string, path: string): AllowedValue {
  const [, enumeration, value] = form.exec(text) ?? [];
  if (enumeration === undefined || value === undefined)
    throw usage(path, `${path} takes an enumeration and a value of it, such as UnitType=Pallet, not '${text}'`);
  return { enumeration, value };
}

/** The values in a text, with commas between them, each once. Throws `usage` for another form and for too many. */
export function readAllowedValues(text: string, path: string): readonly AllowedValue[] {
  const texts = [...new Set(text.split(',').map((each) => each.trim()))];
  if (texts.length > mostValues) throw usage(path, `${path} takes ${mostValues} values at most`);
  return texts.map((each) => readAllowedValue(each, path));
}
