/** What hover shows in SQL: tags, columns, tables, CTEs, stars, functions. */
import { sameName } from '../../checks/columns.ts'
import type { Asset } from '../../project/project.ts'
import type { Range } from '../../text/range.ts'
import { functionDocumentation } from '../functions/function-text.ts'
import type { Knowledge } from '../knowledge.ts'
import { sourceColumns } from '../known-columns.ts'
import { asCell, asCode, asCodeCell, codeBlock, counted, table } from '../markdown.ts'
import { expandStar, findColumn, namedOnly, type SqlColumn, type SqlRelation } from '../sql/output-columns.ts'
import type { Core, StarItem } from '../sql/query-tree.ts'
import type { SqlScope } from '../sql/scope-at.ts'
import { identifier, type SqlCursor, sqlCursor, textOf } from '../sql/sql-cursor.ts'
import { type SqlPlace, sqlPlaceAt } from '../sql/sql-place.ts'
import { reservedWords } from '../sql/sql-words.ts'
import { readTagText } from '../sql/sql-world.ts'
import { shownValue, variableByEnvironment } from '../variables.ts'
import { assetCard, missingAssetCard, whyUnknown } from './asset-card.ts'
import { columnCard } from './column-card.ts'
import { descriptionOf } from './column-facts.ts'
import type { Hover } from './hover.ts'

export function sqlHover(knowledge: Knowledge, path: string, offset: number): Hover | undefined {
  const place = sqlPlaceAt(knowledge, path, offset)
  if (place === undefined) return undefined
  const cursor = sqlCursor(place.block.text, place.offset)
  const at = pointedAt(cursor, place.offset)
  const token = cursor.tokens[at]
  if (token === undefined) return undefined
  const found = { knowledge, place, cursor, at }
  if (token.kind === 'tag') return tagHover(found, token)
  if (textOf(cursor, token) === '*') return starHover(found)
  const name = identifier(cursor, token)
  return name === undefined ? undefined : nameHover(found, name, token)
}

/** The name that is touched, or else what the offset stands before. */
function pointedAt({ tokens }: SqlCursor, offset: number): number {
  const index = tokens.findIndex(({ start, end }) => start <= offset && offset < end)
  const isName = ['word', 'quoted', 'tag'].includes(tokens[index]?.kind ?? '')
  if (isName) return index
  const behind = tokens.findIndex(({ end, kind }) => end === offset && (kind === 'word' || kind === 'quoted'))
  return behind < 0 ? index : behind
}

interface Found {
  readonly knowledge: Knowledge
  readonly place: SqlPlace
  readonly cursor: SqlCursor
  /** Index of the token pointed at. */
  readonly at: number
}

function hover({ place }: Found, range: Range, markdown: string): Hover {
  return { range: place.toFile(range), markdown }
}

// ---------------------------------------------------------------- tags

function tagHover(found: Found, token: Range): Hover | undefined {
  const { knowledge, place, cursor } = found
  const tag = readTagText(cursor.text.slice(token.start, token.end))
  switch (tag?.word) {
    case 'ref': {
      const asset = knowledge.project.byName.get(tag.argument ?? '')
      const card =
        asset === undefined ? missingAssetCard(knowledge, tag.argument ?? '') : assetCard(knowledge, asset)
      return hover(found, token, card)
    }
    case 'this':
      return hover(found, token, `The asset itself.\n\n${assetCard(knowledge, place.asset)}`)
    case 'source':
      return hover(found, token, sourceCard(knowledge, place.asset, tag.argument))
    case 'var':
      return hover(found, token, variableCard(knowledge, tag.argument ?? ''))
    default:
      return undefined
  }
}

