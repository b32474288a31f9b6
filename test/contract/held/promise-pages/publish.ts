/** The promises of docs/publish.md. */
import { by, type PageEntries } from '../held.ts'

const publish = 'cli/publish/publish.test.ts'
const databases = 'cli/publish/databases.test.ts'
const http = 'cli/publish/http.test.ts'
const pagePromises = 'cli/page-promises.test.ts'
const doubts = 'cli/publish/doubts.test.ts'
const outsideReads = 'cli/outside-reads.test.ts'
const newcomer = 'cli/newcomer.test.ts'
const jsonSql = 'engine/publish/json-sql.test.ts'
const remoteFiles = 'cli/publish/remote-files.test.ts'
const pages = 'docs/pages.test.ts'
const values = 'cli/publish/values.test.ts'
const wholeAddress = 'cli/publish/whole-address.test.ts'

export const publishPromises: PageEntries = {
  page: 'publish.md',
  held: {
    'ce2862 What was only previewed is': by(
      publish,
      'is published: not what was previewed, and nothing before the first run',
    ),
    'd33f31 A dry run asks the': by(
      publish,
      'shows counts and samples with personal values masked, and changes nothing',
    ),
    'a36a0a Only what has changed since': [
      ...by(databases, 'makes the table, inserts, updates what changed alone, and leaves what is gone'),
      ...by(http, 'have so many rows, a key each, and only what has changed since'),
    ],
    'c3bb2d key the columns that identify': by(
      pagePromises,
      'rows are told apart at a target by the columns that are called the primary key',
    ),
    '02aa1a fields what is sent: names': [
      ...by(http, 'name fields as the target does, and lists as it wants them'),
      ...by(doubts, 'have only the fields of today'),
    ],
    'dd490b where an SQL condition on': by(
      outsideReads,
      'in the condition of a publish, and of the rows that requests are made for',
    ),
    'd92a18 limits rate , concurrency ,': by(
      http,
      'sends no more at a time than the limit, and no more in a second',
      'ends after so many tries; what was acknowledged is kept, and the rest goes under its keys the next time',
    ),
    '3fdec8 environments the environments whose production': by(
      publish,
      'of environments that the destination takes, %s',
    ),
    '502854 credentials env:NAME ; by default': [
      ...by(wholeAddress, 'is the endpoint of a target that names none'),
      ...by(newcomer, 'may be a JSON object with table, key and mode'),
      ...by(publish, 'a destination in other letters is the same one: it reads one variable'),
    ],
    'f7feb3 upsert (default) inserted updated stay': by(
      databases,
      'makes the table, inserts, updates what changed alone, and leaves what is gone',
    ),
    'e75ad4 The variable alone is enough': by(newcomer, 'may be a JSON object with table, key and mode'),
    'd2a2e5 Each batch is one transaction,': by(
      databases,
      'a publish that is killed is gone on from, and the target is as production in the end',
    ),
    'bfd492 Every request has a header': by(
      http,
      'have so many rows, a key each, and only what has changed since',
      'a batch that fails is sent again, the same, under the same key',
      'of a row that comes back to what it was have another key than then',
    ),
    '6d655a When a batch is refused': by(
      http,
      'a batch that is refused is halved until the wrong rows are alone',
    ),
    '88ebd4 An integer of more than': by(
      values,
      'arrive as production has them, or are refused for a good reason: none is changed in silence',
    ),
    '715a79 Numbers in documents of JSON': [
      ...by(jsonSql, 'the text of %s %s'),
      ...by(databases, 'keeps every digit of decimals, in keys and inside of other values'),
    ],
    'b2e1c3 On an SFTP server the': by(
      remoteFiles,
      'is sent under another name and renamed, and what was there stays when it cannot be',
    ),
    'c23bed Without the key the limit': by(
      publish,
      'lets small tables change as they like when nothing is said, and no large ones',
      'stops a publish that would change most of what is there, unless it is told to',
    ),
    'e48d2b Personal data. A policy of': by(
      publish,
      'stops personal data at the door, and lets the rest through',
    ),
    'f31c51 An old build. What is': by(
      publish,
      'is published with a word of what speaks against it: a run that did not renew it, a test that failed',
    ),
    '26491c svc publish and its dry': by(
      publish,
      'is published with a word of what speaks against it: a run that did not renew it, a test that failed',
      'has warnings that last, and with --strict new ones stop it before anything is sent',
    ),
    '64d992 One at a time. Two': by(publish, 'is the only one of its kind at a time'),
    'c4fd20 Nothing leaves before that, and': by(
      doubts,
      'are sent where they are still meant, by the request that the target names now, as another batch',
      'go nowhere where a strict policy was added',
    ),
    '9b680b Where the target names another': by(
      doubts,
      'of another place are sent to the one that is named now, and the other is told of',
    ),
    '1ddedc The rows themselves have no': by(
      doubts,
      'nothing of a row stays when a publish has failed or was refused, and what stays is in a folder of its owner',
    ),
    'ea74a4 After a kill the keys': by(
      doubts,
      'what a dry run that was killed has read goes with svc gc',
      'nothing of a row stays when a publish has failed or was refused, and what stays is in a folder of its owner',
    ),
    '1bc81e --full-refresh sends every row again,': by(
      publish,
      'does not count with --full-refresh, which sends every row again',
    ),
    'd72a10 Every attempt is in svc': by(
      publish,
      'is in the logs and in the history, also one that was refused',
    ),
    'a8e315 Where a number stands, it': by(
      pages,
      'show of %s what tests show, and nothing that the checks refuse',
    ),
    '6e0c10 sends nothing when nothing has': by(
      pages,
      'show of %s what tests show, and nothing that the checks refuse',
    ),
  },
  explains: [],
}
