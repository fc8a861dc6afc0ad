import type { RecordValue } from '../../plain/value.js';
import type { Edge, Edges } from './edges.js';

/** A relation in a tree. */
export interface Node {
  /** Its row, by `TreeRow`. */
  readonly row: RecordValue;
  /** For it and each one above it, from the top: whether it is the last below the one above. The top has none. */
  readonly isLast: readonly boolean[];
}

/** Relationships below a relation that are being gone through. */
interface Level {
  readonly parent: string;
  readonly edges: Edge[];
}

const copied = ['DisplayName', 'Description', 'DisplayCity', 'IsOrganisation', 'IsContact', 'IsEmployee', 'IsInactive'];

function rowOf({ record }: Edge, depth: number, isRepeat: boolean): RecordValue {
  const members = copied.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]] as const]));
  return {
    Depth: depth,
    ParentId: record['ParentRelationId'] ?? null,
    RelationId: record['ChildRelationId'] ?? '',
    RelationshipId: record['Id'] ?? null,
    ...Object.fromEntries(members),
    IsRepeat: isRepeat,
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
});

/**
 * The relations below one, each with those below it behind it. A relation that came before is shown again, and what is below
 * it is not: relations in a circle come to an end.
 * @param most levels below the top
 */
export function* nodesBelow(edges: Edges, top: string, most: number): Generator<Node> {
  edges.isFirst(top);
  const levels: Level[] = [{ parent: top, edges: [...edges.below(top)] }];
  const isLast: boolean[] = [];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const edge = level.edges.shift();
    if (edge === undefined) {
      levels.pop();
      isLast.pop();
      continue;
    }
    if (level.edges.length === 0) level.edges.push(...edges.below(level.parent, edge.place));
    isLast[levels.length - 1] = level.edges.length === 0;
    const goesOn = levels.length < most;
    const isRepeat = goesOn && !edges.isFirst(edge.child);
    yield { row: rowOf(edge, levels.length, isRepeat), isLast: isLast.slice(0, levels.length) };
    if (goesOn && !isRepeat) levels.push({ parent: edge.child, edges: [...edges.below(edge.child)] });
  }
}
