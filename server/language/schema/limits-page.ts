/** Generates the page of all limits from the descriptions of settings, and from the numbers that the code counts with. */
import { limitKeys as publishLimitKeys } from '../destinations/shared-keys.ts'
import { engines } from '../engines/index.ts'
import { maxKeys, maxRecordKeys } from '../source/json-scanner.ts'
import { limitKeys as sourceLimitKeys } from '../sources/shared-keys.ts'
import { mostStarred } from '../sql/binder/select-list.ts'
import { deepest as deepestSql } from '../sql/reader/depth.ts'
import { timesWrittenOut } from '../syntax/template.ts'
import { longestText } from '../syntax/yaml.ts'
import { maxDepth as deepestYaml } from '../syntax/yaml-depth.ts'
import { mostProblems } from '../text/most-problems.ts'
import { mostCompared } from '../text/name-index.ts'
import { keyTable } from './reference-page.ts'
import { sqlLimitKeys } from './settings-schema.ts'

export function limitsPage(): string {
  return [
    '# Limits',
    '',
    'What svc refuses or stops because it is too large. Each limit that a machine or a service can reach is a setting; the',
    'others are far above what people write, and are there so that no file can stop the machine. Nothing is cut in silence:',
    'an error names the limit and the place.',
    '',
    '## SQL that is checked: `limits.sql` in `svc.yaml`',
    '',
    ...keyTable(sqlLimitKeys),
    '## Sources: `limits.ingest` in `svc.yaml`, `ingest.limits` in an asset',
    '',
    'Each kind of source has those that it can reach; [the reference](reference.md) lists them by kind.',
    '',
    ...keyTable(sourceLimitKeys),
    '## Destinations: `limits` of a destination',
    '',
    ...keyTable(publishLimitKeys),
    '## Without a setting',
    '',
    '| what | limit | above it |',
    '|---|---|---|',
    ...fixed.map(({ what, limit, above }) => `| ${what} | ${limit} | ${above} |`),
    '',
  ].join('\n')
}

interface Fixed {
  readonly what: string
  readonly limit: string
  readonly above: string
}

const count = (value: number, unit: string) => `${value.toLocaleString('en-US')} ${unit}`

const seenBefore =
  'the load fails, with the record; `svc validate` says it of files, as far as it looks into them'

const fixed: readonly Fixed[] = [
  {
    what: 'a `.svc` file or `svc.yaml`',
    limit: count(longestText, 'characters'),
    above: 'error at its beginning: put the data into a file of its own',
  },
  {
    what: 'nesting of YAML',
    limit: count(deepestYaml, 'levels'),
    above:
      '`yaml-depth`, an error at the place; no setting, because the parser of YAML takes the stack of the process',
  },
  { what: 'problems shown of a file', limit: String(mostProblems), above: 'the others are counted' },
  {
    what: 'SQL that macros unfold to',
    limit: '`limits.sql.length`',
    above: '`macro-too-long`: give an intermediate result an asset of its own',
  },
  {
    what: 'SQL in which the views and ephemeral assets that it reads are written out',
    limit: `${timesWrittenOut} times \`limits.sql.length\``,
    above: 'the build fails: materialize one of them as a table',
  },
  {
    what: 'nesting of SQL of which names are looked up',
    limit: count(deepestSql, 'levels'),
    above: 'the engine alone checks the statement',
  },
  ...engines.map(({ label, deepest }) => ({
    what: `nesting of SQL in ${label}`,
    limit: deepest,
    above: 'error: move a part to a query in WITH, or to an asset of its own',
  })),
  {
    what: 'columns of one `SELECT *`',
    limit: count(mostStarred, 'columns'),
    above: 'lineage counts every column of the query as read',
  },
  {
    what: 'names out of many that are compared with one unknown name letter by letter, for "did you mean"',
    limit: count(mostCompared, 'names'),
    above: 'those are compared that share the most pairs of letters with it',
  },
  {
    what: 'different keys of the records of a source',
    limit: maxRecordKeys.toLocaleString('en-US'),
    above: seenBefore,
  },
  {
    what: 'different keys of an object in a record',
    limit: maxKeys.toLocaleString('en-US'),
    above: 'the object is loaded as one JSON value, without columns of its own',
  },
]
