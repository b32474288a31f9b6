/** What the server says is what the page reads: the same types on both sides, and every answer in its published schema. */
import Ajv from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import type { ProjectFiles } from '../../../cli/dashboard/project-files.ts'
import type { RollbackPreviews } from '../../../cli/dashboard/rollback-preview.ts'
import type { SiteData } from '../../../cli/dashboard/site.ts'
import { outputSchemas, type StreamFact } from '../../../server/contract/index.ts'
import type { columnPath } from '../../../server/language/lineage/column-path.ts'
import type * as protocol from '../../../webview/protocol.ts'
import { shop } from '../shop-project.ts'
import { createDashboard, type Ground } from './ground.ts'

type Answer<K extends 'catalog' | 'quality' | 'history' | 'glossary'> = Awaited<ReturnType<ProjectFiles[K]>>

describe('the types of the server and of the page', () => {
  it('say the same of what is sent whole', () => {
    type Preview = Extract<Awaited<ReturnType<RollbackPreviews>>, { readonly preview: unknown }>['preview']
    expectTypeOf<Answer<'quality'>>().toEqualTypeOf<protocol.QualityFile>()
    expectTypeOf<Preview>().toEqualTypeOf<protocol.RollbackPreview>()
    expectTypeOf<NonNullable<ReturnType<typeof columnPath>>>().toEqualTypeOf<protocol.ColumnPath>()
    expectTypeOf<Answer<'catalog'>>().toEqualTypeOf<protocol.CatalogFile>()
  })

  it('let the page leave out what it does not read, and ask for nothing that is not sent', () => {
    expectTypeOf<Answer<'history'>>().toExtend<protocol.DashboardData['history']>()
    expectTypeOf<SiteData>().toExtend<Omit<protocol.DashboardData, 'glossary'>>()
    expectTypeOf<Answer<'glossary'>['terms'][number]['links'][number]['column']>().toEqualTypeOf<
      protocol.GlossaryTerm['links'][number]['column']
    >()
  })

  it('know the same events of a run, in both directions', () => {
    type Told = { [T in StreamFact['type']]: Extract<StreamFact, { type: T }> & { readonly id: string } }
    type Read = { [T in protocol.StreamEvent['type']]: Extract<protocol.StreamEvent, { type: T }> }
    expectTypeOf<Told>().toExtend<Read>()
    expectTypeOf<Read>().toExtend<Told>()
  })
})

describe('answers', () => {
  const ajv = new Ajv({ strict: false })
  let ground: Ground
  beforeAll(async () => {
    ground = await createDashboard({
      ...shop,
      'glossary.yaml':
        'terms:\n  - {id: term.customer, name: Customer, description: Who buys, synonyms: [buyer]}\nlinks:\n  - {term: Customer, asset: customers, column: id, role: primary_key}\n',
    })
  })
  afterAll(() => ground.dispose())

  const conforms = (name: string, value: unknown) =>
    expect(ajv.validate(outputSchemas[name] ?? false, value), `${name}: ${ajv.errorsText()}`).toBe(true)
  const answers = {
    catalog: '/api/catalog.json',
    quality: '/api/quality.json',
    runs: '/api/history.json',
    problems: '/api/problems.json',
    'glossary-export': '/api/glossary.json',
    dashboard: '/api/dashboard.json',
    'column-path': '/api/column-path.json?asset=orders&column=amount',
  }

  it('before a run and after one are as svc schema says', async () => {
    for (const [name, path] of Object.entries(answers)) conforms(name, await ground.json(path))
    const stream = await ground.stream('/api/stream/run?asset=+best_customers', ground.bearer)
    await stream.ended
    expect(new Set(stream.events.map(({ type }) => type))).toEqual(new Set(['log', 'status', 'test', 'end']))
    for (const { data } of stream.events) conforms('stream-event', data)
    for (const [name, path] of Object.entries(answers)) conforms(name, await ground.json(path))
    const glossary = (await ground.json('/api/glossary.json')) as protocol.GlossaryFile
    expect(glossary.terms).toMatchObject([
      { name: 'Customer', links: [{ asset: 'customers', column: 'id' }] },
    ])
  })
})
