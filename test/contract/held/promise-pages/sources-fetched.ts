/** The promises of docs/sources.md about what is fetched, and how. */
import { by, type PageEntries } from '../held.ts'

const firstSteps = 'cli/first-steps.test.ts'
const identity = 'engine/run/identity.test.ts'
const limits = 'engine/ingest/limits.test.ts'
const unchangedLoads = 'engine/run/unchanged-loads.test.ts'
const fileMemory = 'engine/ingest/file-memory.test.ts'
const types = 'engine/ingest/types.test.ts'
const files = 'engine/ingest/files.test.ts'
const textFiles = 'engine/ingest/text-files.test.ts'
const longFiles = 'long/files.test.ts'
const textLayouts = 'engine/run/text-layouts.test.ts'
const wideFiles = 'engine/ingest/wide-files.test.ts'
const inspectLayouts = 'cli/inspect-layouts.test.ts'
const textLayout = 'language/source/text-layout.test.ts'
const partitions = 'engine/ingest/partitions.test.ts'
const onlyNew = 'engine/run/only-new.test.ts'
const webFiles = 'engine/ingest/web-files.test.ts'
const s3Files = 'engine/ingest/s3-files.test.ts'
const sftpFiles = 'engine/ingest/sftp-files.test.ts'
const addressFromEnv = 'cli/address-from-env.test.ts'
const commands = 'cli/commands.test.ts'
const restPromises = 'engine/ingest/rest-promises.test.ts'
const session = 'engine/ingest/session.test.ts'
const rest = 'engine/ingest/rest.test.ts'
const httpParts = 'engine/ingest/http-parts.test.ts'
const answers = 'engine/ingest/answers.test.ts'
const longAnswers = 'long/answers.test.ts'
const pages = 'docs/pages.test.ts'
const forEach = 'engine/run/for-each.test.ts'
const pagePromises = 'cli/page-promises.test.ts'
const unchangedAnswers = 'engine/run/unchanged-answers.test.ts'
const postgres = 'engine/ingest/sql/postgres.test.ts'
const mariadb = 'engine/ingest/sql/mariadb.test.ts'
const sqlite = 'engine/ingest/sql/sqlite.test.ts'
const incrementalDatabases = 'engine/run/incremental-databases.test.ts'
const warehouseSource = 'cli/warehouse-source.test.ts'

