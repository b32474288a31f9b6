/** The promises of docs/production.md. */
import { by, type PageEntries } from '../held.ts'

const workspace = 'cli/workspace.test.ts'
const follow = 'docs/follow.test.ts'
const pagePromises = 'cli/page-promises.test.ts'
const whatIsThere = 'docs/what-is-there.test.ts'
const interrupt = 'engine/run/interrupt.test.ts'
const timesAndFreshness = 'cli/times-and-freshness.test.ts'
const backup = 'cli/backup.test.ts'

export const productionPromises: PageEntries = {
  page: 'production.md',
  held: {
    '67ddf8 warehouse in svc.yaml says where': by(workspace, 'has variables and a warehouse of its own'),
    '622b7d env:PROD_WAREHOUSE takes the address from': [
      ...by(workspace, 'says which variable is missing, and only when the warehouse is asked for'),
      ...by(follow, 'a reader who types what a page says'),
    ],
    '2d8bb6 Programs that read production while': by(
      pagePromises,
      'while a source is fetched the warehouse is open to others, and what has come to its owner alone',
    ),
    '514fe5 Snowflake and other servers cannot': by(whatIsThere, 'What is not there yet'),
    'd6bc58 Two runs cannot disturb each': by(
      interrupt,
      'a second command says who is at work, and ends with 3',
    ),
    'cb79cf It ends with exit code': by(
      timesAndFreshness,
      'freshness has both clocks, in the catalogue and in svc freshness',
    ),
    'e3b2ae svc backup copies the warehouse': by(
      backup,
      'copies what a killed process left in the log, which a copy of the file is without',
      'overwrites nothing, needs a warehouse and a folder, and leaves nothing where it fails',
    ),
    '7fd47f The next command that opens': by(
      backup,
      'is in the file as soon as anybody opens the warehouse, and status and doctor say so',
    ),
    'b07610 svc backup has it in': by(
      backup,
      'copies the log where it cannot be brought into the file, as beside somebody who reads',
    ),
    '252e25 A database of a PostgreSQL': by(
      backup,
      'keeps the mode of the file, and says where a server keeps its copies',
    ),
    '2e1513 CI checks the files of': by(
      pagePromises,
      'validate and fmt need neither the warehouse nor a source',
    ),
  },
  explains: [
    '35eee6 What it takes to run',
    '1c89c7 Three places do not work,',
    '37cd0f An object store (S3, GCS):',
    'aaebbe With cron, each hour:',
    '2f253c The exit code says what',
    '7341a9 Everything that cannot be made',
    'ef7d3b The warehouse file is copied',
    '2757fe svc validate and svc fmt',
  ],
}
