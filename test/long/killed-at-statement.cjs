// Kills its process before the statement with the number in KILLED_AT_STATEMENT: `node --require FILE`. Only statements count
// that change a database, and those without values, such as COMMIT.
const { beforeCalls } = require('../support/statements.cjs');

let left = Number(process.env.KILLED_AT_STATEMENT);
beforeCalls(['databaseExecSync', 'statementRun'], () => {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
});
