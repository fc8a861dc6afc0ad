import { inAnyCase } from '../../core/text/text.js';
import { cardFormat } from './card.js';
import { csv, tsv } from './csv.js';
import type { Format, Piece } from './format.js';
import { json, ndjson } from './json.js';
import { table } from './table.js';

/** YAML; like the two below, its writer is loaded only where it is chosen. */
export const yaml: Format = {
  endings: ['yml'],
  audience: 'programs',
  layout: 'tree',
  isResumable: true,
  open: async (context) => (await import('./yaml.js')).openYaml(context),
};

const parquet: Format<Uint8Array> = {
  audience: 'programs',
  binary: 'a Parquet file',
  layout: 'cells',
  isResumable: false,
  hasFixedTitles: true,
  open: async (context) => (await import('./parquet/file.js')).openParquet(context),
};

/** A workbook. */
export const xlsx: Format<Uint8Array> = {
  audience: 'programs',
  binary: 'a workbook',
  layout: 'cells',
  isResumable: false,
  open: async (context) => (await import('./workbook.js')).openWorkbook(context),
};

const all = { table, card: cardFormat, json, ndjson, csv, tsv, yaml, xlsx, parquet };

/** Name of a format. */
export type FormatName = keyof typeof all;

/** Every format by its name on the command line. */
export const formats: Readonly<Record<FormatName, Format<Piece>>> = all;

/** Their names, as help and errors list them. */
export const formatNames = Object.keys(all) as readonly FormatName[];

/** The names of those that may be printed without having been asked for: bytes are nothing for a terminal. */
export const textFormatNames = formatNames.filter((name) => formats[name].binary === undefined);

/** The format of a list, and of a single record, when none is asked for. */
export const usualFormats = { list: 'table', single: 'card' } as const;

/** The format that a text names, in any case of letters; undefined when it names none. */
export const formatOfName = (text: string): FormatName | undefined => inAnyCase(text, formatNames);
