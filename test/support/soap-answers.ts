import type { AnswerText } from './broken-server.js';

/** Namespace of the service in the tests. */
export const namespace = 'http://relctl.example/sandbox';

const versions = {
  '1.1': { envelope: 'http://schemas.xmlsoap.org/soap/envelope/', type: 'text/xml; charset=utf-8' },
  '1.2': { envelope: 'http://www.w3.org/2003/05/soap-envelope', type: 'application/soap+xml; charset=utf-8' },
} as const;

type Version = keyof typeof versions;

/** An answer with this content of the Body, written out as .NET services do. */
export function envelope(version: Version, body: string, status = 200): AnswerText & { readonly body: string } {
  const { envelope: soap, type } = versions[version];
  return {
    status,
    headers: { 'Content-Type': type },
    body: `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${soap}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body>${body}</soap:Body></soap:Envelope>`,
  };
}

/** The answer of NotificationGetCount. */
export const count = envelope(
  '1.2',
  `<NotificationGetCountResponse xmlns="${namespace}"><NotificationGetCountResult><Result><Succeeded>true</Succeeded><Number>0</Number></Result><NumberOfNotifications>7</NumberOfNotifications></NotificationGetCountResult></NotificationGetCountResponse>`,
);

/** A result that says that the call failed. */
export const notSucceeded = (code: string, description: string): AnswerText =>
  envelope(
    '1.2',
    `<NotificationGetCountResponse xmlns="${namespace}"><NotificationGetCountResult><Result><Succeeded>false</Succeeded><Number>1042</Number><Code>${code}</Code><Description>${description}</Description></Result></NotificationGetCountResult></NotificationGetCountResponse>`,
  );

/** A result with a message of failure beside what was done. */
export const errorInformation = (text: string): AnswerText =>
  envelope(
    '1.2',
    `<NotificationGetCountResponse xmlns="${namespace}"><NotificationGetCountResult><Result><Succeeded>true</Succeeded><Number>0</Number></Result><NumberOfNotifications>7</NumberOfNotifications><ErrorInformation>${text}</ErrorInformation></NotificationGetCountResult></NotificationGetCountResponse>`,
  );

/** A fault of SOAP 1.1. */
export const fault11 = (code: string, text: string): AnswerText =>
  envelope(
    '1.1',
    `<soap:Fault><faultcode>soap:${code}</faultcode><faultstring>${text}</faultstring><detail /></soap:Fault>`,
    500,
  );

/** A fault of SOAP 1.2. */
export const fault12 = (code: string, text: string): AnswerText =>
  envelope(
    '1.2',
    `<soap:Fault><soap:Code><soap:Value>soap:${code}</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="en">${text}</soap:Text></soap:Reason><soap:Detail /></soap:Fault>`,
    500,
  );

/** An answer to something else. */
export const wrongElement = envelope(
  '1.2',
  `<RelationGetAllResponse xmlns="${namespace}"><RelationGetAllResult /></RelationGetAllResponse>`,
);

/** The right answer in the words of another service. */
export const wrongNamespace = envelope(
  '1.2',
  '<NotificationGetCountResponse xmlns="http://elsewhere.example/"><NotificationGetCountResult /></NotificationGetCountResponse>',
);

/** A page of RelationGetAll with these Ids. */
export const relations = (...ids: readonly string[]): AnswerText & { readonly body: string } =>
  envelope(
    '1.2',
    `<RelationGetAllResponse xmlns="${namespace}"><RelationGetAllResult><Relations>${ids
      .map(
        (id) =>
          `<PvRelationData><Id>${id}</Id><EntityTypeId>${id}</EntityTypeId><SortingName>A</SortingName><DisplayName>A</DisplayName><IsRoot>false</IsRoot><IsDummy>false</IsDummy><IsInactive>false</IsInactive></PvRelationData>`,
      )
      .join('')}</Relations></RelationGetAllResult></RelationGetAllResponse>`,
  );

/** A page for people. */
export const html = (title: string, status = 200, headers: Readonly<Record<string, string>> = {}): AnswerText => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers },
  body: `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1><br></body></html>`,
});

/** Id under which the attachments of the tests are asked for. */
export const attachmentId = '00000000-0021-4000-8000-000000000001';

/** What an answer with an attachment holds. */
interface AttachmentText {
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
