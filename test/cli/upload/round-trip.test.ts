/**
 * The pack of the example goes through the hosted store and back unchanged: it is put together again from what the store
 * answers, member by member in the pack's own form, and compared as a whole, so that nothing can be left out in silence.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyExample } from '../../../scripts/example.mjs'
import { engines, useHosted } from '../../hosted/support/engines.ts'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'
import { type Body, inOrder, readPackBack } from './read-pack-back.ts'

const glossary = `terms:
  - name: Airport
    description: |
      A place where flights begin and end,
      "hubs" and grass strips – also Żilina's.
    synonyms: [aerodrome, field]
    owner: network@example.com
  - {id: term.late_one, name: Delay}
metrics:
  - name: Departures
    description: All that left.
    sql_definition: SELECT sum(departures) FROM {{ ref('airport_traffic') }}
    time_grain: month
    source_assets: [airport_traffic, airports]
    owner: network@example.com
  - {name: Punctuality, description: Its query is still to be agreed on.}
dimensions:
  - {name: Region, description: Of the country., values: [West, South], type: categorical}
  - {name: Band, values: [1, 2.5, true]}
  - {name: Day, type: temporal}
policies:
  - {name: Places, rule: Capitals stay inside., pii_columns: [capital], applies_to: [sources.*], enforcement: warn, derived: deny}
  - {name: Later, rule: To be written., enforcement: 'off'}
links:
  - {term: Airport, asset: airports, column: iata, role: primary_key}
  - {term: Airport, asset: airport_traffic}
  - {term: term.late_one, asset: flights, column: delay_minutes}
`

/** The one loss of an entry: the store takes no metric without SQL, and says so. */
const metricIsLost = (entries: readonly Body[]) => ({
  code: 'glossary_entry',
  detail: '/sql_definition: "sql_definition" has to be a string.',
  pointer: `/glossary/${entries.findIndex(isWithoutSql)}`,
})

const isWithoutSql = (entry: Body): boolean => entry.kind === 'metric' && entry.sql_definition === null

/**
 * What does not come back as it went, all of it: a metric without SQL (`metricIsLost`); values of a dimension that are no
 * text in YAML come back as text (interface.md 2.4); a link without a role comes back as an attribute (2.6). The records of
 * the runs (`history`) come back only as the versions that they made.
 */
function afterKnownLosses({ glossary, ...pack }: Body): Body {
  return {
    ...pack,
    glossary: glossary
      .filter((entry: Body) => !isWithoutSql(entry))
      .map((entry: Body) => ({
        ...entry,
        ...(entry.kind === 'term' && {
          links: entry.links.map((link: Body) => ({ ...link, role: link.role ?? 'attribute' })),
        }),
        ...(entry.kind === 'dimension' && { values: entry.values.map(String) }),
      })),
  }
}

const [engine] = engines
if (engine === undefined) throw new Error('there is no engine to test on')

describe('the pack of the example', () => {
  const hosted = useHosted(engine)
  let project: ProjectHere

  beforeAll(async () => {
    project = createProjectHere({})
    copyExample(project.root)
    project.write('glossary.yaml', glossary)
    appendFileSync(
      join(project.root, 'models/sources/state_capitals.svc'),
      'columns: {capital: {pii: true, description: Where the governor lives.}}\n',
    )
  })
  afterAll(() => project.dispose())

  it('goes through the hosted store and back unchanged', async () => {
    // Assets without a table of their own above them, so that there are versions and results for little time.
    const { code, stderr } = await project.svc(['run', 'delay_bands', 'state_capitals'])
    expect(code, stderr).toBe(0)
    const words = ['ai', 'context', '--json', '--include-tests', '--include-history']
    const { value } = await project.json(words)
    const { history, ...sent } = value as Body
    const { status, body } = await hosted.admin.post('/api/svc/metadata/projects/1/upload', value)
    expect([status, body.upload?.warnings]).toEqual([200, [metricIsLost(sent.glossary)]])
    expect(inOrder(await readPackBack(hosted.admin))).toEqual(inOrder(afterKnownLosses(sent)))
    // What the comparison would not see if the pack did not have it.
    const ran = { delay_bands: expect.anything(), state_capitals: expect.anything() }
    expect(sent).toMatchObject({ versions: ran, test_results: ran })
    expect(JSON.stringify(sent.assets).includes('"pii":true')).toBe(true)
    expect(history).toHaveLength(1)
  })
})
