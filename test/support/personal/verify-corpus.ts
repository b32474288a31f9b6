/** Holds the committed cases against what really happens to marked values. */

import { type Case, type Expected, personalOf } from './corpus.ts'
import { type MarkedWarehouse, openMarkedWarehouse } from './marked-warehouse.ts'
import { changedBy, observationOf } from './observe.ts'

export interface Doubt {
  readonly of: Case
  readonly what: string
}

const origins = [...personalOf('c'), ...personalOf('u')]

export async function verifyCorpus(cases: readonly Case[], seed: number): Promise<readonly Doubt[]> {
  const warehouse = await openMarkedWarehouse(seed)
  try {
    const doubts: Doubt[] = []
    for (const of of cases) for (const what of await doubtsOf(warehouse, of)) doubts.push({ of, what })
    return doubts
  } finally {
    warehouse.close()
  }
}

async function doubtsOf(warehouse: MarkedWarehouse, { sql, columns }: Case): Promise<string[]> {
  const [before, unchanged] = [await warehouse.run(sql), await warehouse.runChanged(sql, new Set())]
  if (before === undefined || unchanged === undefined) return ['DuckDB refuses it']
  if (before.columns !== columns.length) return [`${before.columns} columns instead of ${columns.length}`]
  const { shown } = observationOf(before, warehouse)
  const doubts = columns.flatMap((expected, index) =>
    [...(shown[index] ?? [])]
      .filter(origin => origins.includes(origin) && most(expected, origin) !== 'personal')
      .map(origin => `column ${index + 1} shows values of ${origin}`),
  )
  for (const free of freeSets(columns)) {
    const changed = await changedBy(warehouse, sql, unchanged, new Set(free))
    columns.forEach((expected, index) => {
      if (changed?.[index] && free.every(origin => most(expected, origin) === 'none'))
        doubts.push(`column ${index + 1} changes with one of ${free.join(', ')}`)
    })
  }
  return doubts
}

/** What each output column should not depend on at all, every set once. */
function freeSets(columns: readonly Expected[]): readonly (readonly string[])[] {
  const sets = columns.map(expected => origins.filter(origin => most(expected, origin) === 'none'))
  return [...new Map(sets.map(set => [set.join(), set])).values()].filter(set => set.length > 0)
}

function most(expected: Expected, origin: string): string {
  return expected.isOpen ? 'personal' : (expected.origins.get(origin)?.[1] ?? 'none')
}
