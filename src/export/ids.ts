const form = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const guid = new RegExp(`^${form}$`);
const onlyGuids = new RegExp(`^(?:${form})*$`);
const guidLength = 36;

/** Ids of one page: GUIDs as 16 bytes each in base64, so that a million rows take megabytes; others as they are. */
export interface PackedIds {
  readonly guids: string;
  readonly others: readonly string[];
}

const packed = (guids: string): string => Buffer.from(guids.replaceAll('-', ''), 'hex').toString('base64');

/** Packs the Ids of a page. GUIDs lose the case of their letters, which does not count. */
export function packIds(ids: readonly string[]): PackedIds {
  // Nearly always all of them are GUIDs, which is seen at once.
  const all = ids.join('').toLowerCase();
  if (ids.every(({ length }) => length === guidLength) && onlyGuids.test(all))
    return { guids: packed(all), others: [] };
  const guids: string[] = [];
  const others: string[] = [];
  for (const id of ids) {
    const lower = id.toLowerCase();
    if (guid.test(lower)) guids.push(lower);
    else others.push(id);
  }
  return { guids: packed(guids.join('')), others };
}

/** The Ids that were packed, GUIDs first. */
export function* unpackIds({ guids, others }: PackedIds): Generator<string> {
  const digits = Buffer.from(guids, 'base64').toString('hex');
  for (let at = 0; at < digits.length; at += 32) {
    const id = digits.slice(at, at + 32);
    yield [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-');
  }
  yield* others;
}
