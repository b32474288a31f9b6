/** Tables of hundreds and of thousands of columns, from their source to production, with a test on each column. */
import { expect, test } from 'vitest'
import { wideNames, wideProject, wideRows, wideValue } from '../support/wide-project.ts'

test.each([600, 2000])('%i columns are loaded, computed and tested as few are', async columns => {
  const more = (names: readonly string[]) =>
    `deploy: {materialize: table}\ntests:\n  - unique: c0\n${names.map(name => `  - range: {${name}: {min: 0, max: 1000}}\n`).join('')}`
  const ground = await wideProject({ kind: 'ndjson', columns, more })
  const checked = await ground.line(['validate'])
  expect([checked.code, checked.stdout.slice(0, 500)]).toEqual([0, expect.stringContaining('3 passed')])
  const ran = await ground.line(['run'])
  expect([ran.code, `${ran.stdout}${ran.stderr}`]).toEqual([
    0,
    expect.stringContaining(`${(columns + 1).toLocaleString('en-US')} tests passed`),
  ])
  const { stdout } = await ground.line(['sample', 'wide', '--csv', '--limit', '1000'])
  const [header, ...lines] = stdout.trimEnd().split('\r\n')
  expect(header?.split(',')).toEqual(wideNames(columns))
  const wanted = Array.from({ length: wideRows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => wideValue(row, column) + (column === 0 ? 0 : 1)).join(','),
  )
  expect(lines.toSorted()).toEqual(wanted.toSorted())
  ground.dispose()
})
