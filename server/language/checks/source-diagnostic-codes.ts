/** Codes of the diagnostics of sources and their options. */
import { pathAt } from '../project/path-at.ts'
import type { Asset } from '../project/project.ts'
import { addEntry, removeAt, yamlScalar } from '../project/yaml-edits.ts'
import { nearestNames } from '../text/nearest-names.ts'
import { type DiagnosticCode, inAsset } from './diagnostic-code.ts'
import { type Problem, type Remedy, remedy, removeHere, replaceHere } from './fix.ts'

export const sourceCodes: readonly DiagnosticCode[] = [
  {
    code: 'exclude-inside-json',
    severity: 'error',
    doc: '`exclude` names something inside a value that is loaded whole, as JSON.',
    fix: inAsset((problem, asset) =>
      remedy(
        'Take it out of exclude',
        problem.path,
        removeAt(asset, pathAt(asset.tree, problem.diagnostic.range.start)),
      ),
    ),
  },
  {
    code: 'history-of-lists',
    severity: 'error',
    doc: '`write: scd2` keeps the versions of one table, and the source has lists of objects, which become tables of their own.',
    fix: inAsset((problem, asset) =>
      remedy('Keep lists as JSON', problem.path, addEntry(asset, ['ingest'], 'nested', 'json')),
    ),
  },
  {
    code: 'names-meet',
    severity: 'error',
    doc: 'Two names at the source become one column or child table.',
    fix: inAsset((problem, asset) =>
      remedy('Keep the names of the source', problem.path, addEntry(asset, ['ingest'], 'naming', 'source')),
    ),
  },
  {
    code: 'source-format-unknown',
    severity: 'error',
    doc: 'The ending of `ingest.resource` does not say how the files are written.',
    fix: inAsset((problem, asset) =>
      ['csv', 'json', 'ndjson', 'parquet'].flatMap(format =>
        remedy(`Read it as ${format}`, problem.path, addEntry(asset, ['ingest'], 'format', format)),
      ),
    ),
  },
  {
    code: 'wrong-option',
    severity: 'error',
    doc: '`ingest.options` has an option that the reader does not have, or a value that it does not take.',
    fix: inAsset((problem, asset) => removeHere(problem, asset, 'Remove the option')),
  },
  {
    code: 'unknown-primary-key',
    severity: 'error',
    doc: '`ingest.primary_key` names a column that the source does not have.',
    fix: inAsset(primaryKey),
  },
  {
    code: 'child-not-a-list',
    severity: 'error',
    doc: '`contract.tables` names a child table, and the source has one value of that name, not a list of objects.',
    fix: inAsset((problem, asset) => removeHere(problem, asset, 'Take it out of the contract')),
  },
  {
    code: 'unmatched-column',
    severity: 'warning',
    doc: '`include`, `exclude` or `mask` names something that the source does not have.',
    fix: inAsset(nearestOrNone),
  },
  {
    code: 'mask-without-column',
    severity: 'error',
    doc: '`ingest.mask` names a column that the source, all of whose columns are known, does not have: nothing is hidden.',
    fix: inAsset(nearestOrNone),
  },
  {
    code: 'invalid-lock',
    severity: 'error',
    doc: '`schemas.lock.json` cannot be read, for example because git left conflict markers in it.',
  },
  { code: 'source-file-missing', severity: 'warning', doc: 'No file matches `ingest.resource`.' },
  { code: 'source-file-unreadable', severity: 'warning', doc: 'A source file cannot be read.' },
]

/** Offers the nearest column of the source. */
function primaryKey(problem: Problem, asset: Asset): readonly Remedy[] {
  const { range } = problem.diagnostic
  const columns = problem.knowledge.sources.get(asset.name)?.find(table => table.child === undefined)?.columns
  const names = (columns ?? []).filter(column => !column.system).map(column => column.name)
  const near = nearestNames(problem.text.slice(range.start, range.end), names)
  return [
    ...near.flatMap(name => replaceHere(problem, `Change to "${name}"`, yamlScalar(name))),
    ...removeHere(problem, asset, 'Remove it from the key'),
  ]
}

function nearestOrNone(problem: Problem, asset: Asset): readonly Remedy[] {
  const { range, hint = '' } = problem.diagnostic
  const nearest = /^did you mean "(.+)"\?$/.exec(hint)?.[1]
  return [
    ...(nearest === undefined ? [] : replaceHere(problem, `Change to "${nearest}"`, yamlScalar(nearest))),
    ...remedy('Take it out', problem.path, removeAt(asset, pathAt(asset.tree, range.start))),
  ]
}
