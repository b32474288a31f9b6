/** Reports of long names and many columns: aligned, whole in a file, as CSV for other programs. */
import { afterAll, expect, test } from 'vitest'
import { renderSample } from '../../cli/render/sample.ts'
import { createStyle } from '../../cli/render/style.ts'
import { createProjectHere } from '../support/cli-here.ts'

const long = 'customer_lifetime_value_by_region_and_marketing_channel'
const wide = 'x'.repeat(70)
const row = `{id: 1, a: ${wide}, b: ${wide}, note: 'say "hi", twice', empty: '', none: null, "list": [1, 2]}`
const project = createProjectHere({
  'svc.yaml': 'name: wide\n',
  [`models/${long}.svc`]: `name: ${long}\ningest: {type: rows, rows: [${row}]}\ntransform: SELECT id, a, b, note, empty, none::VARCHAR AS none, list FROM {{ source }}\n`,
  'models/b.svc': `name: b\ningest: none\ntransform: SELECT id FROM {{ ref('${long}') }}\n`,
})
afterAll(() => project.dispose())

test('a plan is aligned whatever the names are, and cuts none in a file', async () => {
  const { stdout } = await project.svc(['plan'])
  const lines = stdout.split('\n').filter(line => line.startsWith('  + '))
  expect(lines.map(line => line.indexOf(' new '))).toEqual([4 + long.length, 4 + long.length])
  expect(stdout).toContain(long)
})

test('a sample that goes to a file has all columns with whole values', async () => {
  await project.svc(['run'])
  const { stdout } = await project.svc(['sample', long])
  expect(stdout.split('\n')[0]?.split(/ +/)).toEqual(['id', 'a', 'b', 'note', 'empty', 'none', 'list'])
  expect(stdout).toContain(`${wide}  ${wide}`)
  expect(stdout).not.toContain('more column')
})

test('a sample on a terminal has the columns that fit, and says how to get the others', () => {
  const report = {
    asset: 'a',
    environment: 'dev',
    source: 'view' as const,
    relation: 'analytics.a',
    sampleTable: undefined,
    columns: ['id', 'a', 'b', 'c'].map(name => ({ name, type: 'VARCHAR' })),
    rows: [{ id: '1', a: wide, b: wide, c: wide }],
    masked: [],
  }
  const lines = renderSample(report, createStyle({ color: false, width: 80 }))
  expect(lines[0]?.trim().split(/ +/)).toEqual(['id', 'a', 'b'])
  expect(lines.at(-1)).toContain('1 more column (--csv and --json show all)')
})

test('a sample is CSV where another program wants that', async () => {
  const { stdout, code } = await project.svc(['sample', long, '--csv'])
  expect(code).toBe(0)
  expect(stdout).toBe(`id,a,b,note,empty,none,list\r\n1,${wide},${wide},"say ""hi"", twice","",,"[1,2]"\r\n`)
  const both = await project.svc(['sample', long, '--csv', '--json'])
  expect([both.code, both.stdout]).toEqual([2, expect.stringContaining('--csv cannot be combined')])
})
