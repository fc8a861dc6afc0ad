import { isList, isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import { replaceUnseen } from '../escape.js';
import { type FormatContext, projected, type Writer } from './format.js';

// One character after the other: what repeats words runs out of stack in a text of some megabytes.
const plain = /^[A-Za-z][A-Za-z0-9_./ -]*$/;
const reserved = /^(?:y|yes|n|no|true|false|on|off|null|nan|inf)$/i;

/** Above the basic plane YAML has an escape of its own; it does not put surrogate pairs together. */
function yamlEscape(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}

const isSafe = (text: string): boolean =>
  plain.test(text) && !text.includes('  ') && !text.endsWith(' ') && !reserved.test(text);

function scalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value);
  if (isSafe(value)) return value;
  // A JSON string is a YAML double-quoted scalar, but for two characters that YAML does not take as they are.
  return replaceUnseen(JSON.stringify(value), yamlEscape).replace(/[\ufffe\uffff]/g, yamlEscape);
}

function lines(value: Value, indent: string): string {
  if (isList(value)) {
    if (value.length === 0) return ' []\n';
    return `\n${value.map((item) => itemLines(item, indent)).join('')}`;
  }
  if (isRecord(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) return ' {}\n';
    return `\n${entries.map(([name, each]) => `${indent}${scalar(name)}:${lines(each, `${indent}  `)}`).join('')}`;
  }
  return ` ${scalar(value)}\n`;
}

function itemLines(value: Value, indent: string): string {
  const text = lines(value, `${indent}  `);
  return text.startsWith('\n') ? `${indent}- ${text.slice(1 + indent.length + 2)}` : `${indent}-${text}`;
}

/** Opens YAML 1.2 that YAML 1.1 readers read the same way: text is quoted wherever it could be taken for something else. */
export function openYaml(context: FormatContext): Writer {
  let isEmpty = context.isContinued !== true;
  const row = (record: RecordValue): string => {
    const value = projected(record, context);
    return context.shape === 'single' ? lines(value, '').replace(/^[\n ]/, '') : itemLines(value, '');
  };
  return {
    begin: () => '',
    records(batch) {
      isEmpty &&= batch.length === 0;
      return batch.map(row).join('');
    },
    row,
    placed(rows) {
      isEmpty &&= rows.length === 0;
      return rows;
    },
    end: () => (isEmpty ? (context.shape === 'single' ? 'null\n' : '[]\n') : ''),
  };
}
