/** Policies where files alone cannot check them: after a fetch, and at every promotion. */
import { describe, expect, it } from 'vitest'
import { promoteRun } from '../../../cli/engine/run/promote-run.ts'
import { rollback } from '../../../cli/engine/run/rollback.ts'
import type { RunEvent } from '../../../server/contract/index.ts'
import { outcomes, projectMaker, refusal, type TestProject } from './test-project.ts'

const make = projectMaker()

const customers = (contract = 'contract: {columns: {email: {pii: true}}}') => `ingest:
  type: rows
  rows: [{id: 1, email: anna@example.com, work_mail: anna@work.example}, {id: 2, email: bert@example.com}]
${contract}
transform: SELECT * FROM {{ source }}`
const report = "SELECT id, upper(email) AS e FROM {{ ref('customers') }}"

async function promoted(project: TestProject, runId: string) {
  const workspace = await project.workspace()
  const events: RunEvent[] = []
  try {
    return { result: await promoteRun(workspace, runId, event => events.push(event)), events }
  } finally {
    await workspace.close()
  }
}

describe('after a fetch', () => {
  it('an asset fails by columns that nobody knew before, and the others are built', async () => {
    const project = make({
      customers: customers('description: x'),
      report: "SELECT * FROM {{ ref('customers') }}",
    })
    project.glossary = 'policies: [{name: P, pii_columns: ["*_mail"], applies_to: [report]}]'
    const run = await project.run()
    expect(run.failure).toMatchObject({ code: 'policy-breach', asset: 'report' })
    expect(run.failure?.message).toContain('"work_mail" carries personal data')
    expect(outcomes(run)).toEqual(['customers built', 'report failed'])
    expect(project.events).toContainEqual(expect.objectContaining({ type: 'asset-failed', asset: 'report' }))
  })

  it('a policy that only warns is told, and the run is deployed', async () => {
    const project = make({
      customers: customers('description: x'),
      report: "SELECT * FROM {{ ref('customers') }}",
    })
    project.glossary =
      'policies: [{name: P, pii_columns: ["*_mail"], applies_to: [report], enforcement: warn}]'
    expect((await project.run()).status).toBe('deployed')
    expect(project.events).toContainEqual(
      expect.objectContaining({ type: 'warning', asset: 'report', code: 'policy-breach' }),
    )
  })
})

describe('at a promotion', () => {
  it('a preview that was made before a policy is refused, and a new one that keeps it is not', async () => {
    const project = make({ customers: customers(), report })
    const preview = await project.run({ kind: 'preview' })
    project.glossary = 'policies: [{name: No mails, applies_to: [report]}]'
    const error = await refusal(promoted(project, preview.runId))
    expect(error).toMatchObject({ code: 'policy-breach', asset: 'report' })
    expect(error.message).toContain('"e" carries personal data, email from the source of customers')
    expect(await project.query('SELECT * FROM svc.svc_live WHERE generation > 0')).toEqual([])
    project.files['report'] = "SELECT count(email) AS n FROM {{ ref('customers') }}"
    const good = await project.run({ kind: 'preview' })
    expect((await promoted(project, good.runId)).result.status).toBe('deployed')
  })

  it('neither the files of today nor a mark that is gone let a preview pass', async () => {
    const project = make({ customers: customers(), report })
    const preview = await project.run({ kind: 'preview' })
    project.glossary = 'policies: [{name: No mails, applies_to: [report]}]'
    project.files = { customers: customers('description: x'), report: 'SELECT 1 AS e' }
    expect(await refusal(promoted(project, preview.runId))).toMatchObject({ code: 'policy-breach' })
  })

  it('a preview of an asset for which a policy only warns is promoted with a warning', async () => {
    const project = make({ customers: customers(), report })
    const preview = await project.run({ kind: 'preview' })
    project.glossary = 'policies: [{name: Soft, applies_to: [report], enforcement: warn}]'
    const { result, events } = await promoted(project, preview.runId)
    expect(result.status).toBe('deployed')
    expect(events).toContainEqual(expect.objectContaining({ type: 'warning', asset: 'report' }))
  })

  it('a rollback to builds that break a policy is refused', async () => {
    const project = make({ customers: customers(), report })
    await project.run()
    project.files['report'] = "SELECT count(email) AS n FROM {{ ref('customers') }}"
    await project.run()
    project.glossary = 'policies: [{name: No mails, applies_to: [report]}]'
    const workspace = await project.workspace()
    expect(await refusal(rollback(workspace, {}, () => {}))).toMatchObject({ code: 'policy-breach' })
    await workspace.close()
  })

  it('a run of a reader alone is judged by the builds that it reads, not by their files', async () => {
    const project = make({ customers: customers() })
    await project.run()
    project.glossary = 'policies: [{name: No mails, applies_to: [report]}]'
    project.files = { customers: "SELECT 1 AS id, 'none' AS email", report }
    const run = await project.run({ selector: 'report' })
    expect(run).toMatchObject({ status: 'Failed', failure: { code: 'policy-breach', asset: 'report' } })
    expect(await project.query("SELECT asset FROM svc.svc_catalog WHERE asset = 'report'")).toEqual([])
  })

  it('builds of which nothing was stored are refused', async () => {
    const project = make({ customers: customers(), report })
    const preview = await project.run({ kind: 'preview' })
    await project.withSession(session =>
      session.execute(['DELETE FROM svc.svc_lineage', 'DELETE FROM svc.svc_marks']),
    )
    project.glossary = 'policies: [{name: No mails, applies_to: [report]}]'
    project.files['report'] = 'SELECT 1 AS n'
    const error = await refusal(promoted(project, preview.runId))
    expect(error.message).toContain('nothing is known of the personal data in the build of "report"')
  })
})

