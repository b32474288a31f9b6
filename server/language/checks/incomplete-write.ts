import { locate, nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import { addEntry } from '../project/yaml-edits.ts'
import { loadsOnlyNew, sourceKindOf } from '../sources/index.ts'
import type { CursorConflict, SourceIngest } from '../sources/source-kind.ts'
import type { FileCheck } from './check.ts'
import { type Remedy, remedy } from './fix.ts'

export const incompleteWrite: FileCheck = {
  code: 'incomplete-write',
  doc: '`write` needs another key: `append` and `merge` need `incremental` (or `only_new` of files), `merge` and `scd2` a `primary_key`, and `incremental` and `only_new` one of the three.',
  *run(asset) {
    const { ingest } = asset.definition
    // If `ingest` is wrong, what it was to be is unknown.
    if (ingest.type === 'none' || asset.diagnostics.some(({ severity }) => severity === 'error')) return
    for (const { key, ...problem } of problemsOf(ingest))
      yield { range: locate(asset, ['ingest', ...key], 'key'), ...problem }
  },
  fix({ path }, asset) {
    const { ingest } = asset.definition
    return ingest.type === 'none' ? [] : fixesOf(path, asset, ingest)
  },
}

function* problemsOf(ingest: SourceIngest): Generator<CursorConflict> {
  const { write, incremental, primaryKey, limits } = ingest
  const onlyNew = loadsOnlyNew(ingest)
  const partial = incremental !== undefined ? 'incremental' : onlyNew ? 'only_new' : undefined
  if (partial !== undefined && write === 'replace')
    yield {
      key: [partial],
      message: `${partial} needs write: append, write: merge or write: scd2`,
      hint: 'A load that replaces the one before has to bring every record.',
    }
  if (incremental !== undefined && onlyNew)
    yield {
      key: ['only_new'],
      message: 'only_new does not go with incremental',
      hint: 'Either the names of files tell what is new, or a column of the records.',
    }
  if (partial === undefined && (write === 'append' || write === 'merge'))
    yield {
      key: ['write'],
      message: `write: ${write} needs incremental`,
      hint: 'Name the column that grows with every change: incremental: {cursor: updated_at}.',
    }
  if ((write === 'merge' || write === 'scd2') && primaryKey.length === 0)
    yield {
      key: ['write'],
      message: `write: ${write} needs primary_key`,
      hint:
        write === 'merge'
          ? 'Name the columns that identify a record, so that it replaces its earlier version.'
          : 'Name the columns that identify a record, so that its versions are known as such.',
    }
  const limited = sourceKindOf(ingest).limitedLoads
  const goesOn = partial !== undefined && limited?.goesOn(ingest) === true
  if (limits.maxRows !== undefined && !goesOn && (partial !== undefined || write === 'scd2'))
    yield {
      key: ['limits', 'max_rows'],
      message: `limits.max_rows does not go with ${partial ?? 'write: scd2'}`,
      hint:
        partial === undefined
          ? 'The records beyond the limit would count as deleted.'
          : `The records beyond the limit would never be loaded: the next load begins behind the last one.${limited === undefined ? '' : ` ${limited.need}`}`,
    }
}

function fixesOf(path: string, asset: Asset, ingest: SourceIngest): readonly Remedy[] {
  if ((ingest.incremental === undefined && !loadsOnlyNew(ingest)) || ingest.write !== 'replace') return []
  const write = ingest.primaryKey.length > 0 ? 'merge' : 'append'
  const given = nodeAt(asset.tree, ['ingest', 'write'])
  if (given !== undefined) return remedy(`Change to ${write}`, path, { range: given.range, newText: write })
  return remedy(`Add write: ${write}`, path, addEntry(asset, ['ingest'], 'write', write))
}
