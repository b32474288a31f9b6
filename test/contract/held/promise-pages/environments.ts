/** The promises of docs/environments.md. */
import { by, type PageEntries } from '../held.ts'

const contractSentences = 'cli/contract-sentences.test.ts'
const help = 'cli/help.test.ts'
const workspace = 'cli/workspace.test.ts'
const commands = 'cli/commands.test.ts'
const checkout = 'cli/checkout.test.ts'
const hereNotAnywhere = 'engine/run/here-not-anywhere.test.ts'
const promotion = 'engine/warehouse/conformance/promotion.ts'
const rollback = 'engine/run/rollback.test.ts'
const crash = 'engine/run/crash.test.ts'
const selection = 'engine/run/selection.test.ts'
const materialize = 'engine/run/materialize.test.ts'
const twoProjects = 'engine/run/two-projects.test.ts'
const failures = 'engine/run/failures.test.ts'
const retry = 'engine/run/retry.test.ts'
const promotePassed = 'engine/run/promote-passed.test.ts'
const writtenFiles = 'cli/written-files.test.ts'
const journey = 'cli/journey.test.ts'
const filesOfBranches = 'cli/files-of-branches.test.ts'
const cache = 'engine/workspace/cache.test.ts'
const rememberedWarehouse = 'engine/workspace/remembered-warehouse.test.ts'
const foundColumns = 'cli/found-columns.test.ts'

export const environmentsPromises: PageEntries = {
  page: 'environments.md',
  held: {
    '39122f dev is the default and': [
      ...by(contractSentences, 'follows the branch as dev, and has fixed schemas as prod'),
      ...by(help, 'has dev as the environment of every command of interface.md 4.4 that has --env'),
    ],
    '81a78c The schema of prod and': [
      ...by(contractSentences, 'follows the branch as dev, and has fixed schemas as prod'),
      ...by(workspace, 'decides the schema'),
    ],
    '3bf7b4 Two branches never change each': [
      ...by(commands, 'dev follows the git branch, and two branches do not touch each other'),
      ...by(workspace, 'keeps two branches apart whose slugs would meet'),
    ],
    '174505 The first run in a': [
      ...by(
        checkout,
        'the first run of a branch names its schema; a plan names it also where there is nothing to do',
      ),
      ...by(hereNotAnywhere, 'says that it was taken over, with its rows and the run that made it'),
    ],
    'f6de2f It promotes: one transaction points': by(promotion, 'moves views, state and generation together'),
    'd803ac Readers see the old state': [
      ...by(rollback, 'a reader during runs and rollbacks sees whole generations only'),
      ...by(crash, 'production is always one whole generation, and the next run finishes'),
    ],
    '287355 So a deployment to prod': [
      ...by(selection, 'environments share builds and nothing else'),
      ...by(hereNotAnywhere, 'says that it was taken over, with its rows and the run that made it'),
    ],
    'b0e25c A table is therefore deleted': by(
      rollback,
      'keeps what another environment shows, its preview and the last failed run',
    ),
    'f39ea2 Production schemas contain views only.': by(
      materialize,
      'an asset that turns ephemeral loses its view, one that turns back gets it again',
      'views over views and ephemeral assets name physical tables only',
    ),
    '17872d What is there under the': [
      ...by(selection, 'a foreign object of the same name stops a run before any work'),
      ...by(twoProjects, "refuses another project's view before any work, by that project's name"),
    ],
    'b7d5f0 Usually nothing: a run does': by(
      failures,
      'a failed asset takes its descendants with it; the others are built and kept for the next run',
    ),
    'f722ad An asset whose file has': [
      ...by(
        failures,
        'an invalid file fails its asset: all others are built and tested, and nothing is promoted',
      ),
      ...by(retry, 'what was built is taken as it is, what failed is done again'),
    ],
    '0706ac The run ends with exit': by(
      promotePassed,
      'leaves nothing to promote, and each kept asset has its cause and the age of what it shows all the same',
      'is in the history with the build that it keeps, its reason, and the reason of the run',
    ),
    '77747f A rollback builds nothing, because': by(
      rollback,
      'returns to the previous map, and a second one goes back again',
      'keeps what archives pin and drops the rest',
    ),
    '8de424 Both are written anew by': [
      ...by(writtenFiles, 'after a change they say what is there now, of all assets'),
      ...by(journey, 'init makes the files and the state tables, once'),
    ],
    '07a486 Each environment has a folder': [
      ...by(
        filesOfBranches,
        'after a checkout the pack, the dashboard and the site show the versions and the SQL of the branch',
        'each branch has a folder, which completion does not take for an environment',
        'the folder of a branch goes with the branch',
      ),
      ...by(writtenFiles, 'what was written over is put right, and the environment run last has the copies'),
    ],
    '7f7364 .svc/cache/ caches what is known': [
      ...by(cache, 'unchanged files are neither read nor analysed again'),
      ...by(
        rememberedWarehouse,
        'a warehouse that nobody wrote to is not opened again',
        'every change of the warehouse is noticed',
      ),
    ],
    '48f2fe Without .svc/found_columns.json , columns that': by(
      foundColumns,
      'are unknown before the first run, and nobody may be wrong about them',
      'tells nothing where it is %s, and a run writes it anew',
    ),
  },
  explains: [],
}
