/**
 * Schemas that stand for those of production while it is tried what a change would break. They are made in a transaction
 * that is undone; their names have the number of the session, so that two trials do not wait for each other.
 */
import type { Column } from '@svc/server/language'
import type { Relation } from '../warehouse.ts'
import type { Connection } from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'
import { nameOf } from './relations.ts'

const { engine, identifier, literal } = dialect

export type Shapes = Awaited<ReturnType<typeof openShapes>>

export async function openShapes(connection: Connection) {
  // What others made finds names as sessions of the role do that set nothing; nothing of it runs here.
  await connection.query(
    "SELECT set_config('search_path', reset_val, true) FROM pg_settings WHERE name = 'search_path'",
  )
  const { rows } = await connection.query<{ pid: number; path: string[] }>(
    'SELECT pg_backend_pid() AS pid, current_schemas(false)::text[] AS path',
  )
  const [{ pid, path } = { pid: 0, path: [] }] = rows
  const schemas = new Map<string, string>()
  const relations = new Set<string>()

  async function placeOf(relation: Relation): Promise<Relation> {
    relations.add(nameOf(relation))
    let schema = schemas.get(relation.schema)
    if (schema === undefined) {
      schema = `svc_shape_${pid}_${schemas.size}`
      schemas.set(relation.schema, schema)
      await connection.query(
        `CREATE SCHEMA ${identifier(schema)}; SELECT set_config('search_path', ${literal(pathWith(path).map(identifier).join(', '))}, true)`,
      )
    }
    return { schema, name: relation.name }
  }

  function pathWith(names: readonly string[]): string[] {
    return names.flatMap(name => {
      const schema = schemas.get(name)
      return schema === undefined ? [name] : [schema, name]
    })
  }

  /** A routine may have a path of its own: ` SET search_path TO 'a', 'b'`. */
  function withOwnPath(sql: string): string {
    return sql.replace(/^ SET search_path TO (.*)$/m, (line, list: string) => {
      const names = list.split(', ').map(name => name.replace(/^(['"])(.*)\1$/, '$2'))
      return names.some(name => schemas.has(name))
        ? ` SET search_path TO ${pathWith(names).map(literal).join(', ')}`
        : line
    })
  }

  return {
    /** Returns the name under which a relation or a routine is tried, and stands for it from now on. */
    placeOf,
    /** Makes an empty table. A column whose type nobody knows before a run keeps the one of `before`. */
    async makeTable(relation: Relation, columns: readonly Column[], before: readonly Column[]) {
      const place = await placeOf(relation)
      const types = new Map(before.map(({ name, type }) => [name, type]))
      const shape = columns.map(
        ({ name, type }) => `${identifier(name)} ${type ?? types.get(name) ?? 'text'}`,
      )
      await connection.query(`CREATE TABLE ${dialect.relation(place)} (${shape.join(', ')})`)
      return place
    },
    /** SQL in which all that has a place here is named by it; what has no schema is looked for here first. */
    renamed: (sql: string) =>
      withPlaces(withOwnPath(sql), relation =>
        relations.has(nameOf(relation)) ? schemas.get(relation.schema) : undefined,
      ),
  }
}

/** Replaces schemas in front of names, in the bodies of routines too, which are texts between dollars. */
export function withPlaces(sql: string, schemaOf: (relation: Relation) => string | undefined): string {
  const tokens = engine.tokens(sql)
  const text = (at: number) => sql.slice(tokens[at]?.start, tokens[at]?.end)
  const nameAt = (at: number) => {
    const kind = tokens[at]?.kind
    if (kind === 'quoted') return text(at).slice(1, -1).replaceAll('""', '"')
    return kind === 'word' ? engine.fold(text(at)) : undefined
  }
  const parts: string[] = []
  let done = 0
  for (const [at, { kind, start, end }] of tokens.entries()) {
    const [schema, name] = [nameAt(at), nameAt(at + 2)]
    const isPair = schema !== undefined && name !== undefined && text(at + 1) === '.' && text(at - 1) !== '.'
    const place = isPair ? schemaOf({ schema, name }) : undefined
    const isBody = kind === 'string' && sql[start] === '$'
    if (place === undefined && !isBody) continue
    parts.push(sql.slice(done, start), isBody ? bodyWith(text(at), schemaOf) : identifier(place ?? ''))
    done = end
  }
  return [...parts, sql.slice(done)].join('')
}

function bodyWith(quoted: string, schemaOf: (relation: Relation) => string | undefined): string {
  const mark = quoted.slice(0, quoted.indexOf('$', 1) + 1)
  return `${mark}${withPlaces(quoted.slice(mark.length, -mark.length), schemaOf)}${mark}`
}
