import { SaxesParser } from 'saxes';
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
