/** The sentences of docs/hosted/operation.md. */
import { by, type PageEntries } from './held.ts'

const openFile = 'hosted/storage/opening.test.ts'
const claimsFile = 'hosted/metadata/claims.test.ts'
const cmdFile = 'hosted/operation/commands.test.ts'
const projFile = 'hosted/projects/projects.test.ts'
const dbFile = 'hosted/operation/databases.test.ts'
const pkgFile = 'packaging/hosted-package.test.ts'
const psFile = 'hosted/page-sentences.test.ts'
const procFile = 'hosted/operation/process.test.ts'
const fullFile = 'hosted/storage/full-disk.test.ts'
const readyFile = 'hosted/operation/readiness.test.ts'
const matFile = 'hosted/security/matrix.test.ts'
const protFile = 'hosted/http/protocol.test.ts'
const sameFile = 'hosted/questions/same-answers.test.ts'
const qFile = 'hosted/questions/processes.test.ts'
const connFile = 'hosted/questions/connections.test.ts'
const badFile = 'hosted/questions/bad-processes.test.ts'
const laneFile = 'hosted/storage/lane.test.ts'
const stopFile = 'hosted/operation/stopping.test.ts'
const migFile = 'hosted/storage/migrations.test.ts'
const gchFile = 'hosted/glossary/changes.test.ts'
const bootFile = 'hosted/access/bootstrap.test.ts'
const pruneFile = 'hosted/operation/prune.test.ts'
const limFile = 'hosted/security/limits.test.ts'
const bucketFile = 'hosted/limits/token-bucket.test.ts'
const largeFile = 'hosted/security/large-bodies.test.ts'
const guardFile = 'hosted/limits/json-guard.test.ts'
const idemFile = 'hosted/access/idempotency.test.ts'
const cupFile = 'cli/upload/upload.test.ts'
const searchFile = 'hosted/glossary/search.test.ts'
const docFile = 'hosted/openapi/document.test.ts'
const cliFile = 'hosted/openapi/client.test.ts'

