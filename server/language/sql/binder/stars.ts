/** Binds `*` and `t.*` with EXCLUDE, REPLACE, RENAME and LIKE to the columns that they expand to. */
import type { Edit, Name, SelectItem, Span, Star, StarName } from '../tree.ts'
import { bindExpression } from './expressions.ts'
import { fieldsOf } from './fields.ts'
import type { BoundTable, Column, Relation, Scope } from './model.ts'
import { nameMatcher } from './name-patterns.ts'
import { lookUp } from './references.ts'
import {
  byName,
  findColumn,
  findTable,
  findTableAround,
  findTagged,
  starColumns,
  visibleTables,
} from './scope.ts'
import { derivedFrom, type Value } from './values.ts'
import { mention, namedColumn, opaque, report, spanText, spreadColumn, type Work } from './work.ts'

/** Binds a star outside of a select list to the value of all its columns. */
export function bindStarExpression(work: Work, node: Star, scope: Scope): Value {
  return derivedFrom(expandStar(work, node, scope, 'x', undefined).columns.map(column => column.value))
}

export function expandStar(
  work: Work,
  node: Star,
  scope: Scope,
  id: string,
  item: SelectItem | undefined,
): Relation {
  const starred = starredColumns(work, node, scope, id)
  if (starred === undefined) return { columns: [], open: opaque(work, id) }
  for (const { value } of starred.columns) work.reads.push(...value.origins)
  const changes = changesOf(work, node, scope, starred)
  const matches = node.pattern && nameMatcher(work, node.pattern, scope)
  const known = starred.columns.flatMap((of, index): readonly Column[] => {
    const key = work.dialect.fold(of.name)
    if (changes.excluded.has(key) && !of.spread) return []
    if (matches !== undefined && matches !== 'unsure' && !of.spread && !matches(of.name)) return []
    const own = `${id}.s${index}`
    const to = changes.renamedApart.get(of) ?? changes.renamed.get(key)
    if (to !== undefined) return [namedColumn(work, own, to, of.value, { of, item })]
    const replaced = changes.replaced.get(key)
    if (replaced !== undefined) {
      const maker =
        item === undefined
          ? ({ kind: 'expression', item } as const)
          : ({ kind: 'replaced', at: replaced.name, of, item } as const)
      return [{ id: own, name: of.name, maker, value: replaced.value }]
    }
    return [replacedWithin(work, passedOn(of, own, item), changes)]
  })
  const columns = [...known, ...changedUnknown(work, node, starred, changes, id, item)]
  if (matches === 'unsure') return { columns: [spreadOf(id, columns)], open: starred.open }
  return { columns, open: starred.open, ...(starred.also && { also: starred.also }) }
}

/** Applies REPLACE to a spread, one of whose columns may have the name. */
function replacedWithin(work: Work, column: Column, { replaced }: Changes): Column {
  const { spread } = column
  if (spread === undefined || replaced.size === 0) return column
  const values = Array.from(replaced.values(), each => each.value)
  const candidates = spread.candidates?.map(each => {
    const other = replaced.get(work.dialect.fold(each.name))
    return other === undefined ? each : { ...each, value: other.value }
  })
  return {
    ...column,
    value: { ...derivedFrom([column.value, ...values]), unknown: true },
    spread: { candidates },
  }
}

/** Returns the columns that are known only from REPLACE and RENAME. */
function changedUnknown(
  work: Work,
  { replace, rename }: Star,
  starred: Relation,
  { replaced }: Changes,
  id: string,
  item: SelectItem | undefined,
): readonly Column[] {
  const { open, columns } = starred
  if (open === undefined || item === undefined) return []
  const known = byName(columns, work.dialect)
  const isUnknown = (name: Name): boolean => name.text !== '' && !known.has(work.dialect.fold(name.text))
  const made: Column[] = []
  for (const { name } of replace.filter(each => isUnknown(each.name))) {
    const of = open(name.text, false)
    const value = replaced.get(work.dialect.fold(name.text))?.value ?? of.value
    made.push({
      id: `${id}.q${made.length}`,
      name: name.text,
      maker: { kind: 'replaced', at: name, of, item },
      value,
    })
  }
  for (const { from, to } of rename.filter(each => isUnknown(each.from.name))) {
    const of = open(from.name.text, false)
    made.push(namedColumn(work, `${id}.q${made.length}`, to, of.value, { of, item }))
  }
  return made
}

