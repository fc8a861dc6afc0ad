import { exitWords } from '../../core/errors/kinds.js';
import { operations } from '../../contract/service.js';
import { folderFlags, openUpload, planUpload, uploadFlags } from '../../writes/attachments/send-attachment.js';
import { fileArg, recordArg } from '../../kit/flags/kinds.js';
import { writeCommand } from '../../writes/command.js';
import { settleFlag } from '../../writes/flags.js';

export default writeCommand({
  operation: operations.ActivityAddAttachment,
  summary: 'Attach files to activities.',
  description:
    'In a terminal, relctl prints size and sha256 on stderr. It reads the file while it sends it, and does not attach a file that changes ' +
    'meanwhile. --envelope and --trace show size and sha256 of content over 64 KiB. Such services usually accept requests of up to 4 MB; relctl warns ' +
    `before it sends a larger one. Each run attaches the file again: after ${exitWords('outcome-unknown')}, check the activity first.`,
  examples: [
    'echo "Minutes of the meeting" > minutes.txt && <%= config.bin %> activity attach 00000000-0020-4000-8000-000000000001 minutes.txt --profile sandbox',
    'echo "Minutes" | <%= config.bin %> activity attach 00000000-0020-4000-8000-000000000001 - --name minutes.txt --profile sandbox',
    'echo "Minutes" > minutes.txt && printf "id,file\\n00000000-0020-4000-8000-000000000001,minutes.txt\\n" > files.csv && <%= config.bin %> activity attach --file files.csv --yes --profile sandbox',
    'mkdir -p scans/00000000-0020-4000-8000-000000000001 && echo "Page 1" > scans/00000000-0020-4000-8000-000000000001/1.txt && <%= config.bin %> activity attach --dir scans --pattern "{id}/*.txt" --yes --profile sandbox',
  ],
  args: {
    id: recordArg('activity'),
    file: fileArg({ required: true, description: 'The file; - reads stdin.' }),
  },
  flags: uploadFlags,
  shows: 'Attachment',
  prepare: openUpload,
  plan: planUpload,
  rowFlags: { ...folderFlags, ...settleFlag },
  alsoFile: ['dir'],
  rows: async () => (await import('../../writes/attachments/rows.js')).attachmentRows,
});
