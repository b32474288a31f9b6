/** The promises of docs/glossary.md. */
import { by, type PageEntries } from '../held.ts'

const entries = 'cli/glossary/entries.test.ts'
const glossary = 'cli/glossary/glossary.test.ts'
const specsGlossary = 'language/specs/glossary.md'
const metric = 'cli/glossary/metric.test.ts'
const outsideReads = 'cli/outside-reads.test.ts'
const metricPeriods = 'cli/glossary/metric-periods.test.ts'
const glossaryImport = 'cli/glossary/import.test.ts'
const pagePromises = 'cli/page-promises.test.ts'
const sync = 'cli/glossary/sync.test.ts'
const policyBreach = 'language/specs/policy-breach.md'
const policyPatterns = 'language/policy-patterns.test.ts'
const policies = 'engine/run/policies.test.ts'
const personalData = 'language/personal-data.test.ts'
const privacyTests = 'engine/run/privacy-tests.test.ts'
const policyReport = 'cli/policy-report.test.ts'
const personalSamples = 'cli/personal-samples.test.ts'
const privacy = 'cli/privacy.test.ts'

export const glossaryPromises: PageEntries = {
  page: 'glossary.md',
  held: {
    'c40c11 The commands change only their': [
      ...by(entries, 'changes keys and keeps comments and layout'),
      ...by(glossary, 'leaves everything else in the file as it is'),
    ],
    '98e176 Every key is in the': [
      ...by(entries, 'writes every key of every kind, and validate finds nothing wrong'),
      ...by('cli/machines.test.ts', 'get the schemas, every one of them valid'),
    ],
    'acaa4c svc validate , svc plan': [
      ...by(specsGlossary, 'The SQL of metrics'),
      ...by(metric, 'refuses wrong SQL and what a policy forbids, before the warehouse is asked'),
    ],
    '5c9557 svc metric computes it over': [
      ...by(metric, 'lists metrics, and computes one as it is written', 'masks what is personal'),
      ...by(outsideReads, 'in a metric'),
    ],
    '2e2100 --by takes a column, or': [
      ...by(
        metric,
        'breaks it down by time, columns and dimensions, of some rows',
        'says what is wrong, at the metric',
      ),
      ...by(metricPeriods, 'the periods of a metric on %s'),
    ],
    'c47ae7 These need an expression, or': by(metric, 'says what is wrong, at the metric'),
    'e0ca25 tables ( .csv ; cells': [
      ...by(
        glossaryImport,
        'tells the kind of its rows by its columns or by --kind, and a synonym is the term',
        'adds what is new with its links, keeps what exists, and changes it when told to',
      ),
      ...by(pagePromises, 'tables of a glossary may have semicolons and tabs between their cells'),
    ],
    'afa72e If one row cannot be': by(
      glossaryImport,
      'names every row that cannot be read, and writes nothing',
    ),
    '0e62d1 That is in glossary.lock.json ;': by(
      sync,
      'sends everything once, and a second clone gets it as it was',
    ),
    '3d76c4 What both changed is a': by(
      sync,
      'shows conflicts with both values, changes nothing, and takes the side that it is told',
    ),
    'a6a3f3 Without a glossary.lock.json , or': by(
      sync,
      'never deletes what it does not know the past of: without its lock differences are conflicts',
    ),
    '35e3e9 A push sends every entry': by(
      sync,
      'notices what is changed between reading and writing',
      'says of each entry that the store does not take why, and does all others',
    ),
    '2dfc27 A pattern that fits nothing': [
      ...by(policyBreach, 'A misspelt pattern of a policy has the nearest right one'),
      ...by(policyPatterns, 'for patterns of all forms'),
    ],
    'b5ce6c enforcement : strict (default: an': [
      ...by(
        policyBreach,
        'Personal columns are followed by lineage, through names and expressions',
        'A policy that is off says nothing',
      ),
      ...by(policies, 'a policy that only warns is told, and the run is deployed'),
    ],
    '106019 derived : deny also forbids': by(
      policyBreach,
      'What is only derived is a breach of a policy that denies it',
    ),
    'b3c171 A column is no longer': by(
      personalData,
      'what the corpus says is what happens to marked values',
      'no mark is lost, and few are one too many',
    ),
    'b1c4c1 deploy: {k_anonymity: 5} promises that': by(
      privacyTests,
      'ends the mark of an average over enough rows, and fails where rows are fewer',
      'counts the values, not only the rows',
    ),
    '5f0327 Every run tests it.': by(
      privacyTests,
      'ends the mark of an average over enough rows, and fails where rows are fewer',
    ),
    '846089 Policies are checked on the': by(
      policies,
      'an asset fails by columns that nobody knew before, and the others are built',
      'a preview that was made before a policy is refused, and a new one that keeps it is not',
      'a rollback to builds that break a policy is refused',
    ),
    'f41457 In the table of an': by(
      privacyTests,
      'finds values of marked columns that came another way, and keeps them out of the message',
      'passes where there are none, where they are short, and where a file says that they are harmless',
    ),
    'e50a31 svc policy report follows every': by(
      policyReport,
      'follows each mark through all columns, also a second one in the same column',
      'says where a mark ends, where it leaves, and where it is shown',
      'says the breaches that validate says',
    ),
    'd7d0e4 A column is direct where': by(
      policyReport,
      'follows each mark through all columns, also a second one in the same column',
    ),
    '750874 The report ends with exit': by(policyReport, 'ends with 1 for a strict breach only'),
    'a85f67 Masking goes by the build': by(
      personalSamples,
      'until a run has made the removal of a mark that of the build, and says so in the plan',
    ),
    '475d53 Of a web service whose': by(
      privacy,
      'the suite has at least 200 cases, and these are some of them',
    ),
  },
  explains: [],
}
