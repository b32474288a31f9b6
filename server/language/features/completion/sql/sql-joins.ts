/** How the tables of a join are likely to belong together. */
import { sameName } from '../../../checks/columns.ts'
import type { Knowledge } from '../../knowledge.ts'
import type { SqlColumn, SqlRelation } from '../../sql/output-columns.ts'
import { writtenName } from '../../sql/quote-name.ts'
import { sortKey } from '../completion.ts'
import type { SqlAsk, SqlItem } from './sql-offer.ts'

/** Behind ON (and AND in it): conditions between the joined table and those before it. */
export function joinConditions(ask: SqlAsk): readonly SqlItem[] {
  const { ownRelations } = ask.scope
  const at = ownRelations.findLastIndex(({ table }) => {
    const range = table.join?.onRange
    return range !== undefined && range.start <= ask.cursor.offset && ask.cursor.offset <= range.end
  })
  const joined = ownRelations[at]
  if (joined === undefined || joined.name === '') return []
  const pairs = ownRelations.slice(0, at).flatMap(other => pairsOf(ask.knowledge, other, joined))
  return pairs
    .sort((a, b) => a.rank - b.rank)
    .slice(0, 8)
    .map(({ text, detail }, index) => ({
      label: text,
      kind: 'snippet',
      detail,
      insert: text,
      sort: sortKey('a', index),
    }))
}

interface Pair {
  readonly text: string
  readonly detail: string
  readonly rank: number
}

/** Rank 0: svc itself made the key, or a test promises it; 1: a key and its id; 2: the same name. */
function pairsOf(knowledge: Knowledge, left: SqlRelation, right: SqlRelation): readonly Pair[] {
  if (left.name === '') return []
  const lists = [...listPairs(left, right), ...listPairs(right, left)].map(([from, to]) =>
    pairOf(right, from, to, 'a record and its list', 0),
  )
  const promised = [...promises(knowledge, left, right), ...promises(knowledge, right, left)].map(
    ([from, to]) => pairOf(right, from, to, 'as a relationships test says', 0),
  )
  const keys = [...keyPairs(left, right), ...keyPairs(right, left)].map(([from, to]) =>
    pairOf(right, from, to, 'key and id', 1),
  )
  const same = left.columns
    .filter(
      ({ name }) => !name.startsWith('_svc_') && right.columns.some(column => sameName(column.name, name)),
    )
    .map(({ name }) => pairOf(right, { relation: left, name }, { relation: right, name }, 'same name', 2))
  const seen = new Set<string>()
  return [...lists, ...promised, ...keys, ...same].filter(pair =>
    seen.has(pair.text) ? false : seen.add(pair.text) !== undefined,
  )
}

interface Side {
  readonly relation: SqlRelation
  readonly name: string
}

type Sides = readonly [Side, Side]

function pairOf(right: SqlRelation, a: Side, b: Side, detail: string, rank: number): Pair {
  // The joined table stands first, as most people write it.
  const [first, second] = a.relation === right ? [a, b] : [b, a]
  return { text: `${written(first)} = ${written(second)}`, detail, rank }
}

function written({ relation, name }: Side): string {
  return `${writtenName(relation.name)}.${writtenName(name)}`
}

function promises(knowledge: Knowledge, from: SqlRelation, to: SqlRelation): readonly Sides[] {
  const found = from.columns.flatMap((column): Sides[] => {
    const { origin } = column
    if (origin === undefined || origin.source !== undefined) return []
    const tests = knowledge.project.byName.get(origin.asset)?.definition.tests ?? []
    return tests.flatMap((test): Sides[] => {
      if (test.kind !== 'relationships' || !sameName(test.column, origin.column)) return []
      const target = to.columns.find(each => isColumn(each, test.toAsset, test.toColumn))
      return target === undefined
        ? []
        : [
            [
              { relation: from, name: column.name },
              { relation: to, name: target.name },
            ],
          ]
    })
  })
  return found
}

function isColumn({ origin }: SqlColumn, asset: string, column: string): boolean {
  return origin !== undefined && origin.asset === asset && sameName(origin.column, column)
}

/** Rows of a nested list know the record that they were in. */
function listPairs(from: SqlRelation, to: SqlRelation): readonly Sides[] {
  const isList = from.kind === 'source' && to.kind === 'source' && from.target !== undefined
  if (!isList || to.target === from.target) return []
  const parent = from.columns.find(column => column.name === '_svc_parent_id')
  const id = to.columns.find(column => column.name === '_svc_id')
  if (parent === undefined || id === undefined) return []
  // A list in a list belongs to that one, not to the record around both.
  if (to.target !== undefined && !from.target?.startsWith(`${to.target}__`)) return []
  return [
    [
      { relation: from, name: parent.name },
      { relation: to, name: id.name },
    ],
  ]
}

/** `customer_id` beside `customers.id`. */
function keyPairs(from: SqlRelation, to: SqlRelation): readonly Sides[] {
  const id = to.columns.find(column => sameName(column.name, 'id'))
  const asset = to.target ?? to.table.name
  if (id === undefined || asset === '') return []
  const singular = asset.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '')
  const key = from.columns.find(column => sameName(column.name, `${singular}_id`))
  return key === undefined
    ? []
    : [
        [
          { relation: from, name: key.name },
          { relation: to, name: id.name },
        ],
      ]
}

/** Inside USING: names that the joined table and one before it share. */
export function usingItems({ scope, cursor }: SqlAsk): readonly SqlItem[] {
  const { ownRelations } = scope
  const at = ownRelations.findIndex(({ table }) => {
    const range = table.join?.usingRange
    return range !== undefined && range.start <= cursor.offset && cursor.offset <= range.end
  })
  const before = ownRelations.slice(0, at).flatMap(each => each.columns)
  return (ownRelations[at]?.columns ?? []).flatMap((column, index): SqlItem[] => {
    if (!before.some(other => sameName(other.name, column.name))) return []
    const detail = column.type ?? ''
    const insert = writtenName(column.name)
    return [{ label: column.name, kind: 'column', detail, insert, sort: sortKey('b', index) }]
  })
}
