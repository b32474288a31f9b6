/** Sections 5 to 9 of the contract: authentication, events, errors, limits and versions. */
import { by, type ContractEntry, section } from './held.ts'

const shape = 'hosted/conformance.test.ts'
const matrix = 'hosted/security/matrix.test.ts'
const tokens = 'hosted/access/tokens.test.ts'
const sentences = 'cli/contract-sentences.test.ts'

export const hostedRules: readonly ContractEntry[] = [
  ...section('5', {
    'Every call of the hosted interface carries a token in its header.': [
      ...by(shape, 'every call carries Authorization: Bearer <token>'),
      ...by(matrix, 'asks for a token wherever the contract says so, and nowhere else'),
    ],
    'A POST says that its body is JSON.': by(shape, 'POST calls carry Content-Type: application/json'),
    'A pipeline puts its secret and its project into the header and the path.': by(
      'docs/hosted-pages.test.ts',
      'a reader who types what a page of docs/hosted says',
    ),
    'A key of a model is given as it is or by the name of a variable.': by(
      'cli/ai/config.test.ts',
      'keeps a key in the file of the home',
      'keeps comments of svc.yaml',
    ),
    'Credentials of a publish come from the variable of their target.': by(
      'cli/newcomer.test.ts',
      'may be a JSON object with table, key and mode',
    ),
    'Left open, how a token is made, how long it lives and how it is renewed.': by(
      tokens,
      'are shown once, in full',
      'end with their time',
      'are rotated at once, or with time to spare',
    ),
    'Left open, what a token may do, and in which projects.': by(
      matrix,
      'is for who has its scope',
      'does not know what is in another project',
    ),
    'Left open, who may use the dashboard: programs of this machine read, and only a token starts something.':
      by(
        'cli/dashboard/security.test.ts',
        'needs no token for a program of this machine',
        'needs a token, also of programs',
      ),
  }),
  ...section('6', {
    'The word webhook is only the origin of an upload.': by(shape, 'source may be webhook'),
  }),
  ...section('7', {
    'Rule 1: a creation that succeeds says success.': by(shape, 'POST /api/svc/glossary/terms/ makes a term'),
    'Rule 1, left open, what a failure says: a problem with a code, and its status.': by(
      shape,
      'a failed call has a body that says so',
    ),
    'Rule 2, left open, a catalogue of codes: that of the reference.': by(
      'docs/pages.test.ts',
      '%s is up to date (npm run docs)',
    ),
    'Rule 3: validate says FAIL and why, for a file without ingest for example.': [
      ...by('cli/commands.test.ts', 'shows every problem of every file at its place'),
      ...by(sentences, 'without ingest is FAIL, with the reason'),
    ],
    'Rule 3: doctor says FAIL and what to do.': by(
      'cli/bad-input/bad-warehouse.test.ts',
      'cannot be made where its folder is missing',
    ),
    'Rule 3: a run takes --all or a selector.': by('contract/command-lines.ts', 'run --all delay_bands'),
    'Rule 4: who uploads deals with the failures of an upload, which are told.': [
      ...by('hosted/metadata/upload.test.ts', 'tells everything that is wrong with a pack, with its places'),
      ...by('cli/upload/upload.test.ts', 'is refused for another project, a wrong token and a project'),
    ],
  }),
  ...section('8', {
    'A sample has ten rows.': by(sentences, 'has ten rows, or as many as --limit says'),
    'A sample is of the view.': by('cli/help.test.ts', 'has the options and defaults of interface.md 4.4'),
    'The dashboard is at port 3000.': by(
      'cli/help.test.ts',
      'has the options and defaults of interface.md 4.4',
    ),
    'The list of the glossary has the first ten terms.': by(
      'cli/glossary/glossary.test.ts',
      'shows ten terms and says that there are more',
    ),
    'The environment is dev, for all commands.': by(
      'cli/help.test.ts',
      'has dev as the environment of every command of interface.md 4.4',
    ),
    'The indentation is two spaces.': by(
      'cli/fmt.test.ts',
      'formats all files of the project, says which, and has nothing to do then',
    ),
    'Left open, limits of the hosted interface: rates, sizes, pages and times.': [
      ...by(
        'hosted/security/limits.test.ts',
        'has so many reads and writes a minute',
        'is as long as is allowed',
      ),
      ...by('hosted/glossary/lists.test.ts', 'have 1,000 items a page, and no more on any wish'),
      ...by('hosted/security/limits.test.ts', 'that comes too slowly is not waited for'),
    ],
  }),
  ...section('9', {
    'Rule 1: no path of the hosted interface has a version.': by(shape, 'paths carry no version segment'),
    'Rule 3: a version of an asset has hash, time and status, and svc versions lists them.': by(
      'cli/journey.test.ts',
      'status, versions and freshness know the deployment',
    ),
    'Rule 3: svc status has the active hash of each asset.': by(
      'cli/journey.test.ts',
      'status, versions and freshness know the deployment',
    ),
    'Rule 3: the hosted interface has the history of an asset.': [
      ...by(shape, 'metadata, versions and tests of an asset are there'),
      ...by('cli/upload/upload.test.ts', 'sends versions and test results of the runs that there were'),
    ],
    'Rule 4: a rollback brings back what was deployed before.': by(
      'engine/run/rollback.test.ts',
      'returns to the previous map, and a second one goes back again',
    ),
  }),
]
