/** The promises of docs/logs.md. */
import { by, type PageEntries } from '../held.ts'

const runProgress = 'cli/run-progress.test.ts'
const logs = 'cli/logs.test.ts'
const commands = 'cli/commands.test.ts'

export const logsPromises: PageEntries = {
  page: 'logs.md',
  held: {
    '354b95 In CI, or when the': by(runProgress, 'one at start and end of each, the reused ones together'),
    '156460 For programs --log-format json prints': by(
      logs,
      'stdout is pure NDJSON with time and run id, for every command that runs something',
      'what failed is told on stderr too, where the log of a job is all that is read',
    ),
    'afa36a Each event has at (UTC),': [
      ...by(logs, 'stdout is pure NDJSON with time and run id, for every command that runs something'),
      ...by('cli/machines.test.ts', 'get one event a line, each in its schema, and nothing else on stdout'),
    ],
    '2ad2de --debug adds every statement with': by(
      logs,
      'shows statements with rows, decisions, and the stack of an error',
      'shows requests without their secrets',
    ),
    '41621a After the run all of': by(logs, 'holds everything, for its owner only, and svc logs prints it'),
    '03ac82 The newest 50 logs are': by(logs, 'keeps the newest 50 and no more than 100 MB'),
    'ccc5b1 Exit code 1 means that': by(
      commands,
      'says what changed and what breaks',
      'ends with 1 where a source breaks its contract',
    ),
  },
  explains: [],
}
