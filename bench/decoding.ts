import { XMLParser } from 'fast-xml-parser';
import { SaxesParser } from 'saxes';
import { operations } from '../src/contract/service.js';
import { readResponse } from '../src/soap/answer.js';
import { writeResponse } from '../src/soap/response.js';
import type { RecordValue } from '../src/soap/values.js';
import { createXmlReader } from '../src/xml/reader.js';
import { median, row } from './timing.js';

const namespace = 'http://relctl.example/sandbox/';

function relation(index: number): RecordValue {
  const id = `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
  return {
    Id: id,
    EntityTypeId: '6f9619ff-8b86-d011-b42d-00c04fc964ff',
    Info: `Relatie ${index} — klant sinds 2009 & gevestigd in 's-Hertogenbosch`,
    SortingName: `Müller-Østergård ${index}`,
    DisplayName: `Mevr. A. Müller-Østergård <${index}>`,
    IsRoot: false,
    IsDummy: false,
    ImportKey: `IMP-${index}`,
    IsInactive: index % 7 === 0,
    FieldValues: null,
    CounterValues: null,
  };
}

/** One answer of RelationGetAll with 1,000 records. */
function page(): Uint8Array {
  const Relations = Array.from({ length: 1000 }, (_, index) => relation(index));
  return writeResponse({ operation: operations.RelationGetAll, result: { Relations }, namespace, version: '1.1' }).body;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65536) yield bytes.subarray(at, at + 65536);
}

const faithful = {
  ignoreAttributes: false,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
};

/** Decoding of one page in process, by several readers in turn. */
export async function decoding(rounds: number): Promise<string[]> {
  const bytes = page();
  const megabytes = bytes.length / 1e6;
  const candidates: Record<string, () => unknown> = {
    'relctl: bytes to typed records': () =>
      readResponse(
        operations.RelationGetAll,
        { status: 200, headers: { 'content-type': 'text/xml; charset=utf-8' }, body: once(bytes) },
        { namespace },
      ),
    'relctl: reader alone': () => {
      const reader = createXmlReader({ open: () => undefined, text: () => undefined, close: () => undefined });
      reader.write(bytes);
      reader.end();
    },
    'saxes 6, namespaces on': () => {
      const parser = new SaxesParser({ xmlns: true });
      parser.write(new TextDecoder().decode(bytes)).close();
    },
    'fast-xml-parser 5, options for exactness': () =>
      new XMLParser(faithful).parse(new TextDecoder().decode(bytes)) as unknown,
  };
  const figures: Record<string, number[]> = {};
  for (let round = 0; round < rounds + 5; round += 1) {
    for (const [name, work] of Object.entries(candidates)) {
      const started = performance.now();
      await work();
      // The first rounds warm the compiler up.
      if (round >= 5) (figures[name] ??= []).push(performance.now() - started);
    }
  }
  const slowest = median(figures['fast-xml-parser 5, options for exactness'] ?? []);
  return [
    '## Decoding one page in process',
    '',
    `RelationGetAll, 1,000 records, ${megabytes.toFixed(2)} MB.`,
    '',
    row('reader', 'MB/s', 'records/s', 'x fast-xml-parser'),
    '|---|---|---|---|',
    ...Object.entries(figures).map(([name, ms]) => {
      const middle = median(ms);
      return row(
        name,
        (megabytes / (middle / 1000)).toFixed(0),
        Math.round(1_000_000 / middle),
        (slowest / middle).toFixed(1),
      );
    }),
  ];
}
