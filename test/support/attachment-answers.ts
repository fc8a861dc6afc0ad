import type { AnswerText } from './broken-server.js';
import { envelope, namespace } from './soap-answers.js';

/** Id under which the attachments of the tests are asked for. */
export const attachmentId = '00000000-0021-4000-8000-000000000001';

/** What an answer with an attachment holds. */
export interface AttachmentText {
  /** The text of the content, base64 or not. */
  readonly content: string;
  readonly fileName?: string;
  /** Elements behind the content, within the attachment. */
  readonly behind?: string;
  /** Elements behind the attachment, within the result. */
  readonly after?: string;
}

/** An answer of AttachmentGet, written out as .NET services do. */
export function attachmentAnswer({
  content,
  fileName,
  behind = '',
  after = '',
}: AttachmentText): AnswerText & { readonly body: string } {
  const name = fileName === undefined ? '' : `<FileName>${fileName}</FileName>`;
  return envelope(
    '1.2',
    `<AttachmentGetResponse xmlns="${namespace}"><AttachmentGetResult><Attachment><Id>${attachmentId}</Id><CreationDate>2026-01-01T00:00:00</CreationDate><ModificationDate>2026-01-01T00:00:00</ModificationDate>${name}<ExternalDmsType>0</ExternalDmsType><Base64EncodedFile>${content}</Base64EncodedFile>${behind}</Attachment>${after}</AttachmentGetResult></AttachmentGetResponse>`,
  );
}

/** An answer of ActivityAddAttachment. */
export const attachmentMade = envelope(
  '1.2',
  `<ActivityAddAttachmentResponse xmlns="${namespace}"><ActivityAddAttachmentResult><Attachment><Id>${attachmentId}</Id><CreationDate>2026-01-01T00:00:00</CreationDate><ModificationDate>2026-01-01T00:00:00</ModificationDate><ExternalDmsType>0</ExternalDmsType></Attachment></ActivityAddAttachmentResult></ActivityAddAttachmentResponse>`,
);

/** So many bytes that repeat themselves at no power of two. */
export const bytesOf = (length: number): Buffer =>
  Buffer.alloc(length, Buffer.from(Array.from({ length: 10_007 }, (_, index) => (index * 31) % 251)));
