/** Problems in JSON carry the edits that repair them, as the editor offers them. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { outputSchemas } from '../../server/contract/index.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'
import { shop } from './shop-project.ts'

interface Fix {
  readonly title: string
  readonly edits: readonly {
    readonly path: string
    readonly start: { readonly line: number; readonly column: number }
    readonly end: { readonly line: number; readonly column: number }
    readonly new_text: string
  }[]
}

let ground: Ground

beforeEach(() => {
  ground = createGround(shop)
  ground.write('models/orders.svc', (shop['models/orders.svc'] ?? '').replace('unique: id', 'unique: idd'))
})

afterEach(() => ground.dispose())

async function json(command: string, ...words: string[]): Promise<unknown> {
  const { stdout } = await ground.line([command, ...words, '--json'])
  const value: unknown = JSON.parse(stdout)
  const ajv = new Ajv2020({ allowUnionTypes: true })
  expect(ajv.validate(outputSchemas[command] ?? {}, value), ajv.errorsText()).toBe(true)
  return value
}

const repair: Fix = {
  title: 'Change to "id"',
  edits: [
    {
      path: 'models/orders.svc',
      start: { line: 10, column: 13 },
      end: { line: 10, column: 16 },
      new_text: 'id',
    },
  ],
}

it('in svc validate and svc inspect alike', async () => {
  const { files } = (await json('validate')) as { files: { diagnostics: { fixes: Fix[] }[] }[] }
  const diagnostics = files.flatMap(file => file.diagnostics)
  expect(diagnostics.flatMap(({ fixes }) => fixes)).toEqual([repair])
  expect(await json('inspect', 'models/orders.svc')).toMatchObject({ diagnostics })
})

it('and done as they say, the problem is gone', async () => {
  const text = (shop['models/orders.svc'] ?? '').replace('unique: id', 'unique: idd').split('\n')
  for (const { start, end, new_text } of repair.edits) {
    const line = text[start.line - 1] ?? ''
    text[start.line - 1] = line.slice(0, start.column - 1) + new_text + line.slice(end.column - 1)
  }
  ground.write('models/orders.svc', text.join('\n'))
  expect((await ground.line(['validate'])).code).toBe(0)
})
