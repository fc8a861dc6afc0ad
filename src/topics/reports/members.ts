import { connectionFlags } from '../../cli/flags/connection.js';
import { neutral, switchFlag, type Values } from '../../cli/flags/define.js';
import { maxAgeFlag, rateFlag } from '../../cli/flags/mirror.js';
import type { CommonFlags } from '../../cli/flags/output.js';
import { isSeen } from '../../cli/mirror/age.js';
import { inRole, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { AddressStyle, AddressType } from '../../contract/enumerations.js';
import { boolean, dateTime, guid, string } from '../../contract/scalars.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { note } from '../../host/notes.js';
import { shellCommand } from '../../lexical/shell/command.js';
import type { Database } from '../../sqlite/open.js';
import { openReported } from './mirror.js';
import { printReport, reportFlags } from './print.js';

const helpGroup = 'MEMBERS';

/** Flags of `mark members`. */
export const membersFlags = {
  'include-opt-out': switchFlag({ summary: 'Also those that do not want mailings.', helpGroup }),
  'include-inactive': switchFlag({ summary: 'Also those that are no longer in use.', helpGroup }),
  ...neutral({ profile: connectionFlags.profile }),
  ...maxAgeFlag,
  ...rateFlag,
  ...reportFlags,
};

type MembersFlags = Values<typeof membersFlags> & CommonFlags;

/** A row of `mark members`. */
export const MarkMember = recordWithoutPresence(
  'MarkMember',
  'A relationship that carries a mark, with what a mailing needs.',
  {
    RelationshipId: req(guid, 'The relationship.'),
    ParentRelationId: req(guid, 'The relation on the parent side, such as the organisation.'),
    ChildRelationId: req(guid, 'The relation on the child side, such as the person.'),
    DisplayName: inRole('name', opt(string, 'Name as it is shown.')),
    SortingName: opt(string, 'Name by which the rows are sorted.'),
    Addressing: opt(string, 'First lines of the address on a letter.'),
    AddressingVariant: opt(string, 'Another form of the addressing.'),
    Openening: opt(string, 'The salutation that opens a letter.'),
    OpeneningVariant: opt(string, 'Another form of the salutation.'),
    AddresStyle: opt(AddressStyle, 'How letters address it.'),
    PreferredAddress: opt(AddressType, 'The address to use: that of the mark, else that of the relationship.'),
    DisplayCity: opt(string, 'City as it is shown.'),
    Date: opt(dateTime, 'When the mark was put on.'),
    OptOut: opt(boolean, 'Does not want mailings.'),
    IsInactive: opt(boolean, 'No longer in use.'),
  },
);

/** The mark on each relationship: a relationship that carries it twice is one member, by the later date. */
const carried = `
CREATE TEMP TABLE carried (id TEXT PRIMARY KEY, address TEXT, date TEXT) WITHOUT ROWID`;
const fillCarried = `
INSERT INTO carried SELECT id, "PreferredAddress", "Date" FROM (
  SELECT lower("RelationshipId") AS id, "PreferredAddress", "Date",
    row_number() OVER (PARTITION BY lower("RelationshipId") ORDER BY "Date_instant" DESC, "Id") AS place
  FROM "relation_marks" WHERE lower("MarkId") = ? AND "RelationshipId" IS NOT NULL) WHERE place = 1`;

/** The relationships that carry the mark and are there. */
const members = `
SELECT r.*, r."Id" AS "RelationshipId", coalesce(c.address, r."PreferredAddress") AS "Preferred", c.date AS "Date"
FROM "relationships" r JOIN carried c ON c.id = lower(r."Id")`;

// Whoever is not known to want mailings gets none.
const optOut = '"OptOut" IS NOT 0';
const inactive = '"IsInactive" IS NOT 0';

/** The condition under which a member is shown. */
const shown = (flags: MembersFlags): string =>
  [
    'TRUE',
    ...(flags['include-opt-out'] ? [] : [`NOT (${optOut})`]),
    ...(flags['include-inactive'] ? [] : [`NOT (${inactive})`]),
  ].join(' AND ');

/** Throws `not-found` for an Id that is no mark in the mirror. */
function checkMark(database: Database, id: string): void {
  const sql =
    'SELECT 1 FROM (SELECT "Id" FROM "marks" UNION ALL SELECT "Id" FROM "campaign_marks") WHERE lower("Id") = ?';
  if (database.statement(sql).first(id) !== undefined) return;
  throw new RelctlError('not-found', `there is no mark ${id} in the mirror`, {
    advice: 'It may be newer than the mirror.',
    hint: shellCommand(['mirror', 'sync', 'marks', 'campaign_marks']),
  });
}

const numberOf = (database: Database, sql: string): number => Number(database.statement(sql).first()?.[0] ?? 0);

/** Says how many members were left out, and why: each is counted once. */
async function tellLeftOut(context: Context, flags: MembersFlags, database: Database): Promise<void> {
  const count = (where: string): number => numberOf(database, `SELECT count(*) FROM (${members}) WHERE ${where}`);
  const outs = flags['include-opt-out'] ? 0 : count(optOut);
  const inactives = flags['include-inactive']
    ? 0
    : count(flags['include-opt-out'] ? inactive : `${inactive} AND NOT (${optOut})`);
  const told = [
    ...(outs > 0 ? [`${outs} with OptOut (--include-opt-out)`] : []),
    ...(inactives > 0 ? [`${inactives} inactive (--include-inactive)`] : []),
  ];
  if (told.length > 0) await note(context, flags, `left out: ${told.join(', ')}`);
}

/** Says that marks are on relationships that the mirror never had: rows are missing, which is told everywhere. */
async function tellUnknown(context: Context, flags: MembersFlags, database: Database): Promise<void> {
  const unknown = numberOf(
    database,
    'SELECT count(*) FROM carried WHERE id NOT IN (SELECT lower("Id") FROM "all_relationships" WHERE "Id" IS NOT NULL)',
  );
  if (unknown === 0) return;
  const sync = shellCommand(['mirror', 'sync', 'relationships']);
  await note(context, flags, `${unknown} marked relationships are not in the mirror and not shown: see \`${sync}\``);
}

/**
 * Prints the relationships that carry a mark, from the mirror, by SortingName. Throws `not-found` where the mirror has not
 * what is needed, or no such mark, `local`, `profile` and `usage`.
 * @param id Id of the mark, in small letters
 */
export async function showMembers(context: Context, flags: MembersFlags, id: string): Promise<void> {
  const database = await openReported(context, flags, ['marks', 'campaign_marks', 'relationships', 'relation_marks']);
  checkMark(database, id);
  database.execute(carried);
  database.statement(fillCarried).run(id);
  const columns = Object.keys(MarkMember.fields).map((name) =>
    name === 'PreferredAddress' ? '"Preferred" AS "PreferredAddress"' : `"${name}"`,
  );
  await printReport(context, flags, {
    record: MarkMember,
    table: ['DisplayName', 'Addressing', 'Openening', 'PreferredAddress', 'DisplayCity', 'RelationshipId'],
    blank: 'No members.',
    database,
    sql: `SELECT ${columns.join(', ')} FROM (${members}) WHERE ${shown(flags)} ORDER BY "SortingName", "RelationshipId"`,
  });
  if (isSeen(context)) await tellLeftOut(context, flags, database);
  await tellUnknown(context, flags, database);
}
