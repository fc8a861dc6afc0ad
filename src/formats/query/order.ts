import type { RecordType, Type } from '../../contract/build.js';
import { usage } from '../../core/errors/relctl-error.js';
import { fold } from '../../core/text/fold.js';
import { askedLeftNil, membersLeftNil, withElsewhere } from '../left-nil.js';
import { columnsNamed, type Column, cellText, valueAt } from '../columns.js';
import type { RecordValue, Value } from '../../core/values/value.js';
import { comparingIn, type Key as Compared } from './where/values.js';

/** What a record is sorted by: a part for each column, undefined where it has no value. */
export type Key = readonly (Part | undefined)[];

interface Part {
  /** The value as text, which decides between equal ones. */
  readonly text: string;
  /** What is compared first; undefined for a value that is not what its column says. */
  readonly by: Compared | undefined;
}

/** An order of records. */
export interface Order {
  keyOf(record: RecordValue): Key;
  /** Negative when left comes first; zero for records that keep the order in which they came. */
  compare(left: Key, right: Key): number;
}

const compareTexts = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

interface Rule {
  readonly by: (text: string) => Part['by'];
  readonly compare: (left: Part, right: Part) => number;
}

const texts: Rule = {
  by: fold,
  compare: (left, right) => compareTexts(left.by as string, right.by as string) || compareTexts(left.text, right.text),
};

const comparingOf = comparingIn({ zone: 'UTC' });

function ruleFor(type: Type): Rule {
  const comparing = comparingOf(type);
  if (comparing?.name !== 'number' && comparing?.name !== 'time') return texts;
  const { keyOf, compare } = comparing;
  // Both are of the type.
  return {
    by: (text) => keyOf(text) ?? undefined,
    compare: (left, right) => compare(left.by as Compared, right.by as Compared),
  };
}

function compareParts(rule: Rule, left: Part, right: Part): number {
  if (left.by !== undefined && right.by !== undefined) return rule.compare(left, right);
  // What is not of its type comes behind what is.
  if (left.by === undefined && right.by === undefined) return compareTexts(left.text, right.text);
  return left.by === undefined ? 1 : -1;
}

interface SortColumn {
  readonly path: readonly string[];
  readonly rule: Rule;
  readonly sign: 1 | -1;
}

function comparePartsOf({ rule, sign }: SortColumn, left: Part | undefined, right: Part | undefined): number {
  if (left === undefined || right === undefined) {
    // What has no value comes last in either direction.
    return left === right ? 0 : left === undefined ? 1 : -1;
  }
  return sign * compareParts(rule, left, right);
}

function sortColumn(column: Column, direction: string): SortColumn {
  const { type, path, title } = column;
  if (type.kind === 'list' || type.kind === 'record') {
    throw usage('--sort', `${title} is a ${type.kind}, which has no order`);
  }
  return { path, rule: ruleFor(type), sign: direction.toLowerCase() === 'desc' ? -1 : 1 };
}

const isScalar = (value: Value | undefined): value is string | number | boolean =>
  value !== undefined && value !== null && typeof value !== 'object';

/**
 * The order that names of columns say: `DisplayName` or `SalesPrice:desc`, the first one first. Numbers are ordered by value,
 * times by instant (those without a zone as if in UTC), texts without regard to case and accents and then by their letters;
 * what has no value comes last. Throws `usage` for a column that cannot be sorted by, and for one that the service leaves nil.
 */
export function orderBy(words: readonly string[], record: RecordType): Order {
  const parts = words.map((word) => /^(.*?)(?::(asc|desc))?$/isu.exec(word.trim()) ?? []);
  const wrong = parts.find(([, name = '']) => name.includes(':'));
  if (wrong !== undefined) {
    throw usage('--sort', `'${wrong[0]}' names no direction; the directions are asc and desc`);
  }
  const signed = parts.find(([, name = '']) => /^[-+]./.test(name));
  if (signed !== undefined) {
    const [given = '', name = ''] = signed;
    const direction = name.startsWith('-') ? 'desc' : 'asc';
    throw usage('--sort', `'${given}': the direction stands behind the name, as in NAME:${direction}`, {
      given,
      meant: `${name.slice(1)}:${direction}`,
    });
  }
  const named = columnsNamed(
    record,
    parts.map(([, name = '']) => name),
    '--sort',
  );
  const [nil] = membersLeftNil(record, named);
  if (nil !== undefined) throw withElsewhere(usage('--sort', askedLeftNil(nil)), record, nil);
  const columns = named.map((column, at) => sortColumn(column, parts[at]?.[2] ?? 'asc'));
  return {
    keyOf: (each) =>
      columns.map(({ path, rule }) => {
        const value = valueAt(each, path);
        if (!isScalar(value))
          return value === undefined || value === null ? undefined : { text: cellText(value), by: undefined };
        const text = String(value);
        return { text, by: rule.by(text) };
      }),
    compare: (left, right) => {
      for (const [at, column] of columns.entries()) {
        const found = comparePartsOf(column, left[at], right[at]);
        if (found !== 0) return found;
      }
      return 0;
    },
  };
}
