/** Section 3 of the contract: from a green schema to production and back, and the statuses that are told. */
import { by, type ContractEntry, section } from './held.ts'

const sentences = 'cli/contract-sentences.test.ts'
const journey = 'cli/journey.test.ts'
const rollback = 'engine/run/rollback.test.ts'

export const deployment: readonly ContractEntry[] = [
  ...section('3.1', {
    'A run makes a green schema of its own name.': by(
      sentences,
      'makes a green schema of its own name for each run',
    ),
    'It loads the raw tables there, then builds the models.': [
      ...by(journey, 'a change that fails its test stays in green', 'run builds, tests and promotes'),
      ...by('engine/plan/steps.test.ts', 'a first run fetches, loads, builds, tests, promotes and collects'),
    ],
    'At its end production becomes the green schema, and the state is kept under the id of the run.': [
      ...by(journey, 'run builds, tests and promotes'),
      ...by(sentences, 'is in the state table under the id of its run'),
      ...by(rollback, 'a reader during runs and rollbacks sees whole generations only'),
    ],
    'A preview keeps its green schema to be looked at, and leaves production alone.': [
      ...by(sentences, 'makes a green schema of its own name for each run'),
      ...by(rollback, 'a preview leaves production alone and can be promoted whole'),
    ],
    'A rollback makes production the archive of the run before, at once, and what was production the new archive.':
      by(rollback, 'returns to the previous map, and a second one goes back again'),
    'A dry run and a plan compile and check, and execute nothing.': by(
      sentences,
      'by a dry run or a plan changes nothing',
    ),
    'A rollback without names returns everything to the last successful run.': by(
      rollback,
      'does not count previews, failed runs and runs that changed nothing',
    ),
    'With names between commas it moves these assets alone.': [
      ...by('cli/commands.test.ts', 'some assets take their previous build'),
      ...by(rollback, 'of one asset moves that one alone'),
    ],
    'With --all it moves all assets.': by(sentences, 'back with --all takes all assets'),
  }),
  ...section('3.2', {
    'A version is deployed or Failed.': by(
      journey,
      'status, versions and freshness know the deployment',
      'a change that fails its test stays in green',
    ),
    'The dashboard says Deployed and Failed.': by(
      'dashboard/look.journey.ts',
      'shows what is selected in the drawer, with its code and its tests',
    ),
    'A result of a test is pass or fail.': by(
      sentences,
      'of the catalogue has the results of the tests after each run',
    ),
    'A check of freshness is OK, WARN or ERROR.': by(
      'engine/quality/freshness.test.ts',
      '%s hours old with limits of 12 and 24: %s',
    ),
    'A file is PASS or FAIL for validate.': by(
      'cli/commands.test.ts',
      'shows every problem of every file at its place',
    ),
    'A check of doctor is OK or FAIL.': [
      ...by(journey, 'doctor finds everything well'),
      ...by('cli/bad-input/bad-warehouse.test.ts', 'cannot be made where its folder is missing'),
    ],
    'Freshness compares the last run of an asset with its two limits; older than each is WARN or ERROR.': by(
      'engine/quality/freshness.test.ts',
      '%s hours old with limits of 12 and 24: %s',
      'the last run that built or verified an asset counts',
    ),
  }),
]