export function sourceCard(knowledge: Knowledge, asset: Asset, child: string | undefined): string {
  const { ingest } = asset.definition
  if (ingest.type === 'none') return `${asCode(asset.name)} has no source: ${asCode('ingest: none')}.`
  const what =
    child === undefined
      ? `The source of ${asCode(asset.name)}`
      : `The list ${asCode(child)} of the source of ${asCode(asset.name)}`
  const where =
    'endpoint' in ingest ? ` · ${ingest.type} ${asCode(sourceAddress(ingest))}` : ` · ${ingest.type}`
  const tables = knowledge.sources.get(asset.name)
  const columns = sourceColumns(knowledge, asset, child)
  if (columns.length === 0) {
    return `${what}${where}\n\n*Its columns are not known yet: ${asCode(`svc run ${asset.name}`)} loads it, ${asCode('contract.columns')} can tell them.*`
  }
  const rows = columns
    .slice(0, 40)
    .map(({ name, type, path }) => [
      asCodeCell(name),
      type === undefined ? '?' : asCodeCell(type),
      path.join('.') === name ? '' : asCodeCell(path.join('.')),
    ])
  const lists = (tables ?? []).flatMap(each =>
    child === undefined && each.child !== undefined ? [asCode(each.child)] : [],
  )
  return [
    `${what}${where}`,
    table(['column', 'type', 'at the source'], rows),
    columns.length > 40 ? `*and ${counted(columns.length - 40, 'column')} more*` : '',
    lists.length === 0 ? '' : `Lists in it: ${lists.join(', ')}`,
  ]
    .filter(part => part !== '')
    .join('\n\n')
}

/** `data/orders.ndjson`, `https://api.example.com/orders`: endpoint and resource as one path. */
function sourceAddress(ingest: { readonly endpoint: string; readonly resource: string }): string {
  const endpoint = withoutSecrets(ingest.endpoint)
    .replace(/^(\.\/+)+/, '')
    .replace(/\/+$/, '')
  const resource = ingest.resource.replace(/^(\.\/+)+/, '')
  const isHere = endpoint === '' || endpoint === '.'
  return isHere && !ingest.endpoint.startsWith('/') ? resource : `${endpoint}/${resource.replace(/^\/+/, '')}`
}