/** Returns the column as an expansion of a star. */
export function passedOn(of: Column, id: string, item: SelectItem | undefined): Column {
  const { name, value, spread, misspelt } = of
  return {
    id,
    name,
    maker: { kind: 'star', of, item },
    value,
    ...(spread && { spread }),
    ...(misspelt && { misspelt }),
  }
}

/** Returns one column that stands for an unknown subset of `columns`. */
export function spreadOf(id: string, columns: readonly Column[]): Column {
  const value = { ...derivedFrom(columns.map(column => column.value)), unknown: true }
  return { id, name: '', maker: { kind: 'opaque' }, value, spread: { candidates: columns } }
}

// ---------------------------------------------------------------- what is starred

function starredColumns(work: Work, node: Star, scope: Scope, id: string): Relation | undefined {
  const gone = excludedApart(work, node, scope)
  if (node.tag === undefined && node.qualifier.length === 0)
    return ofTables(work, visibleTables(scope), scope, true, gone)
  const table = node.tag === undefined ? qualifiedTable(work, node, scope) : findTagged(work, node.tag, scope)
  if (table !== undefined) return ofTables(work, [table], scope, false, gone)
  return structFields(work, node, scope, id)
}

function ofTables(
  work: Work,
  tables: readonly BoundTable[],
  scope: Scope,
  isWhole: boolean,
  gone: ReadonlySet<Column>,
): Relation {
  const open = tables.find(table => table.open !== undefined)?.open
  const also = tables.flatMap(table => table.also ?? [])
  return {
    columns: starColumns(scope, tables, isWhole, work.dialect, gone),
    open,
    ...(also.length > 0 && { also }),
  }
}

/** Finds the table of a qualifier, nearest first: a subquery may expand a table of the outer query. */
function qualifiedTable(work: Work, { qualifier }: Star, scope: Scope): BoundTable | undefined {
  const name = qualifier.at(-1)
  if (name === undefined || qualifier.length > 2) return undefined
  const table = findTableAround(scope, name.text, work.dialect)
  if (table !== undefined) mention(work, name, table, 'read')
  return table
}

/**
 * Expands `detail.*` to the fields of a column. Returns undefined if there is no such column, which is
 * reported.
 */
function structFields(work: Work, node: Star, scope: Scope, id: string): Relation | undefined {
  const { qualifier, tag, start, end, mark } = node
  const resolved = lookUp(work, { kind: 'reference', start, end, tag, path: qualifier }, scope)
  const [first] = qualifier
  if (resolved === undefined) {
    if (first !== undefined && first.text !== '')
      report(work, {
        kind: 'unknown-qualifier',
        name: first.text,
        span: { start: first.start, end: first.end },
        repair: [{ start, end: Math.max(end, mark.end), text: 'NULL' }],
        scope,
      })
    return undefined
  }
  const fields = fieldsOf(work, resolved.value)
  if (fields === undefined) {
    const value = { ...derivedFrom([resolved.value]), unknown: true }
    return { columns: [spreadColumn(id, value)], open: undefined }
  }
  const columns = fields.map(
    ({ name, value }, index): Column => ({
      id: `${id}.f${index}`,
      name,
      maker: { kind: 'field', of: resolved.column, at: undefined },
      value,
    }),
  )
  return { columns, open: undefined }
}

// ---------------------------------------------------------------- what is changed of it

interface Changes {
  /** Folded names. */
  readonly excluded: ReadonlySet<string>
  readonly renamed: ReadonlyMap<string, Name>
  /** Renames of one table, qualified by its name. */
  readonly renamedApart: ReadonlyMap<Column, Name>
  readonly replaced: ReadonlyMap<string, { readonly name: Name; readonly value: Value }>
}

const noChanges: Changes = {
  excluded: new Set(),
  renamed: new Map(),
  renamedApart: new Map(),
  replaced: new Map(),
}

