/** Files of `database/` in an editor: read when they change, told with their places, and never followed out of a folder that nobody trusts. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { LiveProject } from '../../server/lsp/project/live-project.ts'
import type { ProjectHost } from '../../server/lsp/project/project-host.ts'

const model = 'models/a.svc'
const ours = 'database/ours.sql'
const postgres = 'warehouse: postgres://localhost/shop\n'
const twice = "CREATE FUNCTION public.twice(n int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT n * 2';\n"

let folder: string
let root: string
let project: LiveProject | undefined
let told: Map<string, readonly string[]>
let logged: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-declarations-'))
  root = join(folder, 'project')
  for (const name of ['models', 'database']) mkdirSync(join(root, name), { recursive: true })
  write(model, 'name: a\ningest: none\ntransform: SELECT public.twice(2) AS four\n')
  told = new Map()
  logged = []
})
afterEach(() => {
  project?.stop()
  rmSync(folder, { recursive: true })
})

function write(path: string, text: string): void {
  writeFileSync(join(root, path), text)
}

function open(warehouse: string, isTrusted = true): LiveProject {
  write('svc.yaml', `name: shop\n${warehouse}`)
  const host = {
    now: () => new Date(),
    program: undefined,
    env: {},
    isTrusted,
    environmentVariables: [],
    onFailure() {},
    onLargeWork() {},
    onExtensions() {},
    functions: () => new Map(),
    progress: () => ({ report() {}, end() {} }),
    log: { info() {}, warn: (message: string) => logged.push(message), error: expect.fail },
    onChanged() {},
    onDiagnostics(_: LiveProject, found: ReadonlyMap<string, readonly { readonly message: string }[]>) {
      for (const [path, list] of found) {
        const messages = list.map(({ message }) => message)
        told.set(path, messages)
      }
    },
  } as unknown as ProjectHost
  project = new LiveProject({ root, host })
  return project
}

const said = (path: string) => expect.poll(() => told.get(path), { timeout: 30_000 })
const unknown = [expect.stringContaining('unknown function')]
const noDeclaration = [expect.stringContaining('a file of database/ has CREATE FUNCTION')]

it('are read again when they change, and what is wrong in one stays until it is mended', async () => {
  const editor = open(postgres)
  await said(model).toEqual(unknown)
  const wrong = `${twice}CREATE TABLE a (b int);\n`
  write(ours, wrong)
  editor.filesChanged([ours])
  await said(model).toEqual([])
  await said(ours).toEqual(noDeclaration)
  expect(editor.textOf(ours)).toBe(wrong)
  editor.edit(model, 'name: a\ningest: none\ntransform: SELECT public.thrice(2) AS six\n')
  await said(model).toEqual(unknown)
  await said(ours).toEqual(noDeclaration)
  rmSync(join(root, ours))
  editor.filesChanged([ours])
  await said(ours).toEqual([])
}, 120_000)

it('are told of where another environment has the engine that reads them', async () => {
  write(ours, 'CREATE TABLE a (b int);\n')
  open('warehouse: duckdb:./w.duckdb\nenvironments: {prod: {warehouse: "postgres://localhost/shop"}}\n')
  await said(ours).toEqual(noDeclaration)
}, 120_000)

it('are not followed out of a folder that is not trusted', async () => {
  writeFileSync(join(folder, 'outside.sql'), twice)
  symlinkSync(join(folder, 'outside.sql'), join(root, ours))
  open(postgres, false)
  await said(model).toEqual(unknown)
}, 120_000)

it('are checked without, and told of in the log, where one cannot be read', async () => {
  write(ours, '')
  truncateSync(join(root, ours), (256 << 20) + 1)
  open(postgres)
  await said(model).toEqual(unknown)
  expect(logged).toContainEqual(expect.stringContaining('it has more than 256 MB'))
}, 120_000)
