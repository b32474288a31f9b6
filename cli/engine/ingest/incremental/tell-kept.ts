/** Says what gathered rows cannot have where they are brought into another shape: values that were not kept, or not as they are now. */
import type { RawTable } from '@svc/server/language'
import type { FetchContext } from '../source.ts'
import type { LoadBase } from './base.ts'
import type { KeptColumns } from './kept-columns.ts'

interface Kept {
  readonly context: FetchContext
  readonly base: LoadBase
  readonly tables: readonly RawTable[]
}

export function tellKept({ context, base, tables }: Kept, kept: KeptColumns): void {
  for (const table of tables) {
    const rows = rowsOf(base, table.child)
    const stays = kept.get(table.child ?? '')
    if (rows === 0 || stays === undefined) continue
    const lost = stays.flatMap(({ name, hide }) => (hide === 'lost' ? [name] : []))
    const has = (name: string) => stays.some(column => context.engine.sameName(column.name, name))
    // A column that comes where nothing was edited is told as a change of the source.
    const isEdited = base.earlier !== undefined
    const added = table.columns.flatMap(({ name, system }) =>
      isEdited && !system && !has(name) ? [name] : [],
    )
    const of = table.child === undefined ? '' : ` of "${table.child}"`
    if (lost.length > 0)
      context.onWarning?.({
        code: 'kept-rows',
        count: rows,
        example: lost[0] ?? '',
        message: `${rowsText(rows)}${of} ${rows === 1 ? 'is' : 'are'} NULL in ${namesText(lost)}: what is stored there cannot be masked as the file says now`,
        hint: svc =>
          `${svc(`run ${context.asset.name} --full-refresh`)} loads all that the source has now, masked as the file says, and what it has no longer is lost then.`,
      })
    if (added.length > 0)
      context.onWarning?.({
        code: 'kept-rows',
        count: rows,
        example: added[0] ?? '',
        message: `${rowsText(rows)}${of} that ${rows === 1 ? 'was' : 'were'} gathered before ${rows === 1 ? 'is' : 'are'} NULL in ${namesText(added)}, unless the source has brought ${rows === 1 ? 'it' : 'them'} again`,
        hint: svc =>
          `Loads had not stored this. ${svc(`run ${context.asset.name} --full-refresh`)} loads all that the source has now, and what it has no longer is lost then.`,
      })
  }
}

function rowsOf({ load }: LoadBase, child: string | undefined): number {
  return (child === undefined ? load.rows : load.children[child]?.rows) ?? 0
}

function rowsText(rows: number): string {
  return rows === 1 ? '1 row' : `${rows} rows`
}

function namesText(names: readonly string[]): string {
  return names.map(name => `"${name}"`).join(', ')
}
