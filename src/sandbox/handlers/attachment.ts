import { PvActivityData } from '../../contract/records/activity.js';
import { Attachment } from '../../contract/records/attachment.js';
import { isBase64 } from '../../lexical/base64/base64.js';
import { invalidFile } from '../refusals.js';
import { findById, insertRecord } from '../store/records.js';
import { nowText, saveActivity } from './change.js';
import { answered, refuse, type Handler } from './handler.js';
import { idOf, known } from './known.js';

/** Ending of a name from its last dot; none for a name that begins with its only dot. */
const endingOf = (name: string): string => /[^.](\.[^.]*)$/.exec(name)?.[1] ?? '';

/** Interface document, Endpoints, ActivityAddAttachment. */
export const ActivityAddAttachment: Handler<'ActivityAddAttachment'> = (call, input) => {
  const activity = known(call.store, PvActivityData, { id: input.activityId, what: 'activity' });
  const FileName = input.fileName ?? '';
  const content = input.base64EncodedFile ?? '';
  if (FileName === '') refuse({ ...invalidFile, description: 'A file needs a name.' });
  if (!isBase64(content)) refuse({ ...invalidFile, description: 'The content of the file is not base64.' });
  const now = nowText(call);
  const value = {
    Id: call.newId(),
    CreationDate: now,
    ModificationDate: now,
    FileName,
    Version: '1.0',
    Extension: endingOf(FileName),
    ExternalDmsType: 0,
  };
  insertRecord(call.store, Attachment, {
    value: { ...value, Base64EncodedFile: content },
    extra: { ActivityId: idOf(activity.record.Id) },
  });
  saveActivity(call, activity);
  return answered({ Attachment: value });
};

/** Interface document, Endpoints, AttachmentGet. */
export const AttachmentGet: Handler<'AttachmentGet'> = ({ store }, input) =>
  answered({ Attachment: findById(store, Attachment, idOf(input.attachmentId))?.record ?? null });
