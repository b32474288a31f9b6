/** Every snippet writes what svc accepts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGround, type Ground } from '../cli/bad-input/command-line.ts'
import { shop } from '../cli/shop-project.ts'

interface Snippet {
  readonly prefix?: string
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
}

let ground: Ground

beforeAll(() => {
  ground = createGround({ ...shop, 'data/rows.csv': 'id,name\n1,a\n' })
})

afterAll(() => ground.dispose())

describe('a snippet is accepted:', () => {
  it.each(snippets)('%s', async (_, { body }) => {
    const file = 'models/piece.svc'
    ground.write(file, expand(body, 'piece'))
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
  it('say what they write', () => {
    for (const [, { description }] of snippets) expect(description).toMatch(/^[A-Z].*[^.]$/)
  })

  it('are whole files, and have no prefix: an editor would offer them inside a file, beside what the server offers', () => {
    expect(snippets.filter(([, { isFileTemplate }]) => isFileTemplate !== true)).toEqual([])
    expect(snippets.filter(([, { prefix }]) => prefix !== undefined)).toEqual([])
    expect(snippets.length).toBeGreaterThan(3)
  })
})
