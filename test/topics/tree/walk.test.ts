import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cellText } from '../../../src/output/cell.js';
import { openDatabase } from '../../../src/sqlite/open.js';
import { Edges } from '../../../src/topics/tree/edges.js';
import { mostDrawn, nodesBelow, type Node } from '../../../src/topics/tree/walk.js';

type Pair = readonly [parent: string, child: string];

function nodesOf(pairs: readonly Pair[], top: string, most = Number.POSITIVE_INFINITY): readonly Node[] {
  const database = openDatabase({ file: '', what: 'The database' });
  try {
    const edges = new Edges(database);
    edges.add(
      pairs.map(([parent, child], at) => ({
        Id: `e${at}`,
        ParentRelationId: parent,
        ChildRelationId: child,
        DisplayName: child,
      })),
    );
    edges.complete();
    return [...nodesBelow(edges, top, most)];
  } finally {
    database.close();
  }
}

const linesOf = (nodes: readonly Node[]): readonly string[] =>
  nodes.map(
    ({ row, isLast }) =>
      `${isLast.map((last) => (last ? '-' : '+')).join('')}${cellText(row['RelationId'])}${row['IsRepeat'] === true ? '*' : ''}`,
  );

describe('The relations below one', () => {
  it('stand behind the one above them, by name, and know which is the last', () =>
    assert.deepEqual(
      linesOf(
        nodesOf(
          [
            ['a', 'c'],
            ['a', 'b'],
            ['B', 'x'],
            ['q', 'r'],
          ],
          'A',
        ),
      ),
      ['+b', '+-x', '-c'],
    ));

  it('come to an end in a circle, and at themselves', () =>
    assert.deepEqual(
      linesOf(
        nodesOf(
          [
            ['a', 'a'],
            ['a', 'b'],
            ['b', 'c'],
            ['c', 'a'],
          ],
          'a',
        ),
      ),
      ['-b', '--c', '---a*'],
    ));

  it('say where they stand above themselves, which a relation that came before does not', () => {
    const circlesOf = (most?: number): readonly string[] =>
      nodesOf(
        [
          ['a', 'b'],
          ['a', 'c'],
          ['b', 'd'],
          ['c', 'd'],
          ['d', 'B'],
        ],
        'a',
        most,
      ).flatMap(({ row }) => (row['IsCircle'] === true ? [cellText(row['RelationshipId'])] : []));
    // d stands below c again, where nothing below it is shown.
    assert.deepEqual(circlesOf(), ['e4']);
    assert.deepEqual(circlesOf(3), ['e4']);
    assert.deepEqual(circlesOf(2), []);
  });

  it('have no more branches to draw at any depth, and are all there', () => {
    const deep = Array.from({ length: 400 }, (_, at): readonly Pair[] => [
      [`a${at}`, `a${at + 1}`],
      [`a${at}`, `b${at}`],
      [`a${at}`, `c${at}`],
    ]).flat();
    const nodes = nodesOf(deep, 'a0');
    assert.equal(nodes.length, deep.length);
    assert.deepEqual(new Set(nodes.map(({ row }) => row['RelationId'])).size, deep.length);
    for (const { row, isLast } of nodes) {
      assert.equal(isLast.length, Math.min(Number(row['Depth']), mostDrawn));
      assert.equal(isLast.at(-1), cellText(row['RelationId']).startsWith('c'));
    }
  });

  it('are shown below each parent, and what is below them once', () =>
    assert.deepEqual(
      linesOf(
        nodesOf(
          [
            ['a', 'b'],
            ['a', 'c'],
            ['b', 'd'],
            ['c', 'd'],
            ['d', 'e'],
          ],
          'a',
        ),
      ),
      ['+b', '+-d', '+--e', '-c', '--d*'],
    ));

  it('go as deep as is asked', () =>
    assert.deepEqual(
      linesOf(
        nodesOf(
          [
            ['a', 'b'],
            ['b', 'c'],
          ],
          'a',
          1,
        ),
      ),
      ['-b'],
    ));

  it('are all of more than are read at once, also with the same name', () => {
    const pairs = Array.from({ length: 250 }, (_, at): Pair => ['a', `c${at % 3}`]);
    assert.equal(nodesOf(pairs, 'a').length, 250);
  });

  it('are each relationship that can be reached, once', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name), { maxLength: 15 }), (pairs) => {
        // By another algorithm: what can be reached grows until it does not.
        const reached = new Set(['a']);
        for (let size = 0; size < reached.size;) {
          size = reached.size;
          for (const [parent, child] of pairs) if (reached.has(parent)) reached.add(child);
        }
        const wanted = pairs.flatMap(([parent, child], at) =>
          reached.has(parent) && parent !== child ? [`e${at}`] : [],
        );
        const shown = nodesOf(pairs, 'a').map(({ row }) => cellText(row['RelationshipId']));
        assert.deepEqual(shown.toSorted(), wanted.toSorted());
      }),
    );
  });
});
