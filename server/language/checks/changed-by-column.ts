import type { Engine } from '../engines/engine.ts'
import { findColumn } from '../names/find-column.ts'
import { locate } from '../project/locate.ts'
import type { Ingest } from '../schema/definition.ts'
import type { RawColumn } from '../source/source-shape.ts'
import { changesToldOf } from '../sources/index.ts'
import type { Range } from '../text/range.ts'
import type { Finding, ProjectCheck } from './check.ts'
import { unknownColumn } from './suggestion.ts'

const at = ['ingest', 'changed_by']

/** Types of values that have no greatest one, or none that says anything. */
const withoutOrder: ReadonlySet<string> = new Set(['boolean', 'json', 'nested'])

export const changedByColumn: ProjectCheck = {
  code: 'changed-by-column',
  doc: '`ingest.changed_by` is no column of the table, or one whose values cannot grow.',
  about: at,
  *run(asset, { rawTables, project: { engine } }) {
    const { ingest } = asset.definition
    const told = changesToldOf(ingest)
    const table = rawTables?.find(({ child }) => child === undefined)
    if (told?.by !== 'column' || table === undefined) return
    const columns = table.columns.filter(({ system }) => !system)
    const column = findColumn(columns, told.column, engine)
    const range = locate(asset, at)
    if (column !== undefined) yield* ofWrongType(column, engine, range)
    // What is left out of the load can tell changes all the same, and only the table has it.
    else if (table.complete && !isNarrowed(ingest)) {
      const names = columns.map(({ name }) => name)
      yield unknownColumn(
        told.column,
        { path: asset.path, range },
        { owner: 'the table', columns: names },
        'in changed_by',
      )
    }
  },
}

function isNarrowed(ingest: Ingest): boolean {
  return ingest.type !== 'none' && ingest.include.length + ingest.exclude.length > 0
}

function* ofWrongType({ name, type }: RawColumn, { types }: Engine, range: Range): Generator<Finding> {
  if (type === undefined || !withoutOrder.has(types.family(types.parse(type)))) return
  yield {
    range,
    message: `changed_by needs a column that grows with every change, "${name}" is ${type}`,
    hint: 'Name a column of times or numbers, or leave the key out: every run then reads all rows.',
  }
}
