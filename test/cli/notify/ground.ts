/** A project with an asset that can be made to fail, and with notifiers at servers of the tests. */
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'

export interface Ground extends ProjectHere {
  /** Runs in prod with rows that pass the asset's test, or with one that does not. */
  run(
    passes: boolean,
    env?: Readonly<Record<string, string>>,
  ): Promise<{ code: number | null; stderr: string }>
}

export const freshAsset = `name: visits
ingest: {type: rows, rows: [{id: 1}]}
transform: SELECT id FROM {{ source }}
freshness: {warn_after: 1ms, error_after: 30d}
`

/** `notify`: the block of svc.yaml, in YAML's flow style. */
export function notifyGround(notify: string, more: Readonly<Record<string, string>> = {}): Ground {
  const project = createProjectHere({
    'svc.yaml': `name: shop\nnotify: ${notify}\n`,
    'models/orders.svc': orders(true),
    ...more,
  })
  return {
    ...project,
    async run(passes, env = {}) {
      project.write('models/orders.svc', orders(passes))
      const { code, stderr } = await project.svc(['run', '--env', 'prod'], { env })
      return { code, stderr }
    },
  }
}

/** The value that does not pass is one of a person, which no message may have. */
export function orders(passes: boolean): string {
  return `name: orders
tags: [finance]
ingest: {type: rows, rows: [{id: 1, email: ${passes ? 'x' : 'ada@example.com'}}]}
columns: {email: {pii: true}}
transform: SELECT id, email FROM {{ source }}
tests:
  - accepted_values: {email: [x]}
`
}
