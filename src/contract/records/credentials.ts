import { nil, opt, record, req } from '../build.js';
import { guid, string } from '../scalars.js';

/** Interface document, Authentication. */
const ApiSourceApplication = record('ApiSourceApplication', 'The program that calls.', {
  Name: opt(string, 'Name of the program.'),
  Category: opt(string, 'Kind of program.'),
  Subcategory: opt(string, 'Kind of program, more closely.'),
  Version: opt(string, 'Version of the program.'),
});

/** Interface document, Authentication. How the fields combine is not documented. */
export const ApiCredentials = record('ApiCredentials', 'Who calls: sent first in every request.', {
  ApiKey: req(guid, 'Key of the API; a secret.'),
  DatabaseId: nil(guid, 'The database to work on.'),
  UserId: nil(guid, 'The user to work as.'),
  UserName: opt(string, 'Name of the user.'),
  Password: opt(string, 'Password of the user; a secret.'),
  SourceApplication: opt(ApiSourceApplication, 'The program that calls.'),
});

/** The first child of every request; optional by the service’s own description, always sent by relctl. */
export const credentialsField = opt(ApiCredentials, 'Who calls.');
