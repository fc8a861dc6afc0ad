import { list, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { boolean, int, string } from '../../contract/scalars.js';
import { calibrate, type Calibration } from '../../client/calibrate.js';
import { calibrationKey } from '../../profiles/kept/calibration.js';
import { isSandbox } from '../../profiles/resolve.js';
import type { Context } from '../../host/context.js';
import type { ConnectionFlags } from '../../cli/flags/connection.js';
import type { OutputFlags } from '../../cli/flags/output.js';
import { note } from '../../host/notes.js';
import { profileStore } from '../../cli/session/profile-store.js';
import { openOutput } from '../../cli/output/open-output.js';
import { openSession, type Session } from '../../cli/session/session.js';
import { defined } from '../../plain/defined.js';

/** What `profile test --calibrate` prints. */
const CalibrationRecord = recordWithoutPresence('Calibration', 'How a service pages.', {
  Profile: req(string, 'Name of the profile.'),
  FirstPage: req(int, 'Number of the first page.'),
  PageCap: opt(int, 'Most rows on a page; nothing when no bound was met.'),
  PageSize: opt(int, 'Rows that lists are asked for on a page: the largest that came within ten seconds.'),
  RespectsPageNumber: req(boolean, 'Pages differ by their number.'),
  ListEnd: opt(string, 'How the end of a list looks: empty or absent; nothing when that could not be found out.'),
  Kept: req(boolean, 'The profile now says so.'),
  Evidence: opt(list(string, 'Line'), 'What was seen.'),
});

/** Writes what was found into the profile. The built-in one and that of the environment cannot be written. */
async function keep(context: Context, session: Session, found: Calibration): Promise<boolean> {
  const store = profileStore(context);
  const { name } = session.profile;
  if (isSandbox(session.profile) || !store.names().includes(name)) return false;
  const { firstPage, pageCap, pageSize, listEnd, evidence } = found;
  await store.update(name, () => ({
    firstPage,
    ...defined({
      listEnd,
      pageSize: pageCap !== undefined && pageCap < session.connection.pageSize ? pageCap : undefined,
    }),
  }));
  const date = context.clock.date().toISOString();
  await store.keep(name, calibrationKey, { date, ...defined({ pageSize }), evidence });
  return true;
}

/** Finds out how the service of a profile pages, and keeps it in the profile. Throws what the calls throw. */
export async function calibrateProfile(
  context: Context,
  name: string | undefined,
  flags: ConnectionFlags & OutputFlags,
): Promise<void> {
  const session = await openSession(context, name === undefined ? flags : { ...flags, profile: name });
  const output = await openOutput(context, session, { flags, record: CalibrationRecord, shape: 'single' });
  const found = await calibrate(session.client, { signal: context.signal });
  const Kept = await keep(context, session, found);
  const { firstPage, pageCap, pageSize, respectsPageNumber, listEnd, evidence } = found;
  await output.write([
    {
      Profile: session.profile.name,
      FirstPage: firstPage,
      PageCap: pageCap ?? null,
      PageSize: pageSize ?? null,
      RespectsPageNumber: respectsPageNumber,
      ListEnd: listEnd ?? null,
      Kept,
      Evidence: evidence,
    },
  ]);
  await output.finish();
  if (Kept && context.streams.err.isTerminal) await note(context, flags, 'kept in the profile');
  if (!respectsPageNumber)
    await note(context, flags, 'this service ignores pageNumber: read lists with --page 1 and a large --page-size');
}
