/** Runs hold text files against the layouts of `schemas.lock.json`, which promotions write. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type TestProject, testProject } from './test-project.ts'

const asset = (
  more = '',
  resource = '*.csv',
) => `ingest: {type: file, endpoint: data, resource: "${resource}"${more}}
transform: SELECT * FROM {{ source }}
`
const contract = 'contract: {columns: {id: BIGINT}}\n'

let project: TestProject | undefined
afterEach(async () => {
  await project?.remove()
  project = undefined
})

function projectWith(text: string, files: Readonly<Record<string, string | Buffer>>): TestProject {
  project = testProject({ orders: text })
  for (const [name, content] of Object.entries(files)) write(project, name, content)
  return project
}

function write({ root }: TestProject, name: string, content: string | Buffer): void {
  mkdirSync(join(root, 'data'), { recursive: true })
  writeFileSync(join(root, 'data', name), content)
}

const lockOf = ({ root }: TestProject) => readFileSync(join(root, 'schemas.lock.json'), 'utf8')
const layoutsOf = (of: TestProject) => JSON.parse(lockOf(of)).layouts.orders

/** Returns the codes and examples of the warnings of a run that must have promoted. */
async function warningsOf(of: TestProject, environment?: string): Promise<string[]> {
  const report = await of.run({}, environment)
  expect(report.failure).toBeUndefined()
  return of.events.flatMap(event => (event.type === 'warning' ? [event.code] : []))
}

const rows = async (of: TestProject) => await of.query('SELECT * FROM analytics.orders ORDER BY 1')

