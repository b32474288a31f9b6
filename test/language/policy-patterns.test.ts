/** The check for patterns of nothing agrees with what policies do: it looks at all names at once, a policy at one asset each. */
import { expect, it } from 'vitest'
import { policyPatternProblems } from '../../server/language/checks/policy-patterns.ts'
import { targetNames } from '../../server/language/destinations/target.ts'
import { appliesTo, namesMetric } from '../../server/language/glossary/terms.ts'
import { watchesDoor } from '../../server/language/personal/at-the-door.ts'
import { seededRandom } from '../support/random.ts'
import { projectOf } from '../support/spec-project.ts'

const assets = {
  'models/orders.svc': 'name: orders\ningest: none\ntransform: SELECT 1 AS id\ntags: [Finance, x y]\n',
  'models/marts/daily.svc':
    'name: daily\ningest: none\ntransform: SELECT 1 AS id\ndeploy: {schema: reports}\npublish:\n  Crm: {type: http, endpoint: https://a.example, resource: b, key: id}\n',
  'models/marts/eu/weekly.svc': 'name: weekly\ningest: none\ntransform: SELECT 1 AS id\n',
}
const parts = [
  ...['orders', 'DAILY', 'weekly', 'marts', 'eu', 'reports', 'analytics', 'tag:', 'finance', ' x y'],
  ...['publish.', 'crm', 'metric.', 'revenue', '*', '?', '.', '.*', 'a', 'o', 'daily'],
]

it('for patterns of all forms', () => {
  const random = seededRandom(7)
  const drawn = Array.from({ length: 1500 }, () =>
    Array.from({ length: 1 + random.below(4) }, () => random.pick(parts)).join(''),
  )
  const patterns = [...new Set([...parts, ...drawn])].filter(pattern => pattern.trim() === pattern)
  const glossary = `metrics:\n  - {name: Revenue, sql_definition: count(*), source_assets: [orders]}\npolicies:\n${patterns
    .map((pattern, index) => `  - {name: P${index}, rule: R., applies_to: [${JSON.stringify(pattern)}]}\n`)
    .join('')}`
  const project = projectOf(new Map(Object.entries({ ...assets, 'glossary.yaml': glossary })))
  const { policies, metrics } = project.glossary
  expect(policies.map(({ appliesTo: [pattern] }) => pattern)).toEqual(patterns)
  const meant = policies.filter(
    policy =>
      !metrics.some(metric => namesMetric(policy, metric)) &&
      ![...project.byName.values()].some(
        asset =>
          appliesTo(policy, project, asset) || targetNames(asset).some(target => watchesDoor(policy, target)),
      ),
  )
  const told = new Set(
    policyPatternProblems(project).map(({ message }) => /fits "(.*)", so/.exec(message)?.[1]),
  )
  expect([...told].sort()).toEqual(meant.map(({ appliesTo: [pattern] }) => pattern).sort())
  expect(meant.length).toBeGreaterThan(20)
  expect(policies.length - meant.length).toBeGreaterThan(20)
})