function changesOf(work: Work, node: Star, scope: Scope, starred: Relation): Changes {
  const { exclude, replace, rename } = node
  if (exclude.length + replace.length + rename.length === 0) return noChanges
  const fold = (name: Name): string => work.dialect.fold(name.text)
  bindListed(work, exclude, exclude, starred, scope, 'exclude|except')
  bindListed(
    work,
    replace,
    replace.map(({ name, start, end }) => ({ name, start, end, qualifier: [] })),
    starred,
    scope,
    'replace',
  )
  bindListed(
    work,
    rename,
    rename.map(({ from }) => from),
    starred,
    scope,
    'rename',
  )
  const replaced = new Map(
    replace.map(({ name, expression }) => [
      fold(name),
      { name, value: bindExpression(work, expression, scope) },
    ]),
  )
  return {
    excluded: new Set(exclude.filter(name => !isApart(name)).map(({ name }) => fold(name))),
    renamed: new Map(
      rename.filter(({ from }) => !isApart(from)).map(({ from, to }) => [fold(from.name), to]),
    ),
    renamedApart: new Map(
      rename.flatMap(({ from, to }) => {
        const column = isApart(from) ? columnApart(work, from, scope) : undefined
        return column === undefined ? [] : [[column, to] as const]
      }),
    ),
    replaced,
  }
}

/**
 * Returns whether the name is qualified: `* EXCLUDE (a.email)` keeps the other tables' columns of that name.
 */
function isApart({ qualifier }: StarName): boolean {
  return qualifier.length > 0
}

function excludedApart(work: Work, { exclude }: Star, scope: Scope): ReadonlySet<Column> {
  return new Set(exclude.filter(isApart).flatMap(name => columnApart(work, name, scope) ?? []))
}

function columnApart(work: Work, { qualifier, name }: StarName, scope: Scope): Column | undefined {
  const table = findTable(scope, qualifier.at(-1)?.text ?? '', work.dialect)
  return table && findColumn(table, name.text, work.dialect)
}

/** Returns the column that a name after EXCLUDE, REPLACE or RENAME means. */
function listedColumn(work: Work, listed: StarName, starred: Relation, scope: Scope): Column | undefined {
  const { name, qualifier } = listed
  const last = qualifier.at(-1)
  const table = last && findTable(scope, last.text, work.dialect)
  if (last !== undefined && table !== undefined) mention(work, last, table, 'read')
  const known = isApart(listed)
    ? columnApart(work, listed, scope)
    : byName(starred.columns, work.dialect).get(work.dialect.fold(name.text))
  return known ?? (name.text === '' ? undefined : starred.open?.(name.text, false))
}

/** Binds the names of one list to the expanded columns. */
function bindListed(
  work: Work,
  entries: readonly Span[],
  names: readonly StarName[],
  starred: Relation,
  scope: Scope,
  keyword: string,
): void {
  const maySpread = starred.columns.some(each => each.spread)
  const missing = names.map(listed => {
    const column = listedColumn(work, listed, starred, scope)
    const qualified = isApart(listed)
    if (column !== undefined) mention(work, listed.name, { kind: 'column', column }, 'read', { qualified })
    return column === undefined && !maySpread && listed.name.text !== ''
  })
  if (!missing.includes(true)) return
  const repair = listRepair(work, entries, missing, keyword)
  for (const [index, { name }] of names.entries()) {
    if (missing[index] !== true) continue
    report(work, {
      kind: 'unknown-column',
      name: name.text,
      table: undefined,
      among: starred.columns,
      span: { start: name.start, end: name.end },
      // One edit removes all of them.
      repair: missing.indexOf(true) === index ? repair : [],
      scope,
    })
  }
}

/** Returns an edit that removes entries of a list, or the list with its keyword if none is left. */
function listRepair(
  work: Work,
  entries: readonly Span[],
  isGone: readonly boolean[],
  keyword: string,
): readonly Edit[] {
  const [first, last] = [entries[0], entries.at(-1)]
  if (first === undefined || last === undefined) return []
  const kept = entries.filter((_, index) => isGone[index] !== true)
  const span = { start: first.start, end: last.end }
  if (kept.length > 0) return [{ ...span, text: kept.map(entry => spanText(work, entry)).join(', ') }]
  const before = new RegExp(`(?:${keyword})\\s*(\\(?)\\s*$`, 'i').exec(
    work.text.slice(Math.max(0, span.start - 80), span.start),
  )
  if (before === null) return []
  const after =
    before[1] === '(' ? (/^\s*,?\s*\)/.exec(work.text.slice(span.end, span.end + 40))?.[0].length ?? 0) : 0
  return [{ start: span.start - before[0].length, end: span.end + after, text: '' }]
}
