import type { RecordValue } from '../../plain/value.js';
import type { Edge, Edges } from './edges.js';

/** A relation in a tree. */
export interface Node {
  /** Its row, by `TreeRow`. */
  readonly row: RecordValue;
  /**
   * For it and those above it, from the top: whether it is the last below the one above. The top has none. Below
   * `mostDrawn` levels those between are left out, so that a line has an end.
   */
  readonly isLast: readonly boolean[];
}

/** Levels that are drawn with a branch each. */
export const mostDrawn = 32;

/** From this level on relationships are read as they are needed: all that is above them is kept. */
const deep = 100;

/** Relationships below a relation that are being gone through. */
interface Level {
  readonly parent: string;
  readonly edges: Edge[];
}

const copied = ['DisplayName', 'Description', 'DisplayCity', 'IsOrganisation', 'IsContact', 'IsEmployee', 'IsInactive'];

function rowOf({ record }: Edge, depth: number, met: { isRepeat: boolean; isCircle: boolean }): RecordValue {
  const members = copied.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]] as const]));
  return {
    Depth: depth,
    ParentId: record['ParentRelationId'] ?? null,
    RelationId: record['ChildRelationId'] ?? '',
    RelationshipId: record['Id'] ?? null,
    ...Object.fromEntries(members),
    IsRepeat: met.isRepeat,
    IsCircle: met.isCircle,
  };
}

/** The row of the relation at the top. */
export const topRow = (relation: RecordValue): RecordValue => ({
  Depth: 0,
  ParentId: null,
  RelationId: relation['Id'] ?? '',
  RelationshipId: null,
  DisplayName: relation['DisplayName'] ?? null,
  ...(relation['IsInactive'] === undefined ? {} : { IsInactive: relation['IsInactive'] }),
  IsRepeat: false,
  IsCircle: false,
});

const drawnOf = (isLast: readonly boolean[]): readonly boolean[] =>
  isLast.length <= mostDrawn ? [...isLast] : [...isLast.slice(0, mostDrawn - 1), isLast.at(-1) === true];

/**
 * The relations below one, each with those below it behind it. A relation that came before is shown again, and what is below
 * it is not: relations in a circle come to an end. The cost of each is the same at any depth.
 * @param most levels below the top
 */
export function* nodesBelow(edges: Edges, top: string, most: number): Generator<Node> {
  const levels: Level[] = [];
  const isLast: boolean[] = [];
  const read = (parent: string, behind?: Edge['place']): Edge[] => [
    ...edges.below(parent, behind, levels.length < deep ? undefined : 2),
  ];
  const enter = (parent: string): void => {
    edges.enter(parent);
    levels.push({ parent, edges: read(parent) });
  };
  enter(top);
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const edge = level.edges.shift();
    if (edge === undefined) {
      edges.leave(level.parent);
      levels.pop();
      isLast.length = levels.length;
      continue;
    }
    if (level.edges.length === 0) level.edges.push(...read(level.parent, edge.place));
    isLast[levels.length - 1] = level.edges.length === 0;
    const goesOn = levels.length < most;
    const met = edges.met(edge.child);
    const isRepeat = goesOn && met !== 'new';
    yield { row: rowOf(edge, levels.length, { isRepeat, isCircle: met === 'above' }), isLast: drawnOf(isLast) };
    if (goesOn && !isRepeat) enter(edge.child);
  }
}
