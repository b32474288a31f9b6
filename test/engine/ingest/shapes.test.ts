import { createHash } from 'node:crypto'
import { readSourceShapes } from '@svc/server/catalog'
import { createProject, formatSchemaLock, parseSettings, type RawTable } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Project as Folder, temporaryProject } from './fetching.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

let folder: Folder
beforeAll(() => {
  folder = temporaryProject()
  folder.write('data/a.csv', 'US Gross,id\n1.5,7\n')
  folder.write('data/many.ndjson', `{"id":1}\n${'{"id":2,"late":true}\n'.repeat(80_000)}`)
  folder.write('data/few.ndjson', '{"id":1,"lines":[{"sku":"a"}]}\n')
})
afterAll(() => folder.remove())

async function shapesOf(files: Record<string, string>, lockText?: string) {
  const entries = Object.entries(files).map(([name, ingest]) => ({
    path: `models/${name}.svc`,
    text: `name: ${name}\n${ingest}\ntransform: SELECT 1 AS one FROM {{ source }}\n`,
  }))
  const project = createProject({ settings: parseSettings(undefined), files: entries, hash })
  return await readSourceShapes(project, { root: folder.root, lockText })
}

const show = (tables: readonly RawTable[] | undefined) =>
  tables?.map(
    ({ child, columns, complete }) =>
      `${child ?? '.'}${complete ? '' : ' and more'}: ${columns.map(({ name, type }) => `${name} ${type ?? '?'}`).join(', ')}`,
  )

describe('shapes of sources', () => {
  it('come from files, rows and contracts', async () => {
    const { shapes, diagnostics, excluded } = await shapesOf({
      csv: 'ingest: {type: file, endpoint: data, resource: a.csv}',
      few: 'ingest: {type: file, endpoint: data, resource: few.ndjson, exclude: [id]}',
      many: 'ingest: {type: file, endpoint: data, resource: many.ndjson}',
      rows: 'ingest: {type: rows, rows: [{a: 1}, {a: 2.5, b: x}]}',
      api: 'ingest: {type: rest_api, endpoint: "http://127.0.0.1:9", resource: x}\ncontract: {columns: {id: bigint}}',
      unknown: 'ingest: {type: rest_api, endpoint: "http://127.0.0.1:9", resource: x}',
      model: 'ingest: none',
    })
    expect(diagnostics).toEqual([])
    expect(show(shapes.get('csv'))).toEqual(['.: us_gross DOUBLE, id BIGINT'])
    expect(show(shapes.get('few'))).toEqual([
      '.: _svc_id VARCHAR',
      'lines: _svc_parent_id VARCHAR, _svc_idx BIGINT, sku VARCHAR',
    ])
    expect(excluded.get('few')).toEqual(['id'])
    expect(show(shapes.get('many'))).toEqual(['. and more: id ?, late ?'])
    expect(show(shapes.get('rows'))).toEqual(['.: a DOUBLE, b VARCHAR'])
    expect(show(shapes.get('api'))).toEqual(['. and more: id BIGINT'])
    expect([shapes.has('unknown'), shapes.has('model')]).toEqual([false, false])
  })

  it('come from the lock where a look is not the whole', async () => {
    const column = {
      name: 'locked',
      type: 'BIGINT',
      path: ['locked'],
      system: false,
      pii: false,
      nullable: true,
    }
    const locked = [{ child: undefined, columns: [column], complete: true }]
    const lock = formatSchemaLock(new Map(['csv', 'many', 'api'].map(name => [name, locked])))
    const { shapes } = await shapesOf(
      {
        csv: 'ingest: {type: file, endpoint: data, resource: a.csv}',
        many: 'ingest: {type: file, endpoint: data, resource: many.ndjson}',
        api: 'ingest: {type: rest_api, endpoint: "http://127.0.0.1:9", resource: x}',
      },
      lock,
    )
    expect(show(shapes.get('csv'))).toEqual(['.: us_gross DOUBLE, id BIGINT'])
    expect(show(shapes.get('many'))).toEqual(['.: locked BIGINT'])
    expect(show(shapes.get('api'))).toEqual(['.: locked BIGINT'])
  })

  it('say what a load will refuse in JSON that is valid', async () => {
    const keys = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, index]))
    folder.write('data/keys.ndjson', `{"id": 1}\n${JSON.stringify(keys)}\n`)
    folder.write('data/keys.json', JSON.stringify([keys]))
    folder.write('data/deep.ndjson', `{"id": ${'['.repeat(501)}${']'.repeat(501)}}\n`)
    folder.write('data/twice.ndjson', '{"id": 1, "id": 2}\n')
    const body = (resource: string) => `ingest: {type: file, endpoint: data, resource: ${resource}}`
    const { diagnostics } = await shapesOf({
      deep: body('deep.ndjson'),
      keys: body('keys.ndjson'),
      list: body('keys.json'),
      twice: body('twice.ndjson'),
    })
    expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'source-file-unreadable: "data/deep.ndjson" cannot be read: more than 500 levels of nesting, in record 1',
      'source-file-unreadable: "data/keys.ndjson" cannot be read: records have more than 10000 different keys, in record 2',
      'source-file-unreadable: "data/keys.json" cannot be read: records have more than 10000 different keys, in record 1',
      'source-file-unreadable: "data/twice.ndjson" cannot be read: the key "id" is given twice in one object, in record 1',
    ])
    expect(diagnostics[1]?.hint).toContain('Ask the source for a list')
  })

  it('say on the exact place what cannot be read', async () => {
    folder.write('data/broken.parquet', 'PAR1 no parquet')
    folder.write('data/latin.csv', Buffer.from('a,b\n1,caf\xe9\n', 'latin1'))
    const { diagnostics, shapes } = await shapesOf({
      gone: 'ingest: {type: file, endpoint: data, resource: gone.csv}',
      broken: 'ingest: {type: file, endpoint: data, resource: broken.parquet}',
      latin: 'ingest: {type: file, endpoint: data, resource: latin.csv}',
      odd: 'ingest: {type: file, endpoint: data, resource: a.csv, options: {delimeter: ","}}',
      meet: 'ingest: {type: rows, rows: [{"a b": 1, aB: 2}]}',
    })
    expect(diagnostics.map(({ code, severity, path }) => [code, severity, path])).toEqual([
      ['source-file-unreadable', 'warning', 'models/broken.svc'],
      ['source-file-missing', 'warning', 'models/gone.svc'],
      ['source-file-unreadable', 'warning', 'models/latin.svc'],
      ['names-meet', 'error', 'models/meet.svc'],
      ['wrong-option', 'error', 'models/odd.svc'],
    ])
    const latin = diagnostics.find(({ path }) => path === 'models/latin.svc')
    expect(latin?.message).toMatch(/^the source cannot be read: line 2: the text is not UTF-8/)
    expect(latin?.hint).toContain('ingest.options.encoding')
    const missing = diagnostics.find(({ code }) => code === 'source-file-missing')
    const text = 'name: gone\ningest: {type: file, endpoint: data, resource: gone.csv}\n'
    expect(text.slice(missing?.range.start, missing?.range.end)).toBe('gone.csv')
    expect(shapes.has('gone')).toBe(false)
  })
})
