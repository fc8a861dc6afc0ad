import type { Database, Statement } from '../../state/sqlite/open.js';

interface NameColumns {
  readonly table: string;
  /** Columns of which the first that is not empty is the name. */
  readonly names: readonly string[];
}

const activities = ['Info', 'Number'];

/** Members that hold the Id of another record, by their ends, and where its name stands. */
const members: readonly (readonly [end: RegExp, tables: readonly NameColumns[]])[] = [
  [/RelationId$/i, [{ table: 'relations', names: ['DisplayName'] }]],
  [/RelationshipId$/i, [{ table: 'relationships', names: ['DisplayName'] }]],
  [
    /ActivityId$/i,
    [
      { table: 'activities', names: activities },
      { table: 'relation_activities', names: activities },
    ],
  ],
  [/MarkId$/i, ['marks', 'campaign_marks'].map((table) => ({ table, names: ['Name'] }))],
  [/ProductId$/i, [{ table: 'products', names: ['Name'] }]],
  [/^FieldId$/i, [{ table: 'workflow_fields', names: ['Name', 'Label', 'UserFriendlyName'] }]],
  [/WorkflowStepId$/i, [{ table: 'workflow_steps', names: ['Name'] }]],
  [/^(?:TittleId|ParentId)$/i, [{ table: 'datastore_items', names: ['Description'] }]],
];

const tablesFor = (member: string): readonly NameColumns[] => members.find(([end]) => end.test(member))?.[1] ?? [];

/** True for a member that may hold the Id of a record that a mirror has. */
export const refersToMirrored = (member: string): boolean => tablesFor(member).length > 0;

/** The tables of a mirror that may have the record whose Id a member holds. */
export const tablesOfMember = (member: string): readonly string[] => tablesFor(member).map(({ table }) => table);

/** Names that are remembered; then they are looked up again. */
const mostKept = 20_000;

/** Gives the statements that find the name of the record whose Id a member holds, of the tables that a mirror has. */
function statementsIn(database: Database): (member: string) => readonly Statement[] {
  const there = database.statement("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  return (member) =>
    tablesFor(member)
      .filter(({ table }) => there.first(`all_${table}`) !== undefined)
      .map(({ table, names }) => {
        const name = `coalesce(${names.map((each) => `nullif("${each}", '')`).join(', ')}, NULL)`;
        return database.statement(
          `SELECT ${name} FROM "all_${table}" WHERE "Id" IN (?1, ?2) AND ${name} IS NOT NULL ORDER BY "_gone_at" IS NOT NULL, "_seq" LIMIT 1`,
        );
      });
}

/**
 * Looks up in a mirror what the record is called whose Id a member holds, also one that is gone; undefined for one without a name.
 * What it makes throws `local`.
 */
export function openShownNames(database: Database): (id: string, member: string) => string | undefined {
  const statementsOf = statementsIn(database);
  const statements = new Map<string, readonly Statement[]>();
  const names = new Map<string, string | undefined>();
  const lookUp = (id: string, member: string): string | undefined => {
    const known = statements.get(member) ?? statementsOf(member);
    statements.set(member, known);
    for (const statement of known) {
      const [name] = statement.first(id.toLowerCase(), id.toUpperCase()) ?? [];
      if (typeof name === 'string') return name;
    }
    return undefined;
  };
  return (id, member) => {
    const key = `${member}\n${id}`;
    if (names.has(key)) return names.get(key);
    if (names.size >= mostKept) names.clear();
    const name = lookUp(id, member);
    names.set(key, name);
    return name;
  };
}
