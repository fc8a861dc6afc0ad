import { posix } from 'node:path';
import { badAnswer } from '../../errors/bad-answer.js';
import { usage } from '../../errors/usage.js';
import type { XmlAttribute } from '../../xml/events.js';
import { attributeOf, readWhole, type PartSource } from './xml-part.js';

/** A sheet of a workbook. */
export interface SheetPart {
  readonly name: string;
  readonly path: string;
  readonly isHidden: boolean;
}

/** Where the parts of a workbook are. */
export interface WorkbookParts {
  readonly sheets: readonly SheetPart[];
  readonly strings: string | undefined;
  readonly styles: string | undefined;
}

interface Relation {
  readonly id: string;
  /** The last word of its type. */
  readonly type: string;
  readonly path: string;
}

/** Sheets of a workbook, and relations of a part: a file has no more parts. */
const mostListed = 10_000;

const noEvents = { text: () => undefined, close: () => undefined };

function elementsOf(source: PartSource, path: string, names: readonly string[]): readonly (readonly XmlAttribute[])[] {
  const found: (readonly XmlAttribute[])[] = [];
  readWhole(source, path, {
    ...noEvents,
    open: ({ local }, attributes) => {
      if (!names.includes(local)) return;
      if (found.length === mostListed) throw badAnswer('limit', `it has more than ${mostListed} elements <${local}>`);
      found.push(attributes);
    },
  });
  return found;
}

/** The relations of a part, whose targets stand relative to it. */
function relationsOf(source: PartSource, part: string): readonly Relation[] {
  const folder = posix.dirname(part);
  const path = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  if (!source.zip.has(path)) return [];
  const found = elementsOf(source, path, ['Relationship']);
  return found.map((attributes) => {
    const target = attributeOf(attributes, 'Target') ?? '';
    return {
      id: attributeOf(attributes, 'Id') ?? '',
      type: posix.basename(attributeOf(attributes, 'Type') ?? ''),
      path: target.startsWith('/') ? target.slice(1) : posix.join(folder, target),
    };
  });
}

function mainPart(source: PartSource): string {
  const { file, zip } = source;
  if (!zip.has('_rels/.rels')) {
    const what = zip.has('content.xml') ? 'is a workbook of OpenDocument' : 'is a ZIP file, and no workbook';
    throw usage('--file', `${file} ${what}: save it as .xlsx`);
  }
  const main = relationsOf(source, '').find(({ type }) => type === 'officeDocument');
  if (main?.path.endsWith('.xml') !== true) throw usage('--file', `${file} is no .xlsx workbook: save it as .xlsx`);
  return main.path;
}

/** Finds the parts of a workbook. Throws `usage` for a file that is none. */
export function findParts(source: PartSource): WorkbookParts {
  const main = mainPart(source);
  const relations = relationsOf(source, main);
  const pathOf = (type: string): string | undefined => relations.find((each) => each.type === type)?.path;
  const listed = elementsOf(source, main, ['sheet']);
  const sheets = listed.flatMap((attributes): readonly SheetPart[] => {
    const id = attributes.find(({ name }) => name.local === 'id' && name.namespace !== '')?.value;
    const relation = relations.find((each) => each.id === id);
    // Charts on sheets of their own have no rows.
    if (relation?.type !== 'worksheet') return [];
    const state = attributeOf(attributes, 'state') ?? 'visible';
    return [{ name: attributeOf(attributes, 'name') ?? '', path: relation.path, isHidden: state !== 'visible' }];
  });
  return { sheets, strings: pathOf('sharedStrings'), styles: pathOf('styles') };
}
