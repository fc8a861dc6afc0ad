import fc from 'fast-check';

/** Something that is done to bytes. */
export type Change = (bytes: Buffer) => Buffer;

const at = fc.nat(20_000);
const length = fc.oneof({ weight: 3, arbitrary: fc.nat(8) }, { weight: 1, arbitrary: fc.nat(600) });
const within = (bytes: Buffer, place: number): number => (bytes.length === 0 ? 0 : place % bytes.length);

const put = (bytes: Buffer, place: number, piece: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, place), piece, bytes.subarray(place)]);

/** Something is put in the place of some bytes, or between them. */
const inserted = (pieces: fc.Arbitrary<string>): fc.Arbitrary<Change> =>
  fc.tuple(at, fc.constantFrom(0, 0, 1, 3), pieces).map(([place, removed, piece]) => (bytes) => {
    const from = within(bytes, place);
    return Buffer.concat([bytes.subarray(0, from), Buffer.from(piece), bytes.subarray(from + removed)]);
  });

const removed: fc.Arbitrary<Change> = fc.tuple(at, length).map(([place, count]) => (bytes) => {
  const from = within(bytes, place);
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + count)]);
});

const doubled: fc.Arbitrary<Change> = fc.tuple(at, length, at).map(([place, count, target]) => (bytes) => {
  const from = within(bytes, place);
  return put(bytes, within(bytes, target), bytes.subarray(from, from + count));
});

const swapped: fc.Arbitrary<Change> = fc.tuple(at, length, length).map(([place, left, right]) => (bytes) => {
  const from = within(bytes, place);
  const [middle, end] = [from + left, from + left + right];
  return Buffer.concat([
    bytes.subarray(0, from),
    bytes.subarray(middle, end),
    bytes.subarray(from, middle),
    bytes.subarray(end),
  ]);
});

const replaced: fc.Arbitrary<Change> = fc.tuple(at, fc.nat(255)).map(([place, byte]) => (bytes) => {
  const changed = Buffer.from(bytes);
  if (changed.length > 0) changed[within(bytes, place)] = byte;
  return changed;
});

const cut: fc.Arbitrary<Change> = at.map((place) => (bytes) => bytes.subarray(0, within(bytes, place)));

/** What may happen to bytes: something missing, doubled, swapped, replaced or put in, or their end cut off. */
export const changeOf = (pieces: fc.Arbitrary<string>): fc.Arbitrary<Change> =>
  fc.oneof(
    { weight: 4, arbitrary: inserted(pieces) },
    { weight: 2, arbitrary: removed },
    { weight: 2, arbitrary: doubled },
    { weight: 1, arbitrary: swapped },
    { weight: 1, arbitrary: replaced },
    { weight: 1, arbitrary: cut },
  );

/** Documents of which most are some of a few hundred that are made once, because it is what happens to them that counts. */
export const mostlyOf = <Document>(documents: fc.Arbitrary<Document>): fc.Arbitrary<Document> =>
  fc.oneof(
    { weight: 1, arbitrary: documents },
    { weight: 30, arbitrary: fc.constantFrom(...fc.sample(documents, 300)) },
  );

/** Documents to some of which something happened, up to so many times. */
export const damaged = (
  documents: fc.Arbitrary<string | Uint8Array>,
  change: fc.Arbitrary<Change>,
  most = 4,
): fc.Arbitrary<Buffer> =>
  fc
    .tuple(documents, fc.array(change, { maxLength: most }))
    .map(([document, changes]) => changes.reduce<Buffer>((bytes, each) => each(bytes), Buffer.from(document)));

/** The same text in other bytes: byte order marks, UTF-16 of both kinds, one byte for each character, and bytes of none. */
export const encoded: fc.Arbitrary<Change> = fc.constantFrom<Change>(
  (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes]),
  (bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le'),
  (bytes) => Buffer.from(bytes.toString('utf8'), 'utf16le'),
  (bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le').swap16(),
  (bytes) => Buffer.from(bytes.toString('utf8'), 'latin1'),
  (bytes) => put(bytes, bytes.length >> 1, Buffer.from([0xc3])),
  (bytes) => put(bytes, bytes.length >> 1, Buffer.from([0xed, 0xa0, 0x80])),
);

/** Where bytes are cut into chunks; places beyond their end begin anew. */
export const cuts: fc.Arbitrary<readonly number[]> = fc.array(fc.nat(20_000), { maxLength: 8 });
