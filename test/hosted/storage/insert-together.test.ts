import { describe, expect, it } from 'vitest'
import { InsertsTogether } from '../../../hosted-api/storage/insert-together.ts'
import type { Cell, Row } from '../../../hosted-api/storage/storage.ts'

const insert = { into: 'term', columns: ['name', 'age'], end: 'returning name, age', key: ['name'] }

describe('rows that are inserted at the same time', () => {
  it('take one statement, and each has its own answer, whatever the order and whoever is in the way', async () => {
    const { inserts, statements } = insertsOf(rows => rows.filter(row => row['name'] !== 'b').reverse())
    const answers = await Promise.all([1, 2, 3].map(age => inserts.add(insert, ['abc'[age - 1] ?? '', age])))
    expect(answers).toEqual([{ name: 'a', age: 1 }, undefined, { name: 'c', age: 3 }])
    expect(statements).toEqual([3])
  })

  it('with the same key take one each', async () => {
    const { inserts, statements } = insertsOf(rows => (statements.length === 1 ? rows : []))
    const answers = await Promise.all([1, 2].map(age => inserts.add(insert, ['a', age])))
    expect(answers).toEqual([{ name: 'a', age: 1 }, undefined])
    expect(statements).toEqual([1, 1])
  })

  it('are told one by one what is wrong with them', async () => {
    const { inserts, statements } = insertsOf(rows => {
      if (rows.some(row => row['name'] === 'bad')) throw new Error('bad')
      return rows
    })
    const answers = await Promise.allSettled(['a', 'bad', 'c'].map(name => inserts.add(insert, [name, 1])))
    expect(answers.map(answer => answer.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(statements).toEqual([3, 1, 1, 1])
  })
})

/** @param returned what a statement with these rows returns; `statements` has the number of rows of each */
function insertsOf(returned: (rows: readonly Row[]) => readonly Row[]) {
  const statements: number[] = []
  const inserts = new InsertsTogether(async (_text, values: readonly Cell[]) => {
    const rows = Array.from({ length: values.length / 2 }, (_, index) => ({
      name: values[index * 2] ?? null,
      age: values[index * 2 + 1] ?? null,
    }))
    statements.push(rows.length)
    return returned(rows)
  })
  return { inserts, statements }
}
