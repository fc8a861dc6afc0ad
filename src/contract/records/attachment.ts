import { inRole, opt, recordWithoutPresence, req } from '../build.js';
import { dateTime, guid, int, string } from '../scalars.js';

/** Interface document, Small shared records. */
export const Attachment = recordWithoutPresence('Attachment', 'A file attached to an activity.', {
  Id: req(guid, 'Identifies the attachment.'),
  CreationDate: req(dateTime, 'When it was attached.'),
  ModificationDate: req(dateTime, 'When it was changed last.'),
  FileName: inRole('name', opt(string, 'Name of the file; a suggestion, never a path.')),
  Description: opt(string, 'Words about the file.'),
  Version: opt(string, 'Version of the file.'),
  Extension: opt(string, 'Ending of the file name.'),
  ExternalDmsType: req(int, 'Kind of external document system; the values are not documented.'),
  ExternalDmsId: opt(string, 'Key of the file in that system.'),
  Base64EncodedFile: inRole('content', opt(string, 'The content of the file, in base64.')),
});
