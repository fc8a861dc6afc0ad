import fc from 'fast-check';

const pieces = fc.constantFrom(
  'x',
  'é',
  '日',
  ' ',
  '\n',
  ']',
  '&amp;',
  '&lt;',
  '&#x1F;',
  '&#233;',
  '1',
  'true',
  '<!-- -->',
  '<![CDATA[<&]]>',
  '<?go?>',
);
const value = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[a-z0-9 éß]{0,8}$/) },
  { weight: 1, arbitrary: fc.array(pieces, { maxLength: 4 }).map((parts) => parts.join('')) },
);
const field = (name: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: value.map((text) => `<${name}>${text}</${name}>`) },
    { weight: 1, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        `<${name}/>`,
        `<${name} x:nil="true" />`,
        `<${name}></${name} >`,
        `<${name} a=">">1</${name}>`,
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        `<${name}><b>1</b></${name}>`,
        `<${name} xmlns="urn:z">1</${name}>`,
        `<${name}>1</${name}><${name}>2</${name}>`,
      ),
    },
  );
const record = fc
  .tuple(field('Id'), field('p:Name'), field('Note'), field('Kind'), fc.constantFrom('', '', '', '\n  '), fc.nat(30))
  .map(([id, name, note, kind, space, order]) => {
    const fields = order === 0 ? [name, id, note, kind] : [id, name, note, kind];
    return `<Row>${fields.map((each) => space + each).join('')}${space}</Row>`;
  });
/** Lists of records that are much alike, as services send them. */
export const rowDocuments = fc
  .record({
    rows: fc.array(record, { minLength: 1, maxLength: 25 }),
    space: fc.constantFrom('', '\n', '<!-- -->', 'x'),
  })
  .map(
    ({ rows, space }) =>
      `<?xml version="1.0"?>\n<r xmlns="urn:a" xmlns:p="urn:p" xmlns:x="urn:x"><List>${rows.join(space)}</List><Again>${rows.join('')}</Again></r>`,
  );
