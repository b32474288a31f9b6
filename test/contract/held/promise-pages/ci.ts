/** The promises of docs/ci.md. */
import { by, type PageEntries } from '../held.ts'

const pagePromises = 'cli/page-promises.test.ts'
const runProgress = 'cli/run-progress.test.ts'
const commands = 'cli/commands.test.ts'
const ciRecipes = 'docs/ci-recipes.test.ts'
const drift = 'cli/drift.test.ts'
const textLayouts = 'engine/run/text-layouts.test.ts'
const upload = 'cli/upload/upload.test.ts'
const policies = 'cli/upload/policies.test.ts'

export const ciPromises: PageEntries = {
  page: 'ci.md',
  held: {
    'b61216 Check every change, on any': by(
      pagePromises,
      'validate and fmt need neither the warehouse nor a source',
    ),
    '5de991 In CI ( CI is': [
      ...by(runProgress, 'one at start and end of each, the reused ones together'),
      ...by(commands, 'no colours in a pipe, colours on request, none with --no-color'),
    ],
    '27affe While a deployment builds in': by(
      ciRecipes,
      'is asked for again each minute while a deployment has the warehouse, and given up after half an hour',
    ),
    '63b042 That loses nothing: what a': [
      ...by(
        drift,
        'a plan compares with what is loaded in its own environment, whatever another one saw since',
      ),
      ...by(textLayouts, 'is told of %s once, then the lock agrees'),
    ],
    'd564b9 Without a machine of your': by(
      pagePromises,
      'validate and fmt need neither the warehouse nor a source',
    ),
    'ead078 On a pull request svc': [
      ...by(upload, 'tells which columns a change breaks'),
      ...by(policies, 'are broken by the same columns as in the files'),
    ],
  },
  explains: ['b0f58b The disk of a hosted'],
}
