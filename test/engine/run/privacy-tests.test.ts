/** What every run tests of personal data by itself: `k_anonymity`, and `privacy-scan` of assets under strict policies. */
import { describe, expect, it } from 'vitest'
import { projectMaker } from './test-project.ts'

const make = projectMaker()

const people = `ingest:
  type: rows
  rows:
    - {id: 1, name: Anna Abel, city: Bern, salary: 10}
    - {id: 2, name: Bert Bohl, city: Bern, salary: 20}
    - {id: 3, name: Cleo Cors, city: Bern, salary: 30}
    - {id: 4, name: Dora Dorn, city: Rome, salary: 40}
contract: {columns: {name: {pii: true}, city: {}, salary: {pii: true}}}
transform: SELECT id, name, city, salary FROM {{ source }}`

const strict = 'policies: [{name: No people, applies_to: [report]}]'
const average = (rest = '', select = 'avg(salary) AS average, count(*) AS n') => `ingest: none
transform: SELECT city, ${select} FROM {{ ref('people') }} ${rest} GROUP BY city ORDER BY city
deploy: {k_anonymity: 3}`

describe('k_anonymity', () => {
  it('ends the mark of an average over enough rows, and fails where rows are fewer', async () => {
    const project = make({ people, report: average() })
    project.glossary = strict
    const failed = await project.run()
    expect(failed.failure?.message).toBe(
      'test k_anonymity of report failed: 1 row is made of fewer than 3 rows',
    )
    project.files['report'] = average("WHERE city = 'Bern'")
    const run = await project.run()
    expect(run.status).toBe('deployed')
    expect(run.tests).toContainEqual(expect.objectContaining({ name: 'k_anonymity', status: 'pass' }))
    const again = await project.run()
    expect(again.tests.some(({ name }) => name === 'k_anonymity')).toBe(false)
  })

  it('counts the values, not only the rows', async () => {
    const project = make({
      people,
      known: "SELECT city, CASE WHEN id = 1 THEN salary END AS salary FROM {{ ref('people') }} WHERE id < 4",
      report: average().replace("'people'", "'known'"),
    })
    expect((await project.run()).failure?.message).toContain('1 row is made of fewer than 3 rows')
  })

  it.each([
    'max(salary) AS m',
    'sum(salary) FILTER (WHERE id = 1) AS m',
    'array_agg(salary) AS m',
    'avg(DISTINCT salary) AS m',
    'sum(CASE WHEN id = 1 THEN salary END) AS m',
  ])('ends no mark of a single value: %s', async select => {
    const project = make({ people, report: average("WHERE city = 'Bern'", select) })
    project.glossary = strict
    expect((await refusalOrFailure(project.run())).message).toContain('"m" carries personal data')
  })

  it('is no promise of a query that is no aggregate', async () => {
    const project = make({
      people,
      report: average()
        .replace('GROUP BY city', '')
        .replace('avg(salary)', 'salary')
        .replace('count(*)', 'id'),
    })
    expect((await project.run()).failure?.message).toContain('the SQL is no aggregate')
  })
})

async function refusalOrFailure(
  run: Promise<{ readonly failure?: { readonly message: string } | undefined }>,
) {
  const done = await run.catch((error: unknown) => ({ failure: error as Error }))
  return done.failure ?? { message: '' }
}

describe('privacy-scan', () => {
  const copies = (label = 'Anna Abel') => `ingest:
  type: rows
  rows: [{k: 1, label: ${label}}, {k: 2, label: nobody here}]
transform: SELECT k, label FROM {{ source }}`
  const report = "SELECT k, label FROM {{ ref('copies') }}"

  it('finds values of marked columns that came another way, and keeps them out of the message', async () => {
    const project = make({ people, copies: copies(), report })
    project.glossary = strict
    const run = await project.run()
    expect(run.status).toBe('Failed')
    expect(run.failure?.message).toBe(
      'test privacy-scan of report failed: 1 value of "label" is in personal data, name from the source of people: policy "No people"',
    )
    expect(JSON.stringify([run, project.events])).not.toContain('Anna')
    expect(await project.query('SELECT * FROM svc.svc_catalog')).toEqual([])
  })

  it('passes where there are none, where they are short, and where a file says that they are harmless', async () => {
    const project = make({ people, copies: copies('Somebody'), report })
    project.glossary = strict
    expect((await project.run()).status).toBe('deployed')
    expect((await project.run()).tests).toEqual([])
    project.files['copies'] = copies('Anna')
    expect((await project.run()).status).toBe('deployed')
    project.files['copies'] = copies()
    expect((await project.run()).status).toBe('Failed')
    project.files['report'] = `ingest: none\ntransform: ${report}\ncolumns: {label: {pii: false}}`
    expect((await project.run()).status).toBe('deployed')
  })

  it('looks at what a policy names, in views too, and again when the policy changes', async () => {
    const project = make({
      people: people.replace(/contract:.*\n/, ''),
      copies: copies('Bern').replace('k: 2', 'k: 4'),
      report: `ingest: none\ntransform: ${report}\ndeploy: {materialize: view}`,
    })
    project.glossary = strict.replace('applies_to', 'pii_columns: [city], applies_to')
    expect((await project.run()).status).toBe('deployed')
    project.files['copies'] = copies('Cleo Cors')
    expect((await project.run()).status).toBe('deployed')
    project.glossary = strict.replace('applies_to', 'pii_columns: [people.name], applies_to')
    expect((await project.run()).failure?.message).toContain('1 value of "label" is in personal data')
  })

  it('is left out for policies that only warn', async () => {
    const project = make({ people, copies: copies(), report })
    project.glossary = strict.replace('applies_to', 'enforcement: warn, applies_to')
    expect((await project.run()).status).toBe('deployed')
  })
})