describe('a mask at the source', () => {
  const source = (mask: string, contract = '') => `ingest:
  type: rows
  mask: {email: ${mask}}
  rows: [{id: 1, email: anna@example.com}, {id: 2, email: bert@example.com}]
${contract}
transform: SELECT * FROM {{ source }}`
  const marked = 'contract: {columns: {email: {type: varchar, pii: true}}}'
  const between = "SELECT id, email FROM {{ ref('customers') }}"
  const last = "SELECT id, lower(email) AS email FROM {{ ref('between') }}"
  const key = { SVC_MASK_KEY: 'sixteen characters and more' }

  const breach = {
    status: 'Failed',
    failure: { code: 'policy-breach', message: expect.stringContaining('"email" carries personal data') },
  }

  const run = async (customers: string, glossary: string) => {
    const project = make({ customers, between, report: last })
    project.env = key
    project.glossary = glossary
    return { project, run: await project.run() }
  }
  const byMark = 'policies: [{name: P, applies_to: [report]}]'
  const byName = 'policies: [{name: P, pii_columns: [email], applies_to: [report]}]'

  it.each([
    ['hash', byMark],
    ['redact', byMark],
    ['hash', byName],
    ['redact', byName],
  ])('%s ends the mark', async (mask, glossary) => {
    const { project, run: report } = await run(source(mask, marked), glossary)
    expect(report).toMatchObject({ status: 'deployed' })
    const rows = await project.query('SELECT email FROM analytics.report')
    expect(JSON.stringify(rows)).not.toContain('example')
  })

  it.each([
    ['partial', byMark],
    ['email', byMark],
    ['partial', byName],
    ['email', byName],
  ])('%s leaves a part of the value, and the mark', async (mask, glossary) => {
    const { run: report } = await run(source(mask, marked), glossary)
    expect(report).toMatchObject(breach)
  })

  it('leaves the mark where the column of the asset says that it is personal', async () => {
    const { run: report } = await run(`${source('hash')}\ncolumns: {email: {pii: true}}`, byMark)
    expect(report).toMatchObject(breach)
  })

  it('leaves marks of other columns with that name', async () => {
    const project = make({
      customers: source('hash'),
      others:
        'ingest: {type: rows, rows: [{id: 1, email: carl@example.com}]}\ntransform: SELECT * FROM {{ source }}',
      report:
        "SELECT c.id, coalesce(c.email, o.email) AS email FROM {{ ref('customers') }} AS c JOIN {{ ref('others') }} AS o ON o.id = c.id",
    })
    project.env = key
    project.glossary = byName
    expect(await project.run()).toMatchObject(breach)
  })

  it('that is taken away brings the mark back, before anything is promoted', async () => {
    const { project } = await run(source('hash', marked), byMark)
    project.files['customers'] = source('hash', marked).replace('  mask: {email: hash}\n', '')
    expect(await project.run()).toMatchObject(breach)
  })
})
