import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseSettings } from '@svc/server/language'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { warehousePlace } from '../../cli/engine/artifacts/warehouse-place.ts'
import { changeWhole, copyWhole, writeWhole } from '../../cli/engine/artifacts/write-file.ts'
import { resolveEnvironment } from '../../cli/engine/config/environment.ts'
import { findProject } from '../../cli/engine/config/find-project.ts'
import { newRunId } from '../../cli/engine/config/run-id.ts'
import { SvcError } from '../../cli/engine/errors.ts'
import { branchSlug } from '../../server/workspace/environment-names.ts'
import { gitBranch } from '../../server/workspace/git-branch.ts'
import { listAssets } from '../../server/workspace/read-assets.ts'

let root = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-workspace-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text = ''): string {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  return join(root, path)
}

function codeOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return error instanceof SvcError ? error.code : String(error)
  }
  return 'no error'
}

describe('the project', () => {
  it('is the nearest folder upwards with svc.yaml', () => {
    put('svc.yaml')
    put('models/a/b.svc')
    expect(findProject(join(root, 'models', 'a'))).toBe(root)
  })

  it('is one with .svc files in models/ where there is no svc.yaml', () => {
    put('models/a/b.svc')
    expect(findProject(join(root, 'models'))).toBe(root)
  })

  it('is not a folder that is only called models', () => {
    put('models/readme.md')
    expect(codeOf(() => findProject(root))).toBe('no-project')
  })
})

describe('the files', () => {
  it('are read in path order, without hidden folders and node_modules', () => {
    for (const path of ['b.svc', 'a/z.svc', 'a/y.txt', '.hidden/x.svc', 'node_modules/p/x.svc', '.svc']) {
      put(`models/${path}`)
    }
    expect(listAssets(root, 'models/')).toEqual(['models/a/z.svc', 'models/b.svc'])
  })

  it('are read once each, whatever links there are', () => {
    put('models/a/x.svc')
    put('elsewhere/y.svc')
    symlinkSync(join(root, 'models'), join(root, 'models', 'a', 'loop'))
    symlinkSync(root, join(root, 'models', 'up'))
    symlinkSync(join(root, 'elsewhere'), join(root, 'models', 'linked'))
    symlinkSync(join(root, 'nowhere'), join(root, 'models', 'dead.svc'))
    expect(listAssets(root, 'models')).toEqual(['models/a/x.svc', 'models/linked/y.svc'])
  })

  it('may be missing altogether', () => {
    expect(listAssets(root, 'models/')).toEqual([])
  })
})

describe('the branch', () => {
  it('is read from .git, above too', () => {
    put('.git/HEAD', 'ref: refs/heads/feature/Sales\n')
    put('sub/folder/x')
    expect(gitBranch(join(root, 'sub', 'folder'))).toBe('feature/Sales')
  })

  it('is read through the file that a work tree has', () => {
    put('main/.git/worktrees/two/HEAD', 'ref: refs/heads/two\n')
    put('two/.git', `gitdir: ${join(root, 'main', '.git', 'worktrees', 'two')}\n`)
    put('three/.git', 'gitdir: ../main/.git/worktrees/two\n')
    expect(gitBranch(join(root, 'two'))).toBe('two')
    expect(gitBranch(join(root, 'three'))).toBe('two')
  })

  it('is none where the head is detached or there is no repository', () => {
    put('a/.git/HEAD', `${'0'.repeat(40)}\n`)
    put('b/.git', 'gitdir: /nowhere/at/all\n')
    expect(gitBranch(join(root, 'a'))).toBeUndefined()
    expect(gitBranch(join(root, 'b'))).toBeUndefined()
  })
})