export const fetchedPromises: PageEntries['held'] = {
  '8e9a32 Three keys are the address': by(
    firstSteps,
    'create asset writes a template for each kind of source, without a mistake in it',
  ),
  'bcce5e Each run fetches the sources': by(
    identity,
    'a source with other content is loaded again, with the same content it is not',
  ),
  '4b3806 A packed file that unpacks': by(
    limits,
    'may not be bombs',
    'that are packed CSV may not be bombs either',
    'may unpack to so much together',
  ),
  '458bba Files that have not changed': [
    ...by(unchangedLoads, 'files that nobody has touched since their load are not read again'),
    ...by(fileMemory, 'a file that is %s has to be read'),
  ],
  'ed34a9 Types are inferred from every': [
    ...by(
      types,
      'has the types for the check that a load gives',
      'of a large file are known after its load only',
    ),
    ...by(files, 'takes types from every value and keeps as text what a type would change'),
  ],
  '36ea7a Every line of a text': [
    ...by(textFiles, 'lines of text files are loaded, rejected or counted'),
    ...by(longFiles, 'has the records that are counted in it, whatever is written'),
  ],
  '23e891 encoding UTF-8, or UTF-16 where': [
    ...by(textFiles, 'lines of text files are loaded, rejected or counted'),
    ...by(longFiles, 'are loaded line by line'),
  ],
  'eb19c0 delimiter tab, \\ , ;': [
    ...by(textFiles, 'lines of text files are loaded, rejected or counted'),
    ...by(longFiles, 'are loaded line by line'),
  ],
  '61c4eb quotes " , doubled inside': [
    ...by(textFiles, 'lines of text files are loaded, rejected or counted'),
    ...by(longFiles, 'are loaded line by line'),
  ],
  'c7abdb header the first record, if': [
    ...by(
      files,
      'have words that are the name of one column, which is no header',
      'repeat the header in the middle, quoted or packed',
    ),
    ...by(
      textLayouts,
      'is told of guesses until a promotion agrees to them, and of newly skipped lines again',
    ),
  ],
  'db5a6c comments none, unless comment names': [
    ...by(textFiles, 'lines of text files are loaded, rejected or counted'),
    ...by(longFiles, 'are loaded line by line'),
  ],
  '22722f line ends LF, CRLF, both': [
    ...by(textFiles, 'lines of text files are loaded, rejected or counted'),
    ...by(longFiles, 'are loaded line by line'),
  ],
  'b0fb9e A quote that is never': [
    ...by(files, 'have a quote that is not closed, %s'),
    ...by(types, 'behind a quote that is never closed are refused all the same'),
  ],
  'c01254 A record may have limits.record': by(
    wideFiles,
    'a record longer than limits.record is named by its line',
  ),
  '27007e svc inspect shows how each': by(inspectLayouts, 'in words and as JSON, before a run and after it'),
  '0ef619 The promotion writes that to': by(
    textLayouts,
    'has its layout written once, and the same way is no news',
    'has each layout of a folder once, and a new one is told of by its file',
  ),
  '0c59ff A file that would be': by(
    textLayouts,
    'is told of %s once, then the lock agrees',
    'is refused under a contract before anything is loaded, until the options say it',
  ),
  '932527 What ingest.options say is compared': by(textLayout, 'is none that the options say'),
  'cb6007 A file without quotes fits': by(textLayout, 'is none where a file has no sign of it'),
  '911628 The lines are the same': by(textLayouts, 'is the same for every environment'),
  '8f3e3e Folders named key=value are columns': by(partitions, 'are columns of %s'),
  '182348 Only folders below endpoint count,': by(
    partitions,
    'count for the id of the load, and are none where that is wanted or not all files have them',
  ),
  '6814b5 All names together decide the': by(
    partitions,
    'are codes where their numbers begin with zeros',
    'stay where lines are discarded, and keep the type that a contract promises',
  ),
  '803e9f A pattern that names folders': [
    ...by(partitions, 'are columns of a bucket, of which a pattern reads some'),
    ...by(
      onlyNew,
      'records of new files are added, also such as are there already, and no file is read twice',
    ),
  ],
  '460afb Where the files have such': by(
    partitions,
    'that are called like a column of the files are an error',
    'count for the id of the load, and are none where that is wanted or not all files have them',
  ),
  'd9d19f limits.timeout is that of the': by(
    webFiles,
    'that are not there, too large, or not one are told',
    'are tried again when the connection breaks, and when the server is busy',
  ),
  'd507ee A redirect to another host': by(
    webFiles,
    'are asked for with the credentials of the asset, which no redirect takes elsewhere',
  ),
  '7b35a5 The key comes from access_key_id': by(
    s3Files,
    'are asked for with the key of the file, of the credentials, of the variables or of a profile',
  ),
  'ec6304 Nothing is sent to a': by(sftpFiles, 'are asked of a server whose key is known, and of no other'),
  '97afe8 Of both, a run lists': [
    ...by(s3Files, 'are listed page by page, and those that match are read'),
    ...by(sftpFiles, 'are found by a pattern below the folder, also by links, and read'),
  ],
  'e8cb77 limits.timeout is the time in': [
    ...by(sftpFiles, 'that are not there, or have too many bytes, are told'),
    ...by(limits, 'may not be too many'),
  ],
  '368baf A run that broke off': [
    ...by(s3Files, 'that have come stay when the fetch breaks off, unless they have changed since'),
    ...by(sftpFiles, 'that have come stay when the fetch breaks off'),
  ],
  'e03031 Strings in endpoint , auth': [
    ...by(addressFromEnv, 'no output and no file has a secret of the address'),
    ...by(commands, 'secrets of the environment never come out'),
  ],
  '14f6a3 If no token is given,': by(
    restPromises,
    'come from the default variable, and are named when they are missing',
  ),
  '98d084 auth: {type: session, …} logs': by(
    session,
    'get one token for all requests, from a login that is JSON',
    'take the cookies of the answer, also of a redirect to a page for people',
  ),
  '3292ed A session that the service': by(
    session,
    'are logged in to again when the service refuses, by the statuses that say so',
    'are asked no third time when they take nobody',
  ),
  '3669c1 auto (default) what the first': [
    ...by(rest, '%s is found out by itself'),
    ...by(httpParts, 'detection of paging'),
  ],
  '2e8b9b in: header sends param as': by(answers, '%s is loaded whole or told'),
  '4c9b0e A path , header ,': by(
    answers,
    'is an error where no answer has it, with what the answer has',
    'may be missing on a last page that says nothing of more',
  ),
  'bfe607 If the total is known,': by(
    rest,
    'fetches pages of known number at once, as many as allowed, and keeps their order',
  ),
  'b50167 An answer that says that': [...by(answers, '%s is loaded whole or told'), ...by(longAnswers, '%s')],
  'c0cd77 a total, a flag or': [
    ...by(pages, '%s is up to date (npm run docs)'),
    ...by(answers, '%s is loaded whole or told'),
  ],
  'd13c4b One request for each row': by(
    forEach,
    'asks for the rows of this run, page by page, and carries their key',
    'puts values into parameters and bodies, as steps of a path and as numbers',
  ),
  '08b6f6 The asset is built first,': by(
    forEach,
    'comes after the build that has the rows, in the plan and in the lineage',
    'are asked for side by side, as many as limits.concurrency allows',
  ),
  '920ca4 carry adds columns of the': by(
    forEach,
    'asks for the rows of this run, page by page, and carries their key',
    'a record that has the carried name is no silent loss',
  ),
  '550431 More rows, or pages of': by(
    forEach,
    'refuses more rows, and more pages of them, than the limits allow',
  ),
  'd29ed1 plan and doctor pass over': by(
    pagePromises,
    'a source that is asked for rows of another asset is passed over by plan and doctor',
  ),
  '0d311e Unchanged answers. Where a service': by(
    unchangedAnswers,
    'cost no body and are nothing new, by %s',
  ),
  'b73c91 If none is, nothing is': by(
    unchangedAnswers,
    'cost no body and are nothing new, by %s',
    'are fetched whole, the first page once',
  ),
  '951b59 Where only a header names': by(
    unchangedAnswers,
    'are found where only a header tells of a further page',
  ),
  'a53cf4 Allowed hosts. Requests go only': by(
    restPromises,
    'never leave the origin, and nothing does unless the asset allows it',
  ),
  '0689da A next page or a': by(
    restPromises,
    'never leave the origin, and nothing does unless the asset allows it',
  ),
  '39ff03 Only the columns that are': [
    ...by(
      postgres,
      'are those of the columns, the condition and the number that were asked for, and of nothing else',
      'are complete and of one moment in several parts (%s)',
    ),
    ...by(
      mariadb,
      'are those of the columns, the condition and the number that were asked for, and of nothing else',
    ),
  ],
  'd27228 The file is only read:': by(
    sqlite,
    'reads what is committed while another one writes in WAL mode, and leaves the file as it was',
    'says that the file is locked, and tries again',
    'never writes, not even by a query, and makes no file',
  ),
  'd03805 Failures and retries. A connection': [
    ...by(postgres, 'say that nobody answers, after as many tries as the limits allow'),
    ...by(incrementalDatabases, 'is asked again after a connection that breaks'),
  ],
  '626c80 limits.timeout is that of making': by(
    pagePromises,
    'a database that takes a connection and says nothing is given up after limits.timeout',
  ),
  'f0c794 Nothing is fetched or copied,': by(
    warehouseSource,
    'leaves the table alone: promotion, rollback, removal of the asset, collection',
    'names the table itself in a production view, and hides what is left out',
  ),
  'e19e8c Tests, freshness, contracts, marks of': by(
    warehouseSource,
    'keeps its contract: what it rejects is kept apart, and personal columns are masked',
    'is as fresh as its newest row',
  ),
  'cb851e When it is built again.': by(
    warehouseSource,
    'builds on the table, again when its rows are others and not when only their order is',
  ),
}
