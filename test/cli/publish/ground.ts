/** A project whose asset `customers` comes from a file, so that production can change between two publishes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'

export interface Customer {
  readonly id: number | string
  readonly email?: string
  readonly name?: string
  readonly amount?: number
}

export interface Ground extends ProjectHere {
  /** Makes production have these rows. */
  production(rows: readonly Customer[]): Promise<void>
  /** Publishes to `there`, and returns the report. */
  publish(words?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Published>
  /** The text of a file in it. */
  textOf(path: string): string
  /** What `svc publish <words>` says went wrong. */
  failure(...words: readonly string[]): Promise<Failure>
}

export interface Failure {
  readonly exitCode: number | null
  readonly code: string
  readonly message: string
  readonly hint: string
}

export interface Published {
  readonly code: number | null
  readonly value: {
    readonly run_id: string | null
    readonly status: string
    readonly planned: Counts
    readonly done: Counts
    readonly known: number
    readonly creates: boolean
    readonly samples: readonly {
      readonly operation: string
      readonly row: Readonly<Record<string, unknown>>
    }[]
    readonly rejects: readonly { readonly key: string; readonly reason: string; readonly raw: string }[]
    readonly masked: readonly string[]
    readonly warnings: readonly string[]
    readonly resumed: { readonly acknowledged: number; readonly in_doubt: number } | null
    readonly error?: { readonly code: string; readonly message: string; readonly hint: string }
  }
}

interface Counts {
  readonly inserts: number
  readonly updates: number
  readonly deletes: number
  readonly unchanged: number
  readonly invalid: number
  readonly refused: number
}

export function customer(id: number, name = `name ${id}`, amount = id * 1.5): Customer {
  return { id, email: `c${id}@example.com`, name, amount }
}

export function customers(count: number, from = 1): Customer[] {
  return Array.from({ length: count }, (_, index) => customer(from + index))
}

type Files = Readonly<Record<string, string>>

/** `target`: the block `publish.there`, in YAML's flow style. `more`: further files; `secrets`: variables of a publish. */
export function publishGround(
  target: string,
  { more = {}, secrets = {} }: { readonly more?: Files; readonly secrets?: Files } = {},
): Ground {
  const project = createProjectHere({
    'svc.yaml': 'name: shop\n',
    'models/customers.svc': assetWith(target),
    ...more,
  })
  return {
    ...project,
    async production(rows) {
      const lines = rows.map(
        ({ id, email = '', name = '', amount = '' }) => `${id},${email},${name},${amount}`,
      )
      project.write('data/customers.csv', `id,email,name,amount\n${lines.join('\n')}\n`)
      const { code, stderr } = await project.svc(['run', '--all'])
      expect(code, stderr).toBe(0)
    },
    publish: async (words = [], env = {}) =>
      (await project.json(['publish', 'customers', '--to', 'there', '--json', ...words], {
        env: { ...secrets, ...env },
      })) as Published,
    textOf: path => readFileSync(join(project.root, path), 'utf8'),
    async failure(...words) {
      const { code: exitCode, value } = await project.json(['publish', ...words, '--json'])
      const { error } = value as { error: Omit<Failure, 'exitCode'> }
      return { exitCode, ...error }
    },
  }
}

/** Tests publish from dev, which a target takes only where it says so. */
export function assetWith(target: string, more = '', taken = 'environments: [dev, prod], '): string {
  return `name: customers
ingest: {type: file, endpoint: ./data, resource: customers.csv}
contract: {columns: {email: varchar, name: varchar, amount: double}, allow_empty: true}
transform: SELECT id, email, name, amount FROM {{ source }}
publish:
  there: ${target.replace('{', `{${taken}`)}
${more}`
}
