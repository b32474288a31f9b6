/** The sentences of docs/hosted/uploads.md. */
import { by, type PageEntries } from './held.ts'

const cupFile = 'cli/upload/upload.test.ts'
const liveFile = 'cli/upload/live-elsewhere.test.ts'
const readFile = 'hosted/metadata/read.test.ts'
const docFile = 'hosted/openapi/document.test.ts'
const packFile = 'hosted/metadata/read-pack.test.ts'
const cliFile = 'hosted/openapi/client.test.ts'
const chgFile = 'hosted/metadata/changes.test.ts'
const upFile = 'hosted/metadata/upload.test.ts'
const colsFile = 'hosted/glossary/link-columns.test.ts'
const psFile = 'hosted/page-sentences.test.ts'
const formsFile = 'hosted/metadata/forms.test.ts'
const limFile = 'hosted/security/limits.test.ts'
const factsFile = 'cli/facts-of-all-answers.test.ts'
const stateFile = 'long/state.test.ts'
const cpolFile = 'cli/upload/policies.test.ts'

export const uploadsPage: PageEntries = {
  page: 'uploads.md',
  held: {
    '7328a8 svc upload sends a description': [
      ...by(
        cupFile,
        'tells what it would do, does it, and finds nothing to do the second time',
        'sends versions and test results of the runs that there were',
      ),
      ...by(readFile, 'tells all of an asset'),
    ],
    'c15091 /docs and /openapi.json of a': by(
      docFile,
      'describes itself',
      'has every route once, and nothing else',
    ),
    '96666f Assets, schemas, lineage, tests and': [
      ...by(cupFile, 'sends versions and test results of the runs that there were'),
      ...by(stateFile, '$name'),
    ],
    'b587ac The store has as live': by(factsFile, '%s'),
    '6b79bc Of a branch that svc': by(
      liveFile,
      'goes with the branch that svc gc clears away, and comes with its next run',
    ),
    'e21ad2 An upload of an environment': by(
      liveFile,
      'stays when a machine uploads on which nothing was ever deployed',
    ),
    'e5ad82 A warehouse that cannot be': by(
      cupFile,
      'sends what the last runs wrote where the warehouse cannot be read, and says so',
    ),
    '4b3ced It refuses to upload files': by(cupFile, 'sends nothing of a project with errors'),
    '5d23b2 --url SVC_HOSTED_URL where the service': by(cupFile, 'says what is missing'),
    'b01572 --token env:NAME SVC_HOSTED_TOKEN the name': by(cupFile, 'says what is missing'),
    "5c7e52 --project SVC_HOSTED_PROJECT the project's number;": by(
      cupFile,
      'makes no warehouse, and takes the number of the project',
      'tells what it would do, does it, and finds nothing to do the second time',
    ),
    '88ceca --source the origin of the': [
      ...by(cupFile, 'sends versions and test results of the runs that there were'),
      ...by(packFile, 'is a wrapper with its source, or the file as it is'),
    ],
    '76d62d It retries after network failures': [
      ...by(
        cliFile,
        '%i is tried again',
        'a service that is busy is asked again, with the same key and the same body',
        'a connection that breaks is tried again, and not forever',
      ),
      ...by(cupFile, 'sends the same request again after a failure, under one key, compressed'),
    ],
    'faa4fc While another upload to the': by(
      cliFile,
      'another request that is in progress is waited for as the service says, and not forever',
    ),
    '0e48a7 It does not follow redirects,': by(
      cupFile,
      'notices a web page and a redirect, and never follows it',
      'is refused for another project, a wrong token and a project',
    ),
    'd7bc9e HTTPS_PROXY and NO_PROXY are respected.': by(
      cupFile,
      'goes through the proxy of the environment, but for places that need none',
    ),
    '37de77 Breaking changes are a removed': by(
      chgFile,
      '%s to %s',
      'break where NULL may come and did not before',
      'are columns that go and come, whatever their case',
    ),
    '719cab What they affect is found': by(upFile, 'tells whom a change would break, down to exposures'),
    '5a1851 --json prints everything.': by(
      cupFile,
      'sends versions and test results of the runs that there were',
    ),
    '616750 The body is {"context_pack": {…},': [
      ...by(packFile, 'is a wrapper with its source, or the file as it is'),
      ...by(cupFile, 'sends versions and test results of the runs that there were'),
    ],
    '227d3b It may be compressed (': by(upFile, 'is read compressed, and as the file of a form'),
    'c79f73 POST …/projects/{id}/test-results accepts .svc/test_results.json alone.': by(
      readFile,
      'has tests with the latest results, and takes newer ones by themselves',
    ),
    'bb4b1b project id (needed), name ,': [
      ...by(packFile, 'no project id'),
      ...by(upFile, 'counts what it has stored'),
    ],
    'bf79b3 assets id , name ,': [
      ...by(packFile, 'take from their blocks what nobody says elsewhere'),
      ...by(readFile, 'tells all of an asset'),
      ...by(colsFile, 'is taken with a warning where not all are known: %s'),
    ],
    'e67824 lineage {from, to, kind, columns:': by(
      packFile,
      'is read as %j',
      'keeps columns with what is done to them',
    ),
    'c0c786 scope full (default) or partial': by(
      upFile,
      'is merged when it is partial',
      'keeps what it no longer has for history, and takes it back',
    ),
    'b1a6fe versions {"<asset>": {hash, deployed_at, status,': by(
      readFile,
      'has versions, newest first, with the statuses of the contract',
    ),
    '09233b history runs instead of versions': by(
      packFile,
      'come from runs: what was built, and of failed runs what failed',
    ),
    'da74d5 tests , test_results , schemas': by(
      packFile,
      'have the tests of their blocks, one a column, unless the pack lists tests',
      'have the columns of `schemas` where they bring none',
      'are read from a catalogue too, with results and versions',
    ),
    '234aea glossary a list of entries,': [
      ...by(
        packFile,
        'is a list of entries, told apart by kind, identifier or fields',
        'is the document of an export, whose terms bring their links',
      ),
      ...by(cupFile, 'sends the glossary as one list of entries (2.8)'),
    ],
    '1450aa An unknown member is refused': [
      ...by(packFile, 'tells the nearest right name'),
      ...by(psFile, 'the first hundred mistakes of a pack are reported'),
    ],
    '5ca519 A pack may have 100,000': by(
      limFile,
      'is refused before anything is made of them',
      'of an upload ends with its time, without waiting for the thread',
      'that stall leave room for those of others',
    ),
    '29166c A full pack is the': by(upFile, 'keeps what it no longer has for history, and takes it back'),
    'efeabe The upload becomes visible atomically,': by(
      upFile,
      'is one after another when many come at once, and each is whole',
      'leaves nothing behind when it ends in the middle',
      'changes nothing the second time, in either form',
    ),
    '067251 A definition is no deployment.': [
      ...by(
        formsFile,
        'of a manifest bring definitions and no deployment',
        'of a catalogue leave tests, blocks and the units of limits as they were',
      ),
      ...by(readFile, 'has versions, newest first, with the statuses of the contract'),
      ...by(packFile, 'come from runs: what was built, and of failed runs what failed'),
    ],
    '98fd3f What a form cannot say': by(
      formsFile,
      'of a catalogue leave tests, blocks and the units of limits as they were',
      'of a manifest leave the facts of runs as they were',
    ),
    'd8940b If a definition has changed': by(
      formsFile,
      'say what they tell anew, and that blocks are of an earlier definition',
    ),
    '6d3842 A partial pack describes only': by(upFile, 'is merged when it is partial'),
    'fd597c Assets that only the lineage': by(upFile, 'makes external nodes of what the lineage alone names'),
    '704346 The first upload binds the': by(upFile, 'counts what it has stored'),
    '5793a5 A different id later is': by(
      upFile,
      'is refused for a project that holds another one, unless it is bound anew',
    ),
    '934946 Glossary entries are matched by': by(
      readFile,
      'leaves records alone that were edited here, unless it is told not to',
    ),
    'a0bddd Entries that were edited in': [
      ...by(readFile, 'leaves records alone that were edited here, unless it is told not to'),
      ...by(upFile, 'overwrites what people edited in the glossary only with the right to write there'),
    ],
    'a9cbad ?dry_run=true returns changes and stores': by(
      upFile,
      'tells what it would do, and does nothing',
      'tells whom a change would break, down to exposures',
    ),
    'f0ea73 projects/{id}/manifest everything; empty lists before': by(
      upFile,
      'finds an empty manifest before it',
      'counts what it has stored',
    ),
    '32e9d2 projects/{id}/assets?name=orders the number of an': [
      ...by(readFile, 'is found by name, in pages, and with what is no asset only when asked for'),
      ...by(psFile, 'assets are listed by owner, and with those that are removed'),
    ],
    'ac60e5 projects/{id}/uploads the uploads, with time,': [
      ...by(upFile, 'changes nothing the second time, in either form'),
      ...by(cupFile, 'tells what it would do, does it, and finds nothing to do the second time'),
    ],
    '86be75 assets/{id}/metadata schema, blocks, owner, freshness,': by(readFile, 'tells all of an asset'),
    '1cf3fc assets/{id}/lineage neighbours; depth=1…50 or all': by(
      readFile,
      'has neighbours, and with depth everybody that can be reached',
      'is a graph for who draws it',
      'has columns with where they come from and where they go',
      'refuses lineage?%s',
    ),
    '87dedd assets/{id}/versions newest first: hash ,': by(
      readFile,
      'has versions, newest first, with the statuses of the contract',
    ),
    '264593 assets/{id}/versions/{hash} the version; with ?diff=<hash>': by(
      readFile,
      'tells what changed between two versions whose content came with uploads',
    ),
    '0e993a assets/{id}/tests definitions, latest results, history=30': by(
      readFile,
      'has tests with the latest results, and takes newer ones by themselves',
    ),
    '3214cf assets/{id}/impact for each column: terms,': by(
      readFile,
      'says what a column stands under and whom it hits',
    ),
    '3107f6 GET /api/svc/policies/check?project=1 follows personal data': by(
      readFile,
      'shows where personal data goes and which policies that breaks',
    ),
    '7a10fc The rules are those of': by(cpolFile, 'are broken by the same columns as in the files'),
  },
  explains: ['5e0a2e A context pack is the'],
}
