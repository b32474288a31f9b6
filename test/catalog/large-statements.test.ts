/** Statements of thousands of lines: what is wrong in them is found as in small ones, and the search has an end. */
import { openCatalog } from '@svc/server/catalog'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProcess, startWorkersBy } from '../../server/catalog/worker/worker-process.ts'
import { inlayHintsIn } from '../../server/language/features/inlay-hints.ts'
import { constantValue, derivedFrom, type Value } from '../../server/language/sql/binder/values.ts'
import { engine } from '../support/engine.ts'
import { knowledgeOf } from '../support/knowledge.ts'
import { projectOf } from '../support/spec-project.ts'
import { type Lab, openLab } from '../support/sql-lab.ts'

startWorkersBy(startProcess)

let lab: Lab
beforeAll(async () => {
  lab = await openLab()
})
afterAll(() => lab.close())

const lines = (count: number, line: (index: number) => string, separator = '\n') =>
  Array.from({ length: count }, (_, index) => line(index)).join(separator)

async function problemsOf(sql: string): Promise<readonly string[]> {
  const { diagnostics } = await lab.analyze(sql)
  const text = lab.project().byName.get('case')?.text ?? ''
  return diagnostics.map(({ code, range }) => `${code} ${text.slice(range.start, range.end)}`)
}

describe('literals that do not fit', () => {
  it('in a CASE of thousands of results', async () => {
    const whens = lines(3000, index => `when distance = ${index} then '${index === 1234 ? 'x' : index}'`)
    expect(await problemsOf(`select case ${whens} else 0 end as c from @flights`)).toEqual([
      "sql-bad-literal 'x'",
    ])
  })

  it('in thousands of rows', async () => {
    const dates = new Set([7, 2000, 2001, 2999])
    const rows = lines(
      3000,
      index =>
        `(${index}, ${index === 0 ? "date '2024-01-01'" : dates.has(index) ? `'d${index}'` : "'2024-01-02'"})`,
      ', ',
    )
    expect(await problemsOf(`select * from (values ${rows}) v(a, b)`)).toEqual(
      [...dates].map(index => `sql-bad-literal 'd${index}'`),
    )
  })

  it('among thousands of comparisons', async () => {
    const wheres = lines(3000, index => `or distance = '${index % 500 === 499 ? `x${index}` : index}'`)
    expect(await problemsOf(`select distance from @flights where false ${wheres}`)).toHaveLength(6)
  })
})

it('several mistakes are found at once in a statement of ordinary size', async () => {
  const items = lines(30, index => `upper(nothing_${index}) as c${index}`, ', ')
  expect(await problemsOf(`select ${items} from @flights`)).toHaveLength(30)
})

it('a column that thousands of conditions ask for is hidden once', () => {
  const origins = [{ asset: 'flights', column: 'delay' }]
  const asked: Value = { ...constantValue, hints: origins }
  expect(derivedFrom(Array.from({ length: 50 }, () => ({ ...asked, hints: [...origins] }))).hints).toEqual(
    origins,
  )
})

it('hints are made for the part of a query that is seen', async () => {
  const text = `name: a\ningest: none\ntransform: |\n  SELECT\n${lines(2000, index => `    ${index} AS c${index}`, ',\n')}\n`
  const catalog = await openCatalog(engine)
  const knowledge = await knowledgeOf(catalog, projectOf(new Map([['models/a.svc', text]])))
  catalog.close()
  const [start, end] = [text.indexOf('1000 AS c1000'), text.indexOf('1002 AS')]
  const labels = inlayHintsIn(knowledge, 'models/a.svc', { start, end }).map(
    ({ offset, label }) => `${text.slice(text.lastIndexOf(' ', offset) + 1, offset)}${label}`,
  )
  expect(labels).toEqual(['c1000: INTEGER', 'c1001: INTEGER'])
})
