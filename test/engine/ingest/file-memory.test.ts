import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProject, parseSettings } from '@svc/server/language'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFileMemory } from '../../../cli/engine/ingest/file-memory.ts'
import { sha256 } from '../../../cli/engine/workspace/open-workspace.ts'

let root: string
const content = { loadId: 'abc', rows: 2, bytes: 12 }

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-memory-'))
  mkdirSync(join(root, 'data'))
  mkdirSync(join(root, 'later'))
  const anHourFromNow = Date.now() / 1000 + 3600
  utimesSync(join(root, 'later'), anHourFromNow, anHourFromNow)
  writeFileSync(join(root, 'data', 'a.csv'), 'id\n1\n2\n')
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function assetOf(ingest: string) {
  const text = `name: a\ningest: ${ingest}\ntransform: SELECT 1 AS n FROM {{ source }}\n`
  const files = [{ path: 'models/a.svc', text }]
  const asset = createProject({ settings: parseSettings(undefined), files, hash: sha256 }).byName.get('a')
  if (asset === undefined) throw new Error('no asset')
  return asset
}

const glob = assetOf("{type: file, endpoint: ./data, resource: '*.csv'}")

const settings = parseSettings(undefined)

function memory() {
  return openFileMemory({ folder: root, root, env: {}, settings, pid: process.pid })
}

/** The folder was made when the fetch began: `later` long after the files were written, `data` just then. */
async function remember(freshFolder = 'later', asset = glob) {
  const opened = memory()
  await (await opened.watch(asset, join(root, freshFolder)))(content)
  opened.save()
}

test('files that nobody has touched are known by the next process', async () => {
  expect(await memory().recall(glob)).toBeUndefined()
  await remember()
  expect(await memory().recall(glob)).toMatchObject(content)
})

test.each([
  [
    'written with the same size and its old time set again',
    () => writeFileSync(join(root, 'data', 'a.csv'), 'id\n3\n4\n'),
  ],
  ['joined by another file', () => writeFileSync(join(root, 'data', 'b.csv'), 'id\n')],
  ['gone', () => rmSync(join(root, 'data', 'a.csv'))],
])('a file that is %s has to be read', async (_, change) => {
  const long = Date.now() / 1000 - 3600
  utimesSync(join(root, 'data', 'a.csv'), long, long)
  await remember()
  expect(await memory().recall(glob)).toMatchObject(content)
  change()
  if (readFileSyncIfThere(join(root, 'data', 'a.csv')) !== undefined)
    utimesSync(join(root, 'data', 'a.csv'), long, long)
  expect(await memory().recall(glob)).toBeUndefined()
})

function readFileSyncIfThere(path: string) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

test('other options for the same files have to be read', async () => {
  await remember()
  const other = assetOf("{type: file, endpoint: ./data, resource: '*.csv', options: {header: false}}")
  expect(await memory().recall(other)).toBeUndefined()
})

test('a file written just before the fetch may still change unseen, so it is read again', async () => {
  await remember('data')
  expect(await memory().recall(glob)).toBeUndefined()
})

test('a file that changes while it is read is not remembered, and what was known of it is forgotten', async () => {
  await remember()
  const opened = memory()
  const note = await opened.watch(glob, join(root, 'later'))
  writeFileSync(join(root, 'data', 'a.csv'), 'id\n1\n2\n3\n')
  await note(content)
  opened.save()
  expect(await memory().recall(glob)).toBeUndefined()
})

test.each(['', '{', '[]', '{"version":1,"sources":{"a":null}}', '{"version":1,"sources":{"a":{"stamp":1}}}'])(
  'a damaged memory (%s) is an empty one',
  async text => {
    await remember()
    writeFileSync(join(root, 'files.json'), text)
    expect(await memory().recall(glob)).toBeUndefined()
    await remember()
    expect(await memory().recall(glob)).toMatchObject(content)
  },
)

test('a memory that cannot be written only costs a reading', async () => {
  const opened = openFileMemory({
    folder: join(root, 'data', 'a.csv'),
    root,
    env: {},
    settings,
    pid: process.pid,
  })
  await (await opened.watch(glob, join(root, 'later')))(content)
  expect(() => opened.save()).not.toThrow()
})

test('a source that is no file is never remembered', async () => {
  const rows = assetOf('{type: rows, rows: [{id: 1}]}')
  await remember('later', rows)
  expect(await memory().recall(rows)).toBeUndefined()
})