describe('an environment', () => {
  const settings = parseSettings(
    'name: shop\ndefault_schema: mart\nvars: {a: 1, b: 2}\nenvironments:\n  prod: {warehouse: env:PROD_URL, vars: {b: 3}}\n  ci: {schema: checks}\n',
  )
  const resolve = (name: string, branch?: string, env = {}) =>
    resolveEnvironment({ settings, name, branch, env })

  it('decides the schema', () => {
    expect(resolve('prod').schema).toBe('mart')
    expect(resolve('prod', 'main').schemaFor('raw')).toBe('raw')
    expect(resolve('dev', 'main').schema).toBe('mart_dev_main')
    expect(resolve('dev', 'main').schemaFor('raw')).toBe('raw_dev_main')
    expect(resolve('dev').schema).toBe('mart_dev')
    expect(resolve('staging', 'main').schema).toBe('mart_staging')
    expect(resolve('ci', 'main').schema).toBe('checks')
    expect(resolve('ci', 'main').schemaFor('mart')).toBe('checks')
  })

  it('has a state of its own on each branch', () => {
    expect(resolve('dev').stateName).toBe('dev')
    expect(resolve('dev', 'main').stateName).toBe('dev_main')
    expect(resolve('dev', 'a/b').stateName).not.toBe(resolve('dev', 'a_b').stateName)
    expect(resolve('prod', 'main').stateName).toBe('prod')
  })

  it('is refused where PostgreSQL would cut the name of its schema', () => {
    const long = 'a'.repeat(50)
    const resolveIn = (warehouse: string, name: string) =>
      resolveEnvironment({
        settings: parseSettings(
          `name: shop\ndefault_schema: ${long}\nwarehouse: ${warehouse}\nenvironments: {ci: {schema: ${'c'.repeat(64)}}}\n`,
        ),
        name,
        branch: undefined,
        env: {},
      })
    const there = 'postgres://me@db/shop'
    expect(resolveIn(there, 'twelve_chars').schema).toBe(`${long}_twelve_chars`)
    expect(codeOf(() => resolveIn(there, 'thirteen_char'))).toBe('schema-name-too-long')
    expect(codeOf(() => resolveIn(there, 'ci'))).toBe('schema-name-too-long')
    expect(codeOf(() => resolveIn(there, 'staging').schemaFor('b'.repeat(56)))).toBe('schema-name-too-long')
    expect(resolveIn('duckdb:./pets.duckdb', 'thirteen_char').schema).toBe(`${long}_thirteen_char`)
  })

  it('keeps two branches apart whose slugs would meet', () => {
    expect(branchSlug('main')).toBe('main')
    expect(branchSlug('feature/Sales')).toMatch(/^feature_sales_[0-9a-f]{6}$/)
    expect(branchSlug('feature-sales')).not.toBe(branchSlug('feature/sales'))
    expect(branchSlug('日本')).toMatch(/^branch_[0-9a-f]{6}$/)
    expect(branchSlug('a'.repeat(200))).toHaveLength(39)
  })

  it('has variables and a warehouse of its own', () => {
    expect(resolve('prod').vars).toEqual({ a: 1, b: 3 })
    expect(resolve('prod', undefined, { PROD_URL: 'duckdb:p.duckdb' }).warehouseUrl).toBe('duckdb:p.duckdb')
    expect(resolve('dev').warehouseUrl).toBe('duckdb:./warehouse.duckdb')
  })

  it('says which variable is missing, and only when the warehouse is asked for', () => {
    const environment = resolve('prod')
    expect(codeOf(() => environment.warehouseUrl)).toBe('missing-credentials')
  })

  it('has a name that can be part of a schema', () => {
    for (const name of ['Prod', 'a-b', '', '1a', 'a"b', 'x'.repeat(33)]) {
      expect(codeOf(() => resolve(name))).toBe('unknown-environment')
    }
  })
})

describe('run ids', () => {
  it('are ten characters that sort by time', () => {
    const early = newRunId(new Date('2026-11-20T10:00:00Z'), () => 0.999999)
    const next = newRunId(new Date('2026-11-20T10:00:00.001Z'), () => 0)
    expect(next > early).toBe(true)
    const late = newRunId(new Date('2026-11-20T10:00:01Z'), () => 0)
    expect(early).toMatch(/^[0-9a-hjkmnp-tv-z]{10}$/)
    expect(late > early).toBe(true)
    expect(newRunId(new Date('2026-11-20T10:00:00Z'), () => 0.5)).not.toBe(early)
  })
})

describe('written files', () => {
  it('are replaced whole and leave nothing beside them', () => {
    const path = put('x/file.json', 'old')
    writeWhole(path, 'new', 1)
    expect(readdirSync(join(root, 'x'))).toEqual(['file.json'])
    expect(readFileSync(path, 'utf8')).toBe('new')
    expect(codeOf(() => writeWhole(join(path, 'below-a-file'), 'text', 1))).toBe('file-failed')
  })

  it('keep their permissions, and links where they are changed in place', () => {
    const path = put('x/file.json', 'old')
    chmodSync(path, 0o600)
    writeWhole(path, 'new', 1)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const link = join(root, 'link.json')
    symlinkSync(path, link)
    changeWhole(link, 'changed', 1)
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readFileSync(path, 'utf8')).toBe('changed')
    writeWhole(link, 'of its own', 1)
    expect(lstatSync(link).isFile()).toBe(true)
    expect(readFileSync(path, 'utf8')).toBe('changed')
  })

  it('have a second name without being written twice', () => {
    const path = put('x/file.json', 'one')
    const copy = join(root, 'y', 'file.json')
    copyWhole(path, copy, 1)
    copyWhole(path, copy, 1)
    expect(readdirSync(join(root, 'y'))).toEqual(['file.json'])
    writeWhole(path, 'two', 1)
    expect(readFileSync(copy, 'utf8')).toBe('one')
    copyWhole(path, copy, 1)
    expect(readFileSync(copy, 'utf8')).toBe('two')
  })

  it('name the warehouse by kind and place, never with a secret', () => {
    expect(warehousePlace('duckdb:./data/warehouse.duckdb')).toBe('duckdb: warehouse.duckdb')
    expect(warehousePlace('postgres://me:s3cret@db.example.com:5432/x?sslkey=s3cret')).toBe(
      'postgres: db.example.com',
    )
    expect(warehousePlace('postgres://me:p@ss@db.example.com/x')).toBe('postgres: db.example.com')
    expect(warehousePlace('s3cret')).toBe('unknown')
  })
})
