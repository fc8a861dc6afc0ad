import { SaxesParser } from 'saxes';
import { spawnSync } from 'node:child_process';
import type { Event } from './recorder.js';

const expanded = (uri: string, local: string): string => (uri === '' ? local : `{${uri}}${local}`);

/** What another strict parser tells about a document, in the form of the recorder. Throws when it is not well-formed. */
export function eventsBySaxes(document: string): Event[] {
  const events: Event[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') events.push(['text', text]);
    text = '';
  };
  const parser = new SaxesParser({ xmlns: true });
  let depth = 0;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('a document type');
  });
  parser.on('opentag', ({ uri, local, attributes }) => {
    flush();
    depth += 1;
    const given = Object.values(attributes)
      .filter((each) => each.prefix !== 'xmlns' && each.name !== 'xmlns')
      .map((each) => [expanded(each.uri, each.local), each.value] as const);
    events.push(
      given.length === 0 ? ['open', expanded(uri, local)] : ['open', expanded(uri, local), Object.fromEntries(given)],
    );
  });
  const take = (more: string): void => {
    if (depth > 0) text += more;
  };
  parser.on('text', take);
  parser.on('cdata', take);
  parser.on('closetag', ({ uri, local }) => {
    flush();
    depth -= 1;
    events.push(['close', expanded(uri, local)]);
  });
  parser.write(document).close();
  return events;
}

const encodings: readonly (readonly [mark: readonly number[], name: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0x3c, 0, 0x3f, 0], 'utf-16le'],
  [[0, 0x3c, 0, 0x3f], 'utf-16be'],
];

/** The text of a document by the first bytes of it alone. Throws for bytes that are not of that encoding. */
function textOf(document: Uint8Array): string {
  const marked = encodings.find(([mark]) => mark.every((byte, at) => document[at] === byte))?.[1];
  return new TextDecoder(marked ?? 'utf-8', { fatal: true }).decode(document);
}

/** What saxes tells of a document; undefined when it refuses it, or takes it for another encoding. */
export function eventsBySaxesOf(document: Uint8Array): readonly Event[] | undefined {
  try {
    return eventsBySaxes(textOf(document).replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

const trimmed = (text: string): string =>
  text.replace(/^\{([^}]*)\}/, (_, uri: string) => {
    const bare = uri.replace(/[\n\r\t]/g, ' ').trim();
    return bare === '' ? '' : `{${bare}}`;
  });

const withTrimmed = (value: unknown): unknown => {
  if (typeof value === 'string') return trimmed(value);
  if (Array.isArray(value)) return value.map(withTrimmed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [trimmed(name), withTrimmed(each)]));
};

/** saxes trims namespaces, and turns white space in them into blanks, which XML does not. */
export const withTrimmedNamespaces = (events: readonly Event[]): unknown => withTrimmed(events);

let isHere: boolean | undefined;

/** What libxml2 says of a document, and undefined where there is no xmllint. */
export function isWellFormedByXmllint(document: Uint8Array): boolean | undefined {
  isHere ??= spawnSync('xmllint', ['--version'], { stdio: 'ignore' }).status === 0;
  if (!isHere) return undefined;
  const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', '--huge', '-'], { input: document });
  return status === 0 && !/(?:parser|namespace) error/.test(stderr.toString('latin1'));
}