describe('a source of one file', () => {
  it('has its layout written once, and the same way is no news', async () => {
    const p = projectWith(asset(), { 'a.csv': 'id,name\n1,x\n' })
    expect(await warningsOf(p)).toEqual([])
    expect(layoutsOf(p)).toEqual([{ encoding: 'utf-8', delimiter: ',', header: true, line_ends: 'lf' }])
    const written = lockOf(p)
    write(p, 'a.csv', 'id,name\r\n1,"x, y"\r\n2,z\r\n')
    expect(await warningsOf(p)).toEqual([])
    expect(await rows(p)).toHaveLength(2)
    expect(lockOf(p)).toBe(written)
  })

  it.each<[string, string | Buffer, RegExp]>([
    ['another delimiter', 'id;name\n2;y\n', /data\/a\.csv .*: delimiter ";" instead of ","/],
    [
      'another encoding',
      Buffer.from('\ufeffid,name\n2,y\n', 'utf16le'),
      /encoding "utf-16le" instead of "utf-8"/,
    ],
    ['lines above the header', 'Report\n\nid,name\n2,y\n3,z\n', /skip 2 instead of 0/],
    ['other quotes', "'id','name'\n'2','y'\n", /quote "'" instead of "\\""/],
    ['CR alone', 'id,name\r2,y\r', /line_ends "cr" instead of "lf"/],
  ])('is told of %s once, then the lock agrees', async (_what, text, words) => {
    const p = projectWith(asset(), { 'a.csv': 'id,name\n1,x\n' })
    await warningsOf(p)
    write(p, 'a.csv', text)
    expect(await warningsOf(p)).toContain('layout-changed')
    const warning = p.events.find(each => each.type === 'warning' && each.code === 'layout-changed')
    expect(warning).toMatchObject({ asset: 'orders', count: 1, example: 'data/a.csv' })
    expect(warning?.type === 'warning' && warning.message).toMatch(words)
    expect(layoutsOf(p)).toHaveLength(2)
    expect(await warningsOf(p)).toEqual([])
    // Both ways were promoted, so that neither is news.
    write(p, 'a.csv', 'id,name\n1,x\n2,y\n')
    expect(await warningsOf(p)).toEqual([])
  })

  it('says of a header that went', async () => {
    const p = projectWith(asset(', options: {columns: [id, name]}'), { 'a.csv': 'id,name\n1,x\n' })
    await warningsOf(p)
    write(p, 'a.csv', '1,x\n2,y\n')
    expect(await warningsOf(p)).toEqual(['layout-changed'])
  })

  it('is told of guesses until a promotion agrees to them, and of newly skipped lines again', async () => {
    const p = projectWith(asset(), { 'a.csv': 'Report\n\nid,name\n1,x\n2,y\n' })
    expect(await warningsOf(p)).toEqual(['skipped-lines'])
    expect(await warningsOf(p)).toEqual([])
    write(p, 'a.csv', 'Report\nof the day\n\nid,name\n1,x\n2,y\n')
    expect((await warningsOf(p)).sort()).toEqual(['layout-changed', 'skipped-lines'])
    expect(await warningsOf(p)).toEqual([])
  })

  it('is refused under a contract before anything is loaded, until the options say it', async () => {
    const p = projectWith(contract + asset(), { 'a.csv': 'id,name\n1,x\n' })
    await warningsOf(p)
    const written = lockOf(p)
    write(p, 'a.csv', 'id;name\n2;y\n')
    const report = await p.run()
    expect(report.failure).toMatchObject({ code: 'layout-changed' })
    expect(report.failure?.message).toContain('delimiter ";" instead of ","')
    expect(await rows(p)).toMatchObject([{ name: 'x' }])
    expect(lockOf(p)).toBe(written)
    p.files['orders'] = contract + asset(', options: {delimiter: ";"}')
    expect(await warningsOf(p)).toEqual([])
    expect(await rows(p)).toMatchObject([{ name: 'y' }])
    expect(layoutsOf(p)).toMatchObject([{ delimiter: ';' }])
  })

  it('decides nothing by a run that promoted nothing', async () => {
    const p = projectWith(asset(), { 'a.csv': 'id,name\n1,x\n' })
    await warningsOf(p)
    const written = lockOf(p)
    write(p, 'a.csv', 'id;name\n2;y\n')
    p.files['orders'] = `${asset()}tests: [{column: name, assert: "name = 'x'"}]\n`
    expect((await p.run()).failure).toBeDefined()
    expect(lockOf(p)).toBe(written)
    p.files['orders'] = asset()
    expect(await warningsOf(p)).toEqual(['layout-changed'])
  })
})

describe('the lock', () => {
  it('has each layout of a folder once, and a new one is told of by its file', async () => {
    const p = projectWith(asset(), {
      'a.csv': 'id,name\n1,x\n',
      'b.csv': 'id;name\n2;y\n',
      'c.csv': 'id,name\n3,z\n',
    })
    expect(await warningsOf(p)).toEqual([])
    expect(layoutsOf(p)).toMatchObject([{ delimiter: ',' }, { delimiter: ';' }])
    write(p, 'd.csv', 'id|name\n4|w\n')
    write(p, 'e.csv', 'id|name\n5|v\n')
    expect(await warningsOf(p)).toEqual(['layout-changed'])
    const warning = p.events.find(({ type }) => type === 'warning')
    expect(warning).toMatchObject({ count: 2, example: 'data/d.csv' })
    expect(layoutsOf(p)).toHaveLength(3)
    expect(await rows(p)).toHaveLength(5)
  })

  it('without layouts is as valid as before, and gets them', async () => {
    const p = projectWith(asset(), { 'a.csv': 'id,name\n1,x\n' })
    await warningsOf(p)
    const { layouts: _, ...old } = JSON.parse(lockOf(p))
    writeFileSync(join(p.root, 'schemas.lock.json'), JSON.stringify(old))
    write(p, 'a.csv', 'id;name\n2;y\n')
    expect(await warningsOf(p)).toEqual([])
    expect(layoutsOf(p)).toMatchObject([{ delimiter: ';' }])
  })

  it('is the same for every environment', async () => {
    const p = projectWith(asset(), { 'a.csv': 'Report\n\nid,name\n1,x\n2,y\n' })
    await warningsOf(p)
    const written = lockOf(p)
    expect(await warningsOf(p, 'dev')).toEqual([])
    expect(lockOf(p)).toBe(written)
  })

  it('loses the layouts of a source that is gone', async () => {
    const p = projectWith(asset(), { 'a.csv': 'id,name\n1,x\n' })
    await warningsOf(p)
    p.files = { others: asset('', 'b.csv') }
    rmSync(join(p.root, 'data/a.csv'))
    write(p, 'b.csv', 'id\n1\n')
    await warningsOf(p)
    expect(Object.keys(JSON.parse(lockOf(p)).layouts)).toEqual(['others'])
  })
})
