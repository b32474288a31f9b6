/** Every snippet writes what svc accepts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGround, type Ground } from '../cli/bad-input/command-line.ts'
import { shop } from '../cli/shop-project.ts'

interface Snippet {
  readonly prefix: string | readonly string[]
  readonly description: string
  readonly isFileTemplate?: boolean
  readonly body: readonly string[]
}

const path = join(import.meta.dirname, '..', '..', 'extension', 'snippets', 'svc.json')
const snippets = Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, Snippet>>)

/** What a person gets who presses Tab through it: names that the shop does not have are given. */
function expand(body: readonly string[], name: string): string {
  const values = new Map<string, string>()
  const text = body.join('\n').replace(/\$\{TM_FILENAME_BASE\}/g, name)
  return text
    .replace(/\$\{(\d+):((?:\\.|[^{}\\])*)\}/g, (_, number: string, value: string) => {
      values.set(number, value.replace(/\\(.)/g, '$1'))
      return values.get(number) ?? ''
    })
    .replace(/\$\{(\d+)\|([^,|]+)[^}]*\|\}/g, '$2')
    .replace(/\$(\d)/g, (_, number: string) => values.get(number) ?? '')
    .replace("ref('asset')", "ref('orders')")
    .replaceAll('customers.id', 'orders.id')
}

/** A piece of a file, in an asset that has the columns which it names. */
function around(piece: string): string {
  const columns = ['id', 'amount', 'status', 'customer_id', 'code', 'updated_at'].map(
    column => `1 AS ${column}`,
  )
  const test = piece.startsWith('-') ? `tests:\n${piece.replace(/^(?=.)/gm, '  ')}` : piece
  const typed = columns
    .join(', ')
    .replace('1 AS updated_at', "TIMESTAMP '2024-01-01' AS updated_at")
    .replace(/1 AS (status|code)/g, "'x' AS $1")
  const ingest = piece.startsWith('contract') ? '{type: rows, rows: [{id: 1}]}' : 'none'
  const from = ingest === 'none' ? `SELECT ${typed}` : 'SELECT id FROM {{ source }}'
  return `name: piece\ningest: ${ingest}\ntransform: ${from}\n${test}`
}

let ground: Ground

beforeAll(() => {
  ground = createGround({ ...shop, 'data/rows.csv': 'id,name\n1,a\n' })
})

afterAll(() => ground.dispose())

describe('a snippet is accepted:', () => {
  it.each(snippets)('%s', async (_, { body, isFileTemplate }) => {
    const text = expand(body, 'piece')
    const file = 'models/piece.svc'
    ground.write(file, isFileTemplate === true ? text : around(text))
    const { files } = JSON.parse((await ground.line(['validate', file, '--json'])).stdout) as {
      readonly files: readonly {
        readonly diagnostics: readonly { readonly severity: string; readonly message: string }[]
      }[]
    }
    const errors = files
      .flatMap(({ diagnostics }) => diagnostics)
      .filter(({ severity }) => severity === 'error')
    expect(
      errors.map(({ message }) => message),
      readFileSync(join(ground.root, file), 'utf8'),
    ).toEqual([])
  })
})

describe('snippets', () => {
  it('say what they write, and have prefixes of their own', () => {
    const prefixes = snippets.flatMap(([, { prefix }]) => prefix)
    expect(new Set(prefixes).size).toBe(prefixes.length)
    for (const [, { description }] of snippets) expect(description).toMatch(/^[A-Z].*[^.]$/)
  })
})
