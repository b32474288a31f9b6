/** Sections 2.12 to 2.15 of the contract: asset files, what svc writes, and the quality of the dashboard. */
import { by, type ContractEntry, section } from './held.ts'

const schema = 'language/schema/schema.test.ts'
const sentences = 'cli/contract-sentences.test.ts'
const journey = 'cli/journey.test.ts'

export const localFiles: readonly ContractEntry[] = [
  ...section('2.12', {
    'An asset file is YAML; it needs name, ingest and transform.': [
      ...by('language/specs/keys.md', 'What must be there'),
      ...by(schema, 'an empty file', 'a missing key'),
    ],
    'Its name and description are texts.': by(
      'cli/bad-input/wrong-types.test.ts',
      'say for each key that its value is wrong',
    ),
    'ingest has type, endpoint and resource.': by(schema, 'of a REST source has every default'),
    'contract has evolution, enforce_types and required_columns.': [
      ...by(schema, 'expands short forms and units'),
      ...by('engine/run/declared-types.test.ts', 'with enforce_types the same values fail the asset'),
      ...by('engine/run/contracts.test.ts', 'fails the asset if it must be there'),
    ],
    'The evolution evolve takes in what is new; left open, which others: freeze and two that discard.': by(
      'engine/ingest/contract-modes.test.ts',
      'is taken in with evolve',
      'fails the asset with freeze',
      'takes its record out with discard_row',
      'is left out alone with discard_value',
    ),
    'transform is SQL whose tags for the source and for other assets are resolved.': by(
      journey,
      'run builds, tests and promotes',
      'writes the files that other programs read',
    ),
    'freshness has warn_after and error_after, durations in hours for example.': [
      ...by('language/schema/settings.test.ts', 'durations, rates and thresholds'),
      ...by(schema, 'expands short forms and units'),
    ],
    'There are blocks for deploy and tests.': by(
      schema,
      'makes one test a column',
      'of the smallest file has every default',
    ),
  }),
  ...section('2.13', {
    'The destination has a table of the history of states under the id of the run, and one of the catalogue.':
      by(sentences, 'is in the state table under the id of its run'),
    '.svc has the manifest, and with it lineage, schemas and tests.': by(
      sentences,
      'of the manifest comes with those of lineage, schemas and tests',
    ),
    '.svc/glossary.json is what the glossary was last.': by(
      'cli/glossary/glossary.test.ts',
      'begins a glossary, links, lists and exports it',
    ),
    'glossary.yaml is the glossary of the project.': by(
      'cli/glossary/glossary.test.ts',
      'begins a glossary, links, lists and exports it',
      'leaves everything else in the file as it is',
    ),
    '.svc/test_results.json has the last results of each asset.': by(
      sentences,
      'of test results has each asset with time, tests and counts',
    ),
    'svc_catalog.json has test results too, after each run.': by(
      sentences,
      'of the catalogue has the results of the tests after each run',
    ),
    'Settings of language models are in a file of the home and in svc.yaml.': by(
      'cli/ai/config.test.ts',
      'keeps a key in the file of the home',
      'keeps comments of svc.yaml',
    ),
  }),
  ...section('2.14', {
    'Results are by the name of the asset: name, time in UTC, tests with status and duration, counts.': [
      ...by(sentences, 'of test results has each asset with time, tests and counts'),
      ...by(journey, 'writes the files that other programs read'),
    ],
    'Left open, the unit of a duration: seconds, shared by the tests of one scan.': by(
      'cli/times-and-freshness.test.ts',
      'tests of one scan have its time',
    ),
  }),
  ...section('2.15', {
    'Quality has counts and the share that passed, for all and for each asset with its last run.': [
      ...by('cli/dashboard/stream.test.ts', 'is told when a run has written the catalogue'),
      ...by('cli/dashboard/protocol.test.ts', 'before a run and after one are as svc schema says'),
    ],
  }),
]
