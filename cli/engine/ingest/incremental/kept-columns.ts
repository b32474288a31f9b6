/**
 * What becomes of the columns of gathered rows where their source is defined in another way now: each goes on under a name of
 * now, is left out, or is hidden as the mask of now says.
 */
import {
  columnCalled,
  columnNamed,
  leavesOut,
  type MaskKind,
  maskRules,
  type RawColumn,
  type RawTable,
  type SourceIngest,
  type StoredIngest,
  withoutLists,
} from '@svc/server/language'
import type { BuiltColumn } from '../../state/state.ts'
import type { FetchContext } from '../source.ts'
import type { LoadBase } from './base.ts'
import { namedBefore, pathsBefore } from './names-before.ts'

export interface KeptColumn {
  /** Its name in the load before. */
  readonly from: string
  readonly name: string
  /** How its values are hidden; `lost` where they cannot be hidden in the way of now, so that they become NULL. */
  readonly hide?: Exclude<MaskKind, 'hash'> | 'lost'
}

/** The columns that stay, by child table; '' is the table of the source. */
export type KeptColumns = ReadonlyMap<string, readonly KeptColumn[]>

export interface KeptFacts {
  readonly context: FetchContext
  readonly ingest: SourceIngest
  readonly base: LoadBase
  /** The tables as they are loaded now. */
  readonly tables: readonly RawTable[]
  /** What the key of hashes is known by. */
  readonly keyMark: string | undefined
}

/** Returns undefined where the rows stay as they are. */
export function keptColumns(facts: KeptFacts): KeptColumns | undefined {
  const { base, tables } = facts
  if (base.earlier === undefined && base.restarts === undefined) return undefined
  return new Map(
    tables.flatMap(table => {
      const before = table.child === undefined ? base.load : base.load.children[table.child]
      return before === undefined ? [] : [[table.child ?? '', keptOf(table, before.columns, facts)] as const]
    }),
  )
}

function keptOf(table: RawTable, before: readonly BuiltColumn[], facts: KeptFacts): readonly KeptColumn[] {
  const { context, ingest, base } = facts
  const { engine } = context
  const isLeftOut = leavesOut(ingest)
  const pathOf = pathsBefore(knownBefore(table, facts), engine)
  const isNameOfBefore = (name: string) => columnCalled(before, name, engine) !== undefined
  // The first of the columns of a path counts, which is the last to be set.
  const renamed = new Map(
    [...table.columns]
      .reverse()
      .flatMap(column =>
        column.system || isNameOfBefore(column.name) ? [] : [[JSON.stringify(column.path), column] as const],
      ),
  )
  const maskBefore = base.earlier === undefined ? undefined : maskRulesOf(base.earlier.ingest)
  return before.flatMap((column): readonly KeptColumn[] => {
    const { name } = column
    if (name.startsWith('_svc_')) return [{ from: name, name }]
    const path = pathOf(name) ?? [name]
    const now = columnNamed(table.columns, name, engine) ?? renamed.get(JSON.stringify(path))
    if (now === undefined) return isLeftOut(path) || isLeftOut(name.split('__')) ? [] : [{ from: name, name }]
    const masked = maskBefore === undefined ? now.masked : maskBefore.kindAt(withoutLists(path))
    const hide = hiddenBy(now, masked, column, facts)
    return [{ from: name, name: now.name, ...(hide !== undefined && { hide }) }]
  })
}

/** What tells where the columns of a load come from: its own definition, and the lock where that is silent. */
function knownBefore(table: RawTable, { context, base }: KeptFacts): readonly (RawTable | undefined)[] {
  const locked = context.previous?.find(({ child }) => child === table.child)
  if (base.earlier === undefined) return [locked]
  return [...namedBefore([table, ...(locked === undefined ? [] : [locked])], base.earlier), locked]
}

/** `before`: how its values are hidden already. */
function hiddenBy(
  now: RawColumn,
  before: MaskKind | undefined,
  { maskKey }: BuiltColumn,
  { keyMark }: KeptFacts,
): KeptColumn['hide'] {
  if (before === now.masked)
    return before === 'hash' && maskKey !== undefined && maskKey !== keyMark ? 'lost' : undefined
  const { masked } = now
  if (masked === undefined || masked === 'hash') return 'lost'
  return masked === 'redact' || before === undefined ? masked : 'lost'
}

function maskRulesOf({ mask = {}, naming }: StoredIngest) {
  return maskRules({
    mask: mask as Readonly<Record<string, MaskKind>>,
    naming: naming === 'source' ? 'source' : 'snake',
  })
}
