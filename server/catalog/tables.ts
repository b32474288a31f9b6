/**
 * The tables that represent assets. Each is created when its first reader is bound, so tables that nobody
 * reads cost nothing.
 */
import type { Engine } from '../language/index.ts'
import type { Binder } from './binder.ts'
import {
  assetRelation,
  createSchemaSql,
  createTableSql,
  dropTableSql,
  type RelationName,
  relationKey,
} from './relations.ts'
import type { Shape } from './shape.ts'

export type Tables = ReturnType<typeof newTables>

interface Wanted {
  readonly relation: RelationName
  /** The closure of a function stays in memory as long as nobody reads the table. */
  readonly shape: Shape | (() => Shape)
}

export function newTables(binder: Binder, engine: Engine) {
  const wanted = new Map<string, Wanted>()
  const made = new Map<string, Wanted>()
  const dropped: string[] = []
  const schemas = new Set<string>()
  return {
    /** Sets the shape of an asset. It is not evaluated before somebody reads the table. */
    set(asset: string, shape: Wanted['shape']): void {
      const relation = assetRelation(asset)
      wanted.set(relationKey(relation.schema, relation.table), { relation, shape })
    },
    remove(asset: string): void {
      const relation = assetRelation(asset)
      const key = relationKey(relation.schema, relation.table)
      wanted.delete(key)
      if (made.delete(key)) dropped.push(dropTableSql(relation, engine))
    },
    /** The database was replaced: no table exists any more. */
    forget(): void {
      for (const [key, want] of made) if (!wanted.has(key)) wanted.set(key, want)
      made.clear()
      schemas.clear()
      dropped.length = 0
    },
    /** Creates the tables of `relations` that are set and do not exist yet. */
    async ensure(relations: readonly RelationName[]): Promise<void> {
      const statements = dropped.splice(0)
      for (const { schema, table } of relations) {
        const key = relationKey(schema, table)
        const want = wanted.get(key)
        if (!want) continue
        if (!schemas.has(schema)) statements.push(createSchemaSql(schema, engine))
        schemas.add(schema)
        const { columns } = typeof want.shape === 'function' ? want.shape() : want.shape
        if (columns.length > 0) statements.push(createTableSql(want.relation, columns, engine))
        wanted.delete(key)
        made.set(key, want)
      }
      await binder.run(statements)
    },
  }
}
