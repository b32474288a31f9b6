/** Codes of the diagnostics of sources and their options. */
import type { Asset } from '../project/project.ts'
import { addEntry, yamlScalar } from '../project/yaml-edits.ts'
import { nearestNames } from '../text/nearest-names.ts'
import { codesOf, type Fix, inAsset } from './diagnostic-code.ts'
import { type Problem, type Remedy, remedy, removeHere, replaceHere, written } from './fix.ts'

export const sourceCodes = codesOf({
  'exclude-inside-json': {
    doc: '`exclude` names something inside a value that is loaded whole, as JSON.',
    fix: inAsset((problem, asset) => removeHere(problem, asset, 'Take it out of exclude')),
  },
  'history-of-lists': {
    doc: '`write: scd2` keeps the versions of one table, and the source has lists of objects, which become tables of their own.',
    fix: addToIngest('Keep lists as JSON', 'nested', 'json'),
  },
  'names-meet': {
    doc: 'Two names at the source become one column or child table.',
    fix: addToIngest('Keep the names of the source', 'naming', 'source'),
  },
  'source-format-unknown': {
    doc: 'The ending of `ingest.resource` does not say how the files are written.',
    fix: inAsset((problem, asset) =>
      ['csv', 'json', 'ndjson', 'parquet'].flatMap(format =>
        remedy(`Read it as ${format}`, problem.path, addEntry(asset, ['ingest'], 'format', format)),
      ),
    ),
  },
  'wrong-option': {
    doc: '`ingest.options` has an option that the reader does not have, or a value that it does not take.',
    fix: inAsset((problem, asset) => removeHere(problem, asset, 'Remove the option')),
  },
  'unknown-primary-key': {
    doc: '`ingest.primary_key` names a column that the source does not have.',
    fix: inAsset(primaryKey),
  },
  'child-not-a-list': {
    doc: '`contract.tables` names a child table, and the source has one value of that name, not a list of objects.',
    fix: inAsset((problem, asset) => removeHere(problem, asset, 'Take it out of the contract')),
  },
  'unmatched-column': {
    doc: '`include`, `exclude` or `mask` names something that the source does not have.',
    severity: 'warning',
    fix: inAsset(nearestOrNone),
  },
  'mask-without-column': {
    doc: '`ingest.mask` names a column that the source, all of whose columns are known, does not have: nothing is hidden.',
    fix: inAsset(nearestOrNone),
  },
  'invalid-lock': '`schemas.lock.json` cannot be read, for example because git left conflict markers in it.',
  'source-file-missing': { doc: 'No file matches `ingest.resource`.', severity: 'warning' },
  'source-file-unreadable': { doc: 'A source file cannot be read.', severity: 'warning' },
})

function addToIngest(title: string, key: string, value: string): Fix {
  return inAsset((problem, asset) => remedy(title, problem.path, addEntry(asset, ['ingest'], key, value)))
}

/** Offers the nearest column of the source. */
function primaryKey(problem: Problem, asset: Asset): readonly Remedy[] {
  const columns = problem.knowledge.sources.get(asset.name)?.find(table => table.child === undefined)?.columns
  const names = (columns ?? []).filter(column => !column.system).map(column => column.name)
  const near = nearestNames(written(problem), names)
  return [
    ...near.flatMap(name => replaceHere(problem, `Change to "${name}"`, yamlScalar(name))),
    ...removeHere(problem, asset, 'Remove it from the key'),
  ]
}

function nearestOrNone(problem: Problem, asset: Asset): readonly Remedy[] {
  const nearest = problem.diagnostic.facts?.['nearest']
  return [
    ...(typeof nearest !== 'string'
      ? []
      : replaceHere(problem, `Change to "${nearest}"`, yamlScalar(nearest))),
    ...removeHere(problem, asset, 'Take it out'),
  ]
}
