/** Sources of a project of another engine than the one that reads them. */
import type { RawTable } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { inProjectTypes } from '../../../cli/engine/ingest/reading-types.ts'
import type { FetchContext, FetchedSource, Source } from '../../../cli/engine/ingest/source.ts'
import { sourceDrift } from '../../../cli/engine/ingest/source-drift.ts'
import { postgres } from '../../../server/language/engines/postgres/postgres.ts'

const table = (types: Readonly<Record<string, string>>): RawTable => ({
  child: undefined,
  complete: true,
  columns: Object.entries(types).map(([name, type]) => ({
    ...{ name, type, path: [name], system: false, pii: false, nullable: true },
  })),
})

/** What a file brings, and what its first load has made of it. */
const brought = {
  ...{ tiny: 'UTINYINT', u: 'UINTEGER', big: 'UBIGINT', ns: 'TIMESTAMP_NS', t: 'TIME_NS', e: "ENUM('a')" },
  ...{
    list: 'UINTEGER[]',
    lists: 'BIGINT[][]',
    d: 'DECIMAL(6,2)',
    f: 'FLOAT',
    id: 'UUID',
    m: 'MAP(VARCHAR, DATE)',
  },
}
const stored = {
  ...{ tiny: 'smallint', u: 'bigint', big: 'numeric(20,0)', ns: 'timestamp without time zone' },
  ...{
    t: 'time without time zone',
    e: 'text',
    list: 'bigint[]',
    lists: 'jsonb',
    d: 'numeric(6,2)',
    f: 'real',
  },
  ...{ id: 'uuid', m: 'jsonb' },
}

/** A source that only tells what changed since the tables that it is given. */
function source(now: RawTable): Source {
  return {
    fetch: async ({ previous = [], engine }: FetchContext) => ({
      tables: [],
      delivered: [now],
      drift: sourceDrift(previous, [now], undefined, engine),
    }),
  } as unknown as Source
}

async function fetched(
  now: RawTable,
  previous: RawTable,
): Promise<Pick<FetchedSource, 'delivered' | 'drift'>> {
  const context = {
    engine: postgres,
    previous: [previous],
    asset: { definition: {} },
  } as unknown as FetchContext
  return await inProjectTypes(source(now)).fetch(context)
}

describe('a source that is loaded again', () => {
  it('has changed nothing where the warehouse has the types of the first load', async () => {
    const { delivered, drift } = await fetched(table(brought), table(stored))
    expect(Object.fromEntries(delivered[0]?.columns.map(({ name, type }) => [name, type]) ?? [])).toEqual(
      stored,
    )
    expect(drift).toEqual([])
  })

  it('tells changes in the words of the warehouse', async () => {
    const { drift } = await fetched(table({ ...brought, d: 'DOUBLE', added: 'TIMESTAMP_NS' }), table(stored))
    expect(drift).toEqual([
      { kind: 'added', column: 'added', to: 'timestamp without time zone' },
      { kind: 'retyped', column: 'd', from: 'numeric(6,2)', to: 'double precision' },
    ])
  })
})
