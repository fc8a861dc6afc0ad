import { operations } from '../../contract/service.js';
import { attachmentFlags, getAttachment } from '../../writes/attachments/get.js';
import { defineCommand } from '../../kit/command.js';
import { guidArg } from '../../kit/flags/kinds.js';

export default defineCommand({
  summary: 'Show an attachment, or save its file, or those of many.',
  description:
    'Without --output-dir and --output-file, relctl prints the record, and its content only in a machine-readable ' +
    'format. It writes a file while it reads the answer; the file appears when the whole answer was valid. On stdout ' +
    'it cannot take bytes back, so check the exit code. relctl uses a name that the service sends ' +
    'only as the last part of the path, and only with --output-dir. With --ids each file is ID_NAME; the results have ' +
    'the outcome of each, also when the run is killed, and --only-missing resumes.',
  examples: [
    '<%= config.bin %> attachment get 00000000-0021-4000-8000-000000000001 --profile sandbox',
    '<%= config.bin %> attachment get 00000000-0021-4000-8000-000000000001 --output-file minutes.bin --force --profile sandbox',
    '<%= config.bin %> attachment get 00000000-0021-4000-8000-000000000001 --output-file - --profile sandbox > minutes.txt',
    'echo 00000000-0021-4000-8000-000000000001 > ids.txt && mkdir -p all && <%= config.bin %> attachment get --ids ids.txt --output-dir all --only-missing --profile sandbox',
    'mkdir -p files && <%= config.bin %> attachment get 00000000-0021-4000-8000-000000000001 --output-dir files --force --profile sandbox',
  ],
  args: { id: guidArg('Id of the attachment.') },
  flags: attachmentFlags,
  looseWith: ['ids'],
  operations: [operations.AttachmentGet.name],
  run: async ({ args, flags, context }) => {
    if (flags.ids === undefined) return getAttachment(context, args.id, flags);
    const { getAttachments } = await import('../../writes/attachments/many/many-run.js');
    await getAttachments(context, args, flags);
  },
});
