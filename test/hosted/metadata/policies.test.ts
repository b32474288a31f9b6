import { describe, expect, it } from 'vitest'
import { impactOf } from '../../../hosted-api/metadata/lineage/impact.ts'
import type { Edge, FetchEdges } from '../../../hosted-api/metadata/lineage/walk.ts'
import type { PackColumn } from '../../../hosted-api/metadata/pack/pack.ts'
import {
  type AssetContent,
  type AssetFacts,
  assetFacts,
} from '../../../hosted-api/metadata/policies/asset-facts.ts'
import { checkPolicies, type PolicyFacts } from '../../../hosted-api/metadata/policies/check-policies.ts'

interface Place {
  readonly columns: Readonly<Record<string, Partial<PackColumn>>>
  readonly kind?: AssetContent['kind']
  readonly path?: string
  readonly tags?: readonly string[]
  readonly blocks?: AssetContent['blocks']
}

function world(places: Readonly<Record<string, Place>>, edges: readonly string[]) {
  const names = Object.keys(places)
  const idOf = (name: string) => names.indexOf(name) + 1
  const assets = new Map<number, AssetFacts>(
    Object.entries(places).map(
      ([name, { columns, kind = 'model', path = `models/${name}.svc`, tags = [], blocks = {} }]) => {
        const list = Object.entries(columns).map(([column, more]) => ({ name: column, type: null, ...more }))
        return [
          idOf(name),
          assetFacts({ asset: idOf(name), name, path, kind, tags, blocks, columns: list }, 'analytics'),
        ]
      },
    ),
  )
  const read = edges.map((text): Edge => {
    const [, from = '', a = '', sign, to = '', b = ''] = /^(\w+)\.?(\w*)([>#])(\w+)\.?(\w*)$/.exec(text) ?? []
    const columns = a === '' ? [] : [{ from: a, to: b, ...(sign === '#' && { masking: true }) }]
    return { from: idOf(from), to: idOf(to), kind: 'ref', columns }
  })
  const fetch: FetchEdges = async (ids, direction) =>
    read.filter(edge => ids.includes(direction === 'downstream' ? edge.from : edge.to))
  return { assets, fetch, nameOf: (id: number) => names[id - 1] ?? '?' }
}

const policy = (more: Partial<PolicyFacts> = {}): PolicyFacts => ({
  id: 1,
  name: 'No people in reports',
  rule: '',
  piiColumns: [],
  appliesTo: [],
  enforcement: 'strict',
  derived: 'allow',
  ...more,
})

async function breaches(place: ReturnType<typeof world>, about: PolicyFacts): Promise<readonly string[]> {
  const [check] = await checkPolicies([about], place.assets, place.fetch)
  const text = ({ asset, column }: { asset: number; column: string }) => `${place.nameOf(asset)}.${column}`
  return (check?.breaches ?? []).map(breach => `${text(breach)} < ${text(breach.root)}`)
}

const customers: Place = { columns: { email: { pii: true }, id: {} }, kind: 'source' }

describe('personal data', () => {
  it('is followed under other names to the assets of the policy', async () => {
    const place = world(
      {
        customers,
        stage: { columns: { contact: {} } },
        report: { columns: { c: {} }, path: 'models/marts/report.svc' },
      },
      ['customers.email>stage.contact', 'stage.contact>report.c'],
    )
    expect(await breaches(place, policy({ appliesTo: ['marts.*'] }))).toEqual(['report.c < customers.email'])
    const [check] = await checkPolicies([policy({ appliesTo: ['marts.*'] })], place.assets, place.fetch)
    expect(check?.breaches[0]?.path.map(step => place.nameOf(step.asset))).toEqual([
      'customers',
      'stage',
      'report',
    ])
  })

  it('counts in assets with a tag, and in folders below each other, as in `svc validate`', async () => {
    const place = world(
      {
        customers,
        report: { columns: { c: {} }, tags: ['Public'] },
        other: { columns: { c: {} }, path: 'models/finance/eu/other.svc' },
      },
      ['customers.email>report.c', 'customers.email>other.c'],
    )
    expect(await breaches(place, policy({ appliesTo: ['tag:pub*'] }))).toEqual(['report.c < customers.email'])
    expect(await breaches(place, policy({ appliesTo: ['finance.eu.*'] }))).toEqual([
      'other.c < customers.email',
    ])
  })

  it('is what the patterns of a policy name', async () => {
    const place = world(
      { people: { columns: { work_email: {}, id: {} }, kind: 'source' }, report: { columns: { c: {} } } },
      ['people.work_email>report.c'],
    )
    for (const pattern of ['*_email', 'people.w*', 'work?email'])
      expect(await breaches(place, policy({ piiColumns: [pattern], appliesTo: ['report'] }))).toEqual([
        'report.c < people.work_email',
      ])
  })

  it('ends in a hash, and where a file says that it is harmless', async () => {
    const place = world(
      {
        customers,
        hashed: { columns: { email: { pii: true } } },
        letters: { columns: { letter: {} }, blocks: { columns: { letter: { pii: false } } } },
        readers: { columns: { letter: {} } },
      },
      ['customers.email#hashed.email', 'customers.email>letters.letter', 'letters.letter>readers.letter'],
    )
    expect(await breaches(place, policy({ appliesTo: ['hashed', 'letters', 'readers'] }))).toEqual([])
  })

  it('is followed into what is only derived from it where the policy denies that too', async () => {
    const place = world(
      { customers, counts: { columns: { n: {} } }, report: { columns: { n: {}, total: {} } } },
      ['customers.email#counts.n', 'counts.n>report.n'],
    )
    const inReport = (more: Partial<PolicyFacts>) =>
      breaches(place, policy({ appliesTo: ['report'], ...more }))
    expect(await inReport({})).toEqual([])
    expect(await inReport({ derived: 'deny' })).toEqual(['report.n < customers.email'])
    expect(await inReport({ derived: 'deny', piiColumns: ['email'] })).toEqual(['report.n < customers.email'])
    expect(await inReport({ derived: 'deny', enforcement: 'off' })).toEqual([])
  })

  it('is what a policy names, as a column or as one of an asset', async () => {
    const place = world(
      {
        customers: { columns: { email: {}, phone: {} }, kind: 'source' },
        report: { columns: { e: {}, p: {} } },
      },
      ['customers.email>report.e', 'customers.phone>report.p'],
    )
    const about = { appliesTo: ['report'] }
    expect(await breaches(place, policy({ ...about, piiColumns: ['EMAIL'] }))).toEqual([
      'report.e < customers.email',
    ])
    expect(await breaches(place, policy({ ...about, piiColumns: ['customers.phone'] }))).toEqual([
      'report.p < customers.phone',
    ])
    expect(await breaches(place, policy({ ...about, piiColumns: ['orders.phone'] }))).toEqual([])
  })

  it('is not what is only called so: a constant, a count, a column whose origins are hidden', async () => {
    const place = world(
      {
        customers,
        counts: { columns: { email: {}, id: {} } },
        constant: { columns: { email: {}, id: {} } },
        hashed: { columns: { email: { masked: true } }, kind: 'source' },
        unknown: { columns: { email: {} } },
      },
      ['customers.email#counts.email', 'customers.id>constant.id'],
    )
    expect(await breaches(place, policy({ piiColumns: ['email'] }))).toEqual([
      'customers.email < customers.email',
      'unknown.email < unknown.email',
    ])
  })

  it('is said in the file: under columns, or of the raw ones under contract', async () => {
    const place = world(
      {
        a: { columns: { x: {} }, blocks: { columns: { x: { pii: true } } } },
        b: {
          columns: { y: {} },
          blocks: { contract: { columns: { y: { type: 'TEXT', pii: true }, z: 'TEXT' } } },
        },
      },
      [],
    )
    expect(await breaches(place, policy())).toEqual(['a.x < a.x', 'b.y < b.y'])
  })
})

describe('a policy', () => {
  const place = world({ customers: { ...customers, blocks: { deploy: { schema: 'crm' } } } }, [])

  it.each([
    [{ appliesTo: ['customers'] }, 1],
    [{ appliesTo: ['CRM.*'] }, 1],
    [{ appliesTo: ['analytics.*'] }, 0],
    [{ appliesTo: ['cust?mers'] }, 1],
    [{ appliesTo: [] }, 1],
    [{ enforcement: 'warn' }, 1],
    [{ enforcement: 'off' }, 0],
  ])('of %j has %i breach', async (more, count) => {
    expect(await breaches(place, policy(more))).toHaveLength(count)
  })
})

describe('the impact of a column', () => {
  it('is its columns downstream, readers without columns and exposures', async () => {
    const { fetch } = world(
      { a: { columns: {} }, b: { columns: {} }, c: { columns: {} }, d: { columns: {} }, e: { columns: {} } },
      ['a.x>b.y', 'b.y#c.z', 'a>d'],
    )
    const withExposure: FetchEdges = async (assets, direction) => [
      ...(await fetch(assets, direction)),
      ...(assets.includes(3) ? [{ from: 3, to: 5, kind: 'exposure', columns: [] }] : []),
    ]
    const [x, y] = await impactOf(1, ['x', 'q'], withExposure)
    expect(x?.columns.map(({ asset, column, depth }) => [asset, column, depth])).toEqual([
      [2, 'y', 1],
      [3, 'z', 2],
    ])
    expect([x?.readers, x?.exposures]).toEqual([[4], [5]])
    expect([y?.columns, y?.readers, y?.exposures]).toEqual([[], [4], []])
  })
})
