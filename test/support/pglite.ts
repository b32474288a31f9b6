/** PostgreSQL itself, in this process, in memory: for what is said of its language. */
import { PGlite } from '@electric-sql/pglite'

export interface PostgresHere {
  run(sql: string): Promise<void>
  rows(sql: string): Promise<readonly (readonly unknown[])[]>
  /** The columns of a query, which is not run; the error's code and message if it does not bind. */
  describe(sql: string): Promise<readonly { readonly name: string; readonly type: string }[] | string>
  close(): Promise<void>
}

/** Opens it with the first question. */
export function lazyPostgres(): PostgresHere {
  let opening: Promise<PGlite> | undefined
  const open = () => (opening ??= PGlite.create())
  const typeNames = new Map<number, string>()
  const typeName = async (oid: number) => {
    const known = typeNames.get(oid)
    if (known !== undefined) return known
    const database = await open()
    const { rows } = await database.query<{ name: string }>('SELECT format_type($1, NULL) AS name', [oid])
    const name = rows[0]?.name ?? ''
    typeNames.set(oid, name)
    return name
  }
  return {
    run: async sql => void (await (await open()).exec(sql)),
    rows: async sql => (await (await open()).query<unknown[]>(sql, [], { rowMode: 'array' })).rows,
    async describe(sql) {
      const database = await open()
      try {
        const { resultFields } = await database.describeQuery(sql)
        return await Promise.all(
          resultFields.map(async ({ name, dataTypeID }) => ({ name, type: await typeName(dataTypeID) })),
        )
      } catch (error) {
        const { code, message } = error as Error & { readonly code?: string }
        return `${code ?? ''} ${message}`
      }
    },
    close: async () => void (await (await opening)?.close()),
  }
}
