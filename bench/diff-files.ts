import { closeSync, openSync, writeSync } from 'node:fs';

/** Two exports that can be compared. */
export interface Exports {
  readonly before: string;
  readonly after: string;
  /** The records of `after` in another order. */
  readonly reordered: string;
}

const header =
  'Id,EntityTypeId,Info,SortingName,DisplayName,IsRoot,IsDummy,ImportKey,IsInactive,FieldValues,CounterValues\n';

const spread = (number: number): string => (Math.imul(number + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');

/** A row of a relation, as relctl writes it; of random-looking Id, because Ids that services give are random. */
function line(index: number, name: string): string {
  const id = `${spread(index)}-${(index % 65536).toString(16).padStart(4, '0')}-4000-8000-00000000${spread(index + 7).slice(0, 4)}`;
  const info = `Relatie ${index} — klant sinds 2009 & gevestigd in 's-Hertogenbosch`;
  return `${id},6f9619ff-8b86-d011-b42d-00c04fc964ff,${info},"Müller, Østergård ${index}",${name} ${index},false,false,IMP-${index},false,,\n`;
}

/** Every 1,000th record is only before, another one only after, and every 100th is changed. */
const isGone = (index: number): boolean => index % 1000 === 0;
const isNew = (index: number): boolean => index % 1000 === 1;
const isChanged = (index: number): boolean => index % 100 === 2;

function writeLines(file: string, lines: Iterable<string>): void {
  const handle = openSync(file, 'w');
  let waiting: string[] = [header];
  for (const each of lines) {
    waiting.push(each);
    if (waiting.length === 4096) {
      writeSync(handle, waiting.join(''));
      waiting = [];
    }
  }
  writeSync(handle, waiting.join(''));
  closeSync(handle);
}

function* before(count: number): Generator<string> {
  for (let index = 0; index < count; index += 1) if (!isNew(index)) yield line(index, 'Mevr. A.');
}

/** The records after, from each `step`th place on: with a step of 1 in the order of the records before. */
function* after(count: number, step: number): Generator<string> {
  for (let start = 0; start < step; start += 1) {
    for (let index = start; index < count; index += step)
      if (!isGone(index)) yield line(index, isChanged(index) ? 'Dhr. B.' : 'Mevr. A.');
  }
}

/** Writes exports of so many records to a folder. */
export function writeExports(folder: string, count: number): Exports {
  const [first, second, third] = ['before.csv', 'after.csv', 'reordered.csv'].map((name) => `${folder}/${name}`);
  const files = { before: first ?? '', after: second ?? '', reordered: third ?? '' };
  writeLines(files.before, before(count));
  writeLines(files.after, after(count, 1));
  writeLines(files.reordered, after(count, 997));
  return files;
}