/** What stands before the path of an address and after a question mark may be a secret. */
function withoutSecrets(endpoint: string): string {
  return endpoint.replace(/\/\/[^/@]*@/, '//').replace(/[?#].*$/, '')
}

export function variableCard({ project }: Knowledge, name: string): string {
  const { vars } = project.settings
  const byEnvironment = variableByEnvironment(project.settings, name)
  if (!Object.hasOwn(vars, name) && byEnvironment.length === 0)
    return `There is no variable ${asCode(name)}: ${asCode('vars')} in ${asCode('svc.yaml')} has none of that name.`
  const rows = [
    ...(Object.hasOwn(vars, name) ? [['everywhere else', asCodeCell(shownValue(vars[name]))]] : []),
    ...byEnvironment.map(([environment, value]) => [asCodeCell(environment), asCodeCell(value)]),
  ]
  if (byEnvironment.length === 0) return `Variable ${asCode(name)} = ${asCode(shownValue(vars[name]))}`
  return `Variable ${asCode(name)}\n\n${table(['environment', 'value'], [...rows.slice(1), ...rows.slice(0, 1)])}`
}

// ---------------------------------------------------------------- names

function nameHover(found: Found, name: string, token: Range & { readonly kind: string }): Hover | undefined {
  const { knowledge, cursor, at } = found
  const next = textOf(cursor, cursor.tokens[at + 1])
  const isMember = textOf(cursor, cursor.tokens[at - 1]) === '.'
  const scope = scopeOf(found, token)
  if (next === '(' && !isMember) {
    const known = knowledge.functions.get(name.toLowerCase())
    if (known !== undefined) return hover(found, token, functionDocumentation(known))
  }
  if (isMember) return memberHover(found, scope, name, token)
  return (
    definedHover(found, scope, name, token) ??
    (next === '.' ? relationHover(found, scope, name, token) : undefined) ??
    columnHover(found, scope, undefined, name, token) ??
    relationHover(found, scope, name, token) ??
    wordHover(found, name, token)
  )
}

/** Of the name itself: the place may be looked at from its first or its last character. */
function scopeOf({ place }: Found, token: Range): SqlScope {
  return place.scopeAt(token.end)
}

function memberHover(found: Found, scope: SqlScope, name: string, token: Range): Hover | undefined {
  const { cursor, at } = found
  const qualifier = identifier(cursor, cursor.tokens[at - 2])
  return qualifier === undefined ? undefined : columnHover(found, scope, qualifier, name, token)
}

function columnHover(
  found: Found,
  scope: SqlScope,
  qualifier: string | undefined,
  name: string,
  token: Range,
): Hover | undefined {
  const known = [...scope.relations, ...scope.ownRelations]
  const column = findColumn(known, qualifier, name)
  if (column === undefined)
    return (
      aliasHover(found, scope, qualifier, name, token) ?? missingHover(found, known, qualifier, name, token)
    )
  return hover(
    found,
    token,
    columnCard(found.knowledge, {
      ...column.column,
      role: roleOf(column.relation),
      sql: sqlOf(found, column.column),
    }),
  )
}

/** Longer expressions are a jump to the definition away. */
const longestSql = 400

function sqlOf({ cursor }: Found, { madeBy, origin }: SqlColumn): string | undefined {
  if (madeBy === undefined || origin !== undefined) return undefined
  const sql = cursor.text.slice(madeBy.start, madeBy.end)
  return sql.length > longestSql ? `${sql.slice(0, longestSql)} …` : sql
}

function roleOf(relation: SqlRelation): string {
  const alias = relation.table.alias?.name
  switch (relation.kind) {
    case 'cte':
      return `column of CTE ${relation.table.name || relation.name}`
    case 'query':
      return alias === undefined ? 'column of a query' : `column of query ${alias}`
    case 'values':
    case 'function':
    case 'unknown':
      return relation.name === '' ? 'column' : `column of ${relation.name}`
    default:
      return ''
  }
}

function aliasHover(
  found: Found,
  scope: SqlScope,
  qualifier: string | undefined,
  name: string,
  token: Range,
): Hover | undefined {
  if (qualifier !== undefined) return undefined
  const alias = scope.aliases.find(each => sameName(each.name, name))
  if (alias === undefined) return undefined
  const type = alias.type ?? outputType(found, scope, name)
  const card = columnCard(found.knowledge, {
    name: alias.name,
    type,
    origin: undefined,
    role: 'alias of the select list',
  })
  return hover(found, token, card)
}

/** Why nothing is known of a column of a table whose columns are not all known. */
function missingHover(
  found: Found,
  relations: readonly SqlRelation[],
  qualifier: string | undefined,
  name: string,
  token: Range,
): Hover | undefined {
  const open = relations.find(
    each => !each.complete && (qualifier === undefined || sameName(each.name, qualifier)),
  )
  if (open === undefined || (qualifier === undefined && !isOnlyName(found))) return undefined
  const asset = open.target === undefined ? undefined : found.knowledge.project.byName.get(open.target)
  const isOwnSource = open.kind === 'source'
  const of = isOwnSource ? `the source of ${asCode(found.place.asset.name)}` : asCode(open.name)
  const why = isOwnSource || asset === undefined ? '' : `: ${whyUnknown(found.knowledge, asset)}`
  const help = isOwnSource ? `: ${asCode(`svc run ${found.place.asset.name}`)} loads it` : why
  const markdown = `${codeBlock('sql', `${name} -- not known yet`)}\n\n*Columns of ${of} are not all known yet${help}.*`
  return hover(found, token, markdown)
}

/** A keyword is no column that nobody knows, and a call is none either. */
function isOnlyName({ cursor, at }: Found): boolean {
  const text = textOf(cursor, cursor.tokens[at])
  const isCall = textOf(cursor, cursor.tokens[at + 1]) === '('
  return !isCall && !reservedWords.has(text.toLowerCase()) && !/^[A-Z]{2,}$/.test(text)
}

// ---------------------------------------------------------------- where a name is given

/** On an alias of the select list, a CTE's name, an alias of a table. */
function definedHover(found: Found, scope: SqlScope, name: string, token: Range): Hover | undefined {
  const isHere = (range: Range | undefined): boolean => range?.start === token.start
  const cte = scope.query.ctes.find(each => isHere(each.nameRange))
  if (cte !== undefined) {
    const { reading } = found.place
    const columns = cte.query === undefined ? [] : namedOnly(reading.outputs.output(cte.query)).columns
    return hover(found, token, relationCard(found.knowledge, `CTE ${asCode(name)}`, columns))
  }
  const item = scope.core?.items.find(each => each.kind === 'value' && isHere(each.alias?.range))
  if (item === undefined || scope.core === undefined) return undefined
  const { columns } = found.place.reading.outputs.coreOutput(scope.query, scope.core)
  const column = columns.find(each => isHere(each.definedAt))
  const isOutput = scope.query.parent === undefined && found.place.block.path[0] === 'transform'
  const type = column?.type ?? (isOutput ? outputType(found, scope, name) : undefined)
  const own = { asset: found.place.asset.name, column: name }
  const card = isOutput
    ? columnCard(found.knowledge, { name, type, origin: own, role: 'output column' })
    : columnCard(found.knowledge, { name, type, origin: column?.origin, role: 'alias' })
  return hover(found, token, card)
}

/** Of an output column of the asset, as the catalogue last knew it. */
function outputType({ knowledge, place }: Found, scope: SqlScope, name: string): string | undefined {
  if (scope.query.parent !== undefined || place.block.path[0] !== 'transform') return undefined
  const columns = knowledge.analysis.of(place.asset.name)?.columns ?? []
  return columns.find(column => sameName(column.name, name))?.type
}

function relationHover(found: Found, scope: SqlScope, name: string, token: Range): Hover | undefined {
  const { knowledge } = found
  const relation = [...scope.relations, ...scope.ownRelations].find(each => sameName(each.name, name))
  if (relation === undefined) {
    const cte = scope.ctes.find(each => sameName(each.cte.name, name))
    return cte && hover(found, token, relationCard(knowledge, `CTE ${asCode(cte.cte.name)}`, cte.columns))
  }
  const asset = relation.target === undefined ? undefined : knowledge.project.byName.get(relation.target)
  if ((relation.kind === 'asset' || relation.kind === 'this') && asset !== undefined) {
    return hover(found, token, assetCard(knowledge, asset))
  }
  if (relation.kind === 'source')
    return hover(found, token, sourceCard(knowledge, found.place.asset, relation.target))
  const what =
    relation.kind === 'cte' ? `CTE ${asCode(relation.table.name)}` : `Table ${asCode(relation.name)}`
  return hover(found, token, relationCard(knowledge, what, relation.columns))
}

function relationCard(knowledge: Knowledge, title: string, columns: readonly SqlColumn[]): string {
  if (columns.length === 0) return `${title}\n\n*Its columns are not known.*`
  return `${title} · ${counted(columns.length, 'column')}\n\n${columnsTable(knowledge, columns)}`
}

function columnsTable(knowledge: Knowledge, columns: readonly SqlColumn[]): string {
  const rows = columns
    .slice(0, 40)
    .map(({ name, type, origin }) => [
      asCodeCell(name),
      type === undefined ? '?' : asCodeCell(type),
      asCell((origin && descriptionOf(knowledge, origin)?.text) ?? ''),
    ])
  const more = columns.length - rows.length
  return `${table(['column', 'type', 'meaning'], rows)}${more > 0 ? `\n\n*and ${counted(more, 'column')} more*` : ''}`
}

// ---------------------------------------------------------------- stars and words

function starHover(found: Found): Hover | undefined {
  const { knowledge, place, cursor, at } = found
  const token = cursor.tokens[at]
  const scope = token && place.scopeAt(token.start)
  const core: Core | undefined = scope?.core
  const item = core?.items.find(
    (each): each is StarItem => each.kind === 'star' && each.starRange.start === token?.start,
  )
  if (item === undefined || core === undefined || scope === undefined) return undefined
  const { columns, complete } = expandStar(item, core, scope.ownRelations, () => undefined)
  const open = complete ? '' : `\n\n*There may be more: ${whyOpen(scope.ownRelations)}.*`
  const head =
    columns.length === 0 ? 'Its columns are not known yet' : `Stands for ${counted(columns.length, 'column')}`
  const body = columns.length === 0 ? '' : `\n\n${columnsTable(knowledge, columns)}`
  return hover(
    found,
    item.qualifier === undefined ? item.starRange : rangeOfStar(item),
    `${head}${body}${open}`,
  )
}

function rangeOfStar(item: StarItem): Range {
  return { start: item.range.start, end: item.starRange.end }
}

function whyOpen(relations: readonly SqlRelation[]): string {
  const open = relations.filter(relation => !relation.complete)
  const names = open.map(relation => asCode(relation.name === '' ? 'a table' : relation.name))
  return `columns of ${names.join(', ')} are not all known yet`
}

/** Functions without brackets. */
function wordHover(found: Found, name: string, token: Range): Hover | undefined {
  if (!/^current_(date|time|timestamp)$/i.test(name)) return undefined
  const known = found.knowledge.functions.get(name.toLowerCase())
  return known === undefined ? undefined : hover(found, token, functionDocumentation(known))
}
