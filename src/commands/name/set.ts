import { defineCommand } from '../../kit/command.js';
import { connectionFlags } from '../../kit/flags/common.js';
import { switchFlag } from '../../kit/flags/define.js';
import { textArg } from '../../kit/flags/kinds.js';
import { kindArg, setName } from '../../topics/profiles/names.js';

export default defineCommand({
  summary: 'Name an id, for every flag and argument that takes an id of its kind.',
  description:
    'relctl saves the name in the profile. It can have spaces; case does not matter. A GUID always means ' +
    'itself, so a name cannot look like one. Kind field names a field, for --field of every command. Kind field-datastore ' +
    'sets the datastore that a field chooses from, so that --field accepts the texts of its items: NAME is the field and ID the ' +
    'datastore, each by its Id or its name. The interface document does not say where the service returns the datastore; ExtraInfo of the field, ' +
    'in activity fields, may be its Id, and datastore items shows whether the items are those of the field.',
  examples: [
    '<%= config.bin %> name set workflow Sales 00000000-0030-4000-8000-000000000001 --profile sandbox',
    '<%= config.bin %> name set user "Jan de Vries" 00000000-0000-4000-8000-000000000011 --profile sandbox',
    '<%= config.bin %> name set vat-rate high 00000000-0062-4000-8000-000000000001 --force --profile sandbox',
    '<%= config.bin %> name set field Subject 00000000-0041-4000-8000-000000001101 --profile sandbox',
    '<%= config.bin %> name set field-datastore 00000000-0041-4000-8000-000000001102 00000000-0040-4000-8000-000000000024 --profile sandbox && <%= config.bin %> activity search --entity-type 00000000-0040-4000-8000-000000000011 --fields-of 00000000-0030-4000-8000-000000000001 --field Priority=High --limit 5 --profile sandbox',
  ],
  args: {
    kind: kindArg,
    name: textArg({ required: true, description: 'The name.' }),
    id: textArg({ required: true, description: 'Id of the record.' }),
  },
  flags: {
    profile: connectionFlags.profile,
    force: switchFlag({ summary: 'Replace the name of another id.' }),
  },
  run: ({ args, flags, context }) => setName(context, flags, args),
});
