import { symlinkSync } from 'node:fs'
import { relative } from 'node:path'
import { findFiles } from '@svc/server/catalog'
import { findRecordsPath } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Project, temporaryProject } from './fetching.ts'

let project: Project
beforeAll(() => {
  project = temporaryProject()
  for (const path of [
    'a.csv',
    'b.csv',
    'b.txt',
    'x[1].csv',
    '.c.csv',
    'd/a.csv',
    'd/e/f.csv',
    'd/.g/h.csv',
    'o/p.csv',
  ]) {
    project.write(`data/${path}`, 'a\n1\n')
  }
  symlinkSync(project.path('data'), project.path('data/d/loop'))
  symlinkSync(project.path('data/o'), project.path('data/d/link'))
  symlinkSync(project.path('data/nowhere'), project.path('data/gone.csv'))
})
afterAll(() => project.remove())

const limits = { files: 1000, names: 10_000 }

describe('globs', () => {
  it.each([
    ['*.csv', ['a.csv', 'b.csv', 'x[1].csv']],
    ['?.csv', ['a.csv', 'b.csv']],
    ['{a,b}.{csv,txt}', ['a.csv', 'b.csv', 'b.txt']],
    ['x[1].csv', ['x[1].csv']],
    ['.*.csv', ['.c.csv']],
    ['d/*.csv', ['d/a.csv']],
    ['d/**/*.csv', ['d/a.csv', 'd/e/f.csv', 'd/link/p.csv']],
    ['**/f.csv', ['d/e/f.csv']],
    ['*/p.csv', ['o/p.csv']],
    ['../data/a.csv', ['a.csv']],
    ['none/*.csv', []],
    ['a.csv/*', []],
    ['{a', []],
  ])('%s', async (glob, expected) => {
    const files = await findFiles(project.root, 'data', glob, limits)
    expect(files.map(file => relative(project.path('data'), file))).toEqual(expected)
  })

  it('are so many at most, of so many names', async () => {
    const few = findFiles(project.root, 'data', '**/*.csv', { files: 2, names: 1000 })
    await expect(few).rejects.toThrow('its pattern matches more than 2 files (limits.files)')
    const short = findFiles(project.root, '/', '**/nothing.csv', { files: 10, names: 50 })
    await expect(short).rejects.toThrow('its pattern looks at more than 50 names (limits.names)')
  })

  it('need their folder', async () => {
    await expect(findFiles(project.root, 'nowhere', '*', limits)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('the records of an answer that nobody described', () => {
  it.each([
    ['[{"a":1}]', ''],
    ['{"data":[{"a":1}],"included":[{"b":1}]}', 'data'],
    ['{"included":[{"b":1}],"things":[{"a":1}]}', 'things'],
    ['{"deep":{"stuff":[{"a":1}]},"flat":[{"b":1}]}', 'flat'],
    ['{"response":{"body":{"items":[]}},"tags":["x"]}', 'response.body.items'],
    ['{"type":"FeatureCollection","bbox":[1,2],"features":[{"a":1}]}', 'features'],
    ['{"items":null,"next":null}', 'items'],
    ['{"errors":[{"code":1}]}', ''],
    ['{"id":1,"tags":["a"]}', ''],
    ['{"a":{"b":{"c":{"items":[{"x":1}]}}}}', ''],
  ])('%s', (text, expected) => {
    const bytes = Buffer.from(`${text}\0`)
    expect(findRecordsPath(bytes, bytes.length - 1).join('.')).toBe(expected)
  })
})
