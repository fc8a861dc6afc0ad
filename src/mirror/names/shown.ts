import type { Database, Statement } from '../../state/sqlite/open.js';

interface Shown {
  readonly table: string;
  /** Columns of which the first that is not empty is the name. */
  readonly names: readonly string[];
}

const activities = ['Info', 'Number'];

/** Members that hold the Id of another record, by their ends, and where its name stands. */
const members: readonly (readonly [end: RegExp, tables: readonly Shown[]])[] = [
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

const tablesFor = (member: string): readonly Shown[] => members.find(([end]) => end.test(member))?.[1] ?? [];

/** True for a member that may hold the Id of a record that a mirror has. */
export const refersToMirrored = (member: string): boolean => tablesFor(member).length > 0;

/** The tables of a mirror that may have the record whose Id a member holds. */
export const tablesBehind = (member: string): readonly string[] => tablesFor(member).map(({ table }) => table);

/** Names that are remembered; then they are looked up again. */
const mostKept = 20_000;

/** Looks names up in a mirror. */
export class ShownNames {
  readonly #database: Database;
  readonly #statements = new Map<string, readonly Statement[]>();
  readonly #kept = new Map<string, string | undefined>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** The name of the record whose Id a member holds, also of one that is gone; undefined when it has none. Throws `local`. */
  of(id: string, member: string): string | undefined {
    const key = `${member}\n${id}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined || this.#kept.has(key)) return kept;
    if (this.#kept.size >= mostKept) this.#kept.clear();
    const found = this.#look(id, member);
    this.#kept.set(key, found);
    return found;
  }

  #look(id: string, member: string): string | undefined {
    for (const statement of this.#statementsFor(member)) {
      const [name] = statement.first(id.toLowerCase(), id.toUpperCase()) ?? [];
      if (typeof name === 'string') return name;
    }
    return undefined;
  }

  #statementsFor(member: string): readonly Statement[] {
    const known = this.#statements.get(member);
    if (known !== undefined) return known;
    const there = this.#database.statement("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
    const made = tablesFor(member)
      .filter(({ table }) => there.first(`all_${table}`) !== undefined)
      .map(({ table, names }) => {
        const name = `coalesce(${names.map((each) => `nullif("${each}", '')`).join(', ')}, NULL)`;
        return this.#database.statement(
          `SELECT ${name} FROM "all_${table}" WHERE "Id" IN (?1, ?2) AND ${name} IS NOT NULL ORDER BY "_gone_at" IS NOT NULL, "_seq" LIMIT 1`,
        );
      });
    this.#statements.set(member, made);
    return made;
  }
}