export const operationPage: PageEntries = {
  page: 'operation.md',
  held: {
    '257716 svc-hosted serves the glossary and': [
      ...by(openFile, 'is for one server', 'several servers may start on an empty one at the same moment'),
      ...by(claimsFile, 'that was killed in the middle is taken over at once'),
    ],
    '17881e No preparation is needed: with': [
      ...by(cmdFile, 'replaces nothing unless it is told to, and keeps what it replaces'),
      ...by(openFile, 'makes the folders above it'),
      ...by(projFile, 'a fresh database has project 1'),
    ],
    '6aa898 Without it, a database that': by(dbFile, 'that does not exist is not made by %s'),
    '460ade It is a separate package:': by(
      pkgFile,
      'after an installation without scripts it serves, and keeps what it was given',
    ),
    'c99bcd hosted-api/deploy has a Dockerfile and': by(
      psFile,
      'the unit may write its own folder alone',
      'the image keeps its data in a volume, has no rights of root, and is asked by /readyz',
    ),
    'fd2c53 With --trust-proxy the last address': by(
      psFile,
      'the last address of X-Forwarded-For is the one whose failures are counted',
    ),
    '8e861a SQLite (default): one file, one': by(openFile, 'is for one server'),
    '8cc0a2 Every write is on disk': [
      ...by(procFile, 'that is killed under load has lost nothing of what it said was done'),
      ...by(fullFile, 'keeps exactly what it has acknowledged, of many at once'),
    ],
    'f1bf05 A second server on the': by(
      dbFile,
      'has one server, whatever links lead to it',
      'of two hard links is refused, since nobody can follow them',
    ),
    'bbe09c PostgreSQL 14 or later: any': by(
      claimsFile,
      'that runs still, or of an earlier version, is waited for',
    ),
    'dfb535 Several may start on an': by(
      openFile,
      'several servers may start on an empty one at the same moment',
    ),
    '449195 A Unix socket is an': by(dbFile, 'is reached through a Unix socket too'),
    'a9990a sqlite3 is a native module': by(
      pkgFile,
      'after an installation without scripts it serves, and keeps what it was given',
    ),
    'd62f6e Both read and write the': by(dbFile, 'is read and written by either driver'),
    'fb89e6 --db-driver sqlite3 or --db-driver libsql': by(
      pkgFile,
      'without a driver for SQLite one line says what to do',
    ),
    '08b97b /healthz 200: the process is': [
      ...by(procFile, 'that is told to stop answers what it has begun, takes nothing new, and ends'),
      ...by(readyFile, 'ends with a file that cannot be read'),
    ],
    '0e6e65 /readyz 200: every table of': [
      ...by(readyFile, 'ends with a file that cannot be read', 'ends with a table that cannot be read'),
      ...by(procFile, 'that is told to stop answers what it has begun, takes nothing new, and ends'),
    ],
    '799414 /metrics Prometheus metrics: requests and': by(procFile, 'tells Prometheus what it did'),
    '34d5c9 None of them needs a': by(
      matFile,
      'asks for a token wherever the contract says so, and nowhere else',
    ),
    '01c424 /metrics reveals how much the': by(procFile, 'tells Prometheus what it did'),
    'f9ebc7 The log is one line': by(procFile, 'writes one line of JSON for each request, and no secret'),
    'ba2088 It never contains a token,': by(
      procFile,
      'writes one line of JSON for each request, and no secret',
    ),
    '7eabb3 A request may send its': [
      ...by(protFile, "every answer has a request id: the caller's, or one of its own"),
      ...by(procFile, 'writes one line of JSON for each request, and no secret'),
    ],
    'c86836 Lineage, impact, policy checks, manifests,': [
      ...by(sameFile, 'are answered as the service answers them'),
      ...by(qFile, 'that hangs is killed, and health and short requests do not wait for it'),
    ],
    'd42ff6 They have a lower priority': by(
      qFile,
      'has a lower priority than the service, and a gigabyte for its values',
    ),
    '0b6f16 A question that is stuck': [
      ...by(qFile, 'that hangs is killed, and health and short requests do not wait for it'),
      ...by(badFile, 'is killed when the time of its question is over, and the next is asked'),
    ],
    '87da11 A process that crashes is': by(
      qFile,
      'that is killed in the middle of questions loses none of them',
    ),
    '700461 The questions in it are': by(
      badFile,
      'is asked twice, and then the client is told',
      'answers those beside it all the same',
    ),
    '383d9d The log says why the': by(
      badFile,
      'is asked twice, and then the client is told',
      'is killed when the time of its question is over, and the next is asked',
    ),
    '3d315d If no process can be': by(badFile, 'leaves its questions to the service'),
    '3b0830 They end with the service,': by(
      qFile,
      'ends when the service is killed',
      'answers what it has begun when the service is told to stop, and ends with it',
    ),
    '7582b8 Tokens take turns for those': by(
      laneFile,
      'gives one owner a part of the places, and the others take turns for the rest',
    ),
    'e1387b On SIGTERM or SIGINT /readyz': by(
      procFile,
      'that is told to stop answers what it has begun, takes nothing new, and ends',
    ),
    '768cc4 After --drain (0) the server': [
      ...by(
        stopFile,
        'an answer that is being read is read to its end',
        'idle connections are closed at once, and a request that has begun is answered',
      ),
      ...by(procFile, 'that is told to stop answers what it has begun, takes nothing new, and ends'),
    ],
    'a18b6b After --stop-deadline (25s) those that': [
      ...by(stopFile, 'an answer that nobody reads is cut at the deadline, which is told'),
      ...by(procFile, 'that hangs on a request is ended at its deadline'),
    ],
    '59fc94 A second signal ends the': by(
      procFile,
      'that hangs on a request is ended at once by a second signal',
    ),
    '02fb4a Even kill -9 loses no': by(
      procFile,
      'that is killed under load has lost nothing of what it said was done',
    ),
    'a55303 A backup is a consistent': by(cmdFile, 'a backup has everything, and every engine can take it'),
    'd5b755 It is one file in': by(
      cmdFile,
      'a backup has everything, and every engine can take it',
      'takes a whole backup or nothing',
    ),
    '92b24d svc-hosted restore loads it into': [
      ...by(cmdFile, 'a backup has everything, and every engine can take it'),
      ...by(migFile, 'as %s left it'),
    ],
    'e88b0c This is how you move': by(cmdFile, 'a backup has everything, and every engine can take it'),
    '65982a A restore is all or': by(
      cmdFile,
      'replaces nothing unless it is told to, and keeps what it replaces',
      'takes a whole backup or nothing',
    ),
    '03b108 On PostgreSQL it replaces the': by(
      dbFile,
      'keeps the tables of other applications when a backup is restored',
    ),
    '023286 While a server runs on': [
      ...by(cmdFile, 'does not pull the file from under a server'),
      ...by(dbFile, 'is not restored while a server runs, and not served while it is restored'),
    ],
    '77ffc0 Record numbers, versions, tokens, the': by(
      cmdFile,
      'a backup has everything, and every engine can take it',
    ),
    'dc2c76 GET /api/svc/audit (scope audit:read )': [
      ...by(psFile, 'the audit log is filtered by actor, kind of action, target and time'),
      ...by(matFile, 'is for who has its scope'),
    ],
    '7a86c6 Each entry contains the hash': [
      ...by(gchFile, 'each write is in the audit log, chained, and is one revision'),
      ...by(cmdFile, 'an audit log that somebody changed is noticed'),
    ],
    '55d9c2 token_id is the number of': by(
      bootFile,
      'need not be the only one: the audit log has the number of the token',
    ),
    'd3c1a4 audit verify ends with exit': [
      ...by(cmdFile, 'an audit log that somebody changed is noticed'),
      ...by(pruneFile, 'is still noticed where an entry was deleted by hand, at the beginning too'),
    ],
    '3de95e prune deletes what is older;': by(
      pruneFile,
      'keeps what is younger, and the newest of everything',
    ),
    'b87cc9 The newest version, state and': by(
      pruneFile,
      'keeps what is younger, and the newest of everything',
    ),
    '2094ba An entry audit.prune of the': by(
      pruneFile,
      'leaves a chain that can be proved, and says where it begins',
    ),
    '9de15a Versions that were pruned are': by(
      pruneFile,
      'keeps what is younger, and the newest of everything',
    ),
    'ba3bae Every limit is an option': [
      ...by(limFile, 'holds where all are turned off'),
      ...by(cmdFile, '%s %s'),
    ],
    'dcf05b Responses report what remains (': [
      ...by(limFile, 'has so many reads and writes a minute'),
      ...by(bucketFile, 'say the policy and what is left'),
    ],
    '6c6359 A body is refused as': by(
      limFile,
      'is refused before it has come, also without a length',
      'is read compressed with %s, and cannot be a bomb',
    ),
    '65ffad No token can take all': [
      ...by(
        limFile,
        'that stall leave room for those of others',
        'waits for the one before it, and both are answered',
      ),
      ...by(
        largeFile,
        'waits for the one of its token before it; small ones and those of others do not',
        'that is a JSON patch counts as one, however short it is',
      ),
      ...by(psFile, 'a token has so many requests at the same moment'),
    ],
    '239cd3 Duplicate members, nesting beyond --max-depth': by(
      guardFile,
      '%s names a member twice',
      'is as deep as is allowed, and no deeper',
      'has objects of as many members as are allowed, and no more',
      'has lists of as many items as are allowed, and no more',
    ),
    '3274bd A client that got no': by(idemFile, 'gets the first answer, and nothing happens twice'),
    '6a119a Keys are kept for a': [
      ...by(idemFile, 'is forgotten after a day', 'may use its key for another operation'),
      ...by(matFile, 'does not get the answer that somebody else was given'),
    ],
    '4daf82 Failures are not kept: a': by(idemFile, 'that failed is tried again'),
    '69dbe8 svc upload does this by': by(
      cupFile,
      'sends the same request again after a failure, under one key, compressed',
    ),
    '13016d GET /api/svc/search?q= finds terms, metrics,': by(
      searchFile,
      'finds what is called so first, then what begins so, then the rest',
      'q=net+sal',
    ),
    '63c201 What has the whole name': by(
      searchFile,
      'finds what is called so first, then what begins so, then the rest',
    ),
    '009cee Assets are found with a': by(
      searchFile,
      'shows assets to tokens that may read them, and no answer of theirs to others',
    ),
    '10add0 /openapi.json of a running service': [
      ...by(docFile, 'describes itself', 'has every route once, and nothing else'),
      ...by(pkgFile, 'what it answers is described beside it'),
    ],
    '9cbff4 Generators create a client from': by(cliFile, 'makes, reads and changes records, typed'),
    '64d828 Successful answers have OpenAPI links': by(
      docFile,
      'leads to every operation on a record, with all parameters of its path',
    ),
    '6230b5 hosted-api/deploy/svc-hosted.service : a systemd unit': by(
      psFile,
      'the unit may write its own folder alone',
    ),
    'f696d6 hosted-api/deploy/Dockerfile : build it in': by(
      psFile,
      'the image keeps its data in a volume, has no rights of root, and is asked by /readyz',
    ),
    'ceaae3 0 done; 1 audit verify': [
      ...by(cmdFile, 'an audit log that somebody changed is noticed', 'a port that is taken'),
      ...by(dbFile, 'that does not exist is not made by %s'),
      ...by(procFile, 'that hangs on a request is ended at once by a second signal'),
    ],
    '6beca8 So is what a rollback': by(
      pruneFile,
      'keeps the version that a rollback made the active one, and the results that stand again',
    ),
    '558c5d Instead of --db you can': [
      ...by(psFile, 'the database may be named by SVC_HOSTED_DB'),
      ...by(connFile, 'SVC_HOSTED_DB and PGPASSWORD say where the database is'),
    ],
    '297693 There is one at the': by(qFile, 'is one at the start and a second where one is not enough'),
    'ab2b56 /metrics has their number (': by(
      qFile,
      'is one at the start and a second where one is not enough',
    ),
    '59590d The service itself has up': by(connFile, 'it has no more than seventeen connections, which stay'),
    '0d3655 On PostgreSQL each of them': by(connFile, 'a process for long questions has no more than four'),
  },
  explains: [
    '85d72e See also: tokens , scopes,',
    '7b9494 SQLite has two drivers.',
    '8faed7 Anybody who can write the',
    '88a468 If that matters, keep the',
    '2615ab In TypeScript:',
  ],
}
