/** What the warehouse of the project has beside that which svc makes: the tables that an asset of type `warehouse` can read. */
import type { Column } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { resourceOf, tableParts } from '../ingest/sql/relation.ts'
import { isMadeBySvc } from '../ingest/warehouse/warehouse-source.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'

type Opened = Pick<Workspace, 'warehouse' | 'signal'>

/** The word that stands for the project's own warehouse in place of an address. */
export const ownWarehouse = 'warehouse'

/** Returns the tables and views of others as `schema.table`. */
export async function warehouseTables(opened: Opened): Promise<readonly string[]> {
  return reading(opened, async session => {
    const tables: string[] = []
    for (const schema of await session.schemas('')) {
      for (const { name } of await session.relations(schema)) {
        const isOwn = await isMadeBySvc(session, { schema, name })
        if (!isOwn) tables.push(resourceOf([schema, name]))
      }
    }
    return tables
  })
}

/** Returns the types of the columns of a table as the warehouse has them. */
export async function warehouseColumns(opened: Opened, table: string): Promise<readonly Column[]> {
  const [schema = '', name = ''] = tableParts(table)
  return reading(opened, async session => {
    const columns = await session.columns([{ schema, name }])
    return columns.get(`${schema}.${name}`) ?? []
  })
}

async function reading<T>(
  { warehouse, signal }: Opened,
  use: (session: WarehouseSession) => Promise<T>,
): Promise<T> {
  const session = await (await warehouse()).open('read', { signal })
  if (session === undefined) {
    throw new SvcError(
      'source-missing',
      'its tables were not looked at: svc has not worked with this warehouse yet',
      {
        hint: svc => `Run ${svc('init')}; what writes the tables has to run before svc reads them.`,
      },
    )
  }
  try {
    return await use(session)
  } finally {
    await session.close()
  }
}
