/** An editor that stays open learns from each run which columns the data have made. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { CompletionList, Hover, MarkupContent } from 'vscode-languageserver-protocol/node'
import { buildCommand, createProject, type TestProject } from '../support/cli.ts'
import { type Editor, pullCapabilities, startEditor } from './editor.ts'

const data = 'customer,status,amount\n1,open,10\n2,paid,20\n'
const reader = `name: reader
ingest: none
transform: |
  SELECT o FROM {{ ref('by_status') }}
`

beforeAll(buildCommand, 240_000)

let project: TestProject
let editor: Editor
beforeEach(async () => {
  project = createProject({
    'svc.yaml': 'name: shop\n',
    'data/orders.csv': data,
    'models/orders.svc':
      'name: orders\ningest: {type: file, endpoint: data, resource: "*.csv"}\ntransform: SELECT * FROM {{ source }}\n',
    'models/by_status.svc':
      "name: by_status\ningest: none\ntransform: PIVOT {{ ref('orders') }} ON status USING sum(amount)\n",
  })
  editor = await startEditor({ folders: [project.root], capabilities: pullCapabilities })
  editor.open(uriOf('models/reader.svc'), reader)
})
afterEach(async () => {
  expect(await editor.quit()).toBe(0)
  expect(editor.log).toEqual([])
  project.dispose()
})

const uriOf = (path: string) => pathToFileURL(join(project.root, path)).href

/** What is offered behind `SELECT `, with its type. */
async function offered(): Promise<readonly string[]> {
  const { items } = await editor.connection.sendRequest<CompletionList>('textDocument/completion', {
    textDocument: { uri: uriOf('models/reader.svc') },
    position: { line: 3, character: '  SELECT '.length },
  })
  return items.flatMap(({ label, detail, labelDetails }) =>
    ['customer', 'open', 'paid', 'lost'].includes(label)
      ? [`${label} ${labelDetails?.description ?? detail}`.replace(' · by_status', '')]
      : [],
  )
}

async function hovered(): Promise<string> {
  const hover = await editor.connection.sendRequest<Hover | null>('textDocument/hover', {
    textDocument: { uri: uriOf('models/reader.svc') },
    position: { line: 3, character: reader.split('\n')[3]?.indexOf('by_status') ?? 0 },
  })
  return (hover?.contents as MarkupContent | undefined)?.value ?? ''
}

async function run(): Promise<void> {
  const said = await project.svc(['run'])
  expect(said.code, said.stderr).toBe(0)
  // As an editor does that watches only what it was told of.
  editor.filesChanged([uriOf('svc_catalog.json')])
}

const offers = (...columns: readonly string[]) =>
  expect.poll(async () => (await offered()).toSorted(), { timeout: 20_000 }).toEqual(columns)

it('completion and hover have what the last run found, until the file of it is gone', async () => {
  await offers('customer BIGINT')
  await run()
  await offers('customer BIGINT', 'open HUGEINT', 'paid HUGEINT')
  expect(await hovered()).toContain('HUGEINT')
  expect(await hovered()).toContain('There may be more columns: the data decide which there are')
  project.write('data/orders.csv', `${data}3,lost,30\n`)
  await run()
  await offers('customer BIGINT', 'lost HUGEINT', 'open HUGEINT', 'paid HUGEINT')
  writeFileSync(join(project.root, '.svc/found_columns.json'), '{')
  editor.filesChanged([uriOf('.svc/found_columns.json')])
  await offers('customer BIGINT')
  rmSync(join(project.root, '.svc/found_columns.json'))
}, 240_000)
