/** A patch whose writing is killed, at each of its steps: the next command finds all files as they were. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApplyStep, applyPatch } from '../../../../cli/engine/ai/patch/apply-patch.ts'
import { type PatchVerdict, sha256Of } from '../../../../cli/engine/ai/patch/check-patch.ts'
import { recoverPatch } from '../../../../cli/engine/ai/patch/journal.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-patch-'))
const child = join(folder, 'child.cjs')
beforeAll(() => {
  buildSync({
    entryPoints: [join(import.meta.dirname, 'killed-child.ts')],
    bundle: true,
    platform: 'node',
    outfile: child,
    external: ['@duckdb/*', '@astral-sh/*'],
    logLevel: 'error',
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const before = { 'models/a.svc': 'a before\n', 'models/b.svc': 'b before\n' }
const after = { 'models/a.svc': 'a after\n', 'models/b.svc': 'b after\n', 'models/new/c.svc': 'c after\n' }

function makeProject(): string {
  const root = mkdtempSync(join(folder, 'project-'))
  for (const [path, text] of Object.entries(before)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  chmodSync(join(root, 'models/a.svc'), 0o640)
  return root
}

const verdict: PatchVerdict = {
  refusals: [],
  weakened: [],
  files: Object.entries(after).map(([path, text]) => {
    const old = (before as Readonly<Record<string, string>>)[path]
    return {
      path,
      before: old,
      after: text,
      beforeHash: old === undefined ? null : sha256Of(old),
      afterHash: sha256Of(text),
    }
  }),
}

function textsIn(root: string): Readonly<Record<string, string>> {
  const names = readdirSync(join(root, 'models'), { recursive: true, encoding: 'utf8' })
  const files = names.filter(name => statSync(join(root, 'models', name)).isFile()).sort()
  return Object.fromEntries(
    files.map(name => [`models/${name}`, readFileSync(join(root, 'models', name), 'utf8')]),
  )
}

const later = { pid: 1_000_000_000, host: 'here', now: () => new Date() }

function killAt(step: ApplyStep, times: number): string {
  const root = makeProject()
  const file = join(folder, 'verdict.json')
  writeFileSync(file, JSON.stringify(verdict))
  const { signal, stderr } = spawnSync(process.execPath, [child, root, step, String(times), file], {
    encoding: 'utf8',
  })
  expect(stderr + String(signal)).toBe('SIGKILL')
  return root
}

const places: readonly (readonly [ApplyStep, number])[] = [
  ['begin', 0],
  ['journal', 0],
  ['backup', 0],
  ['backup', 1],
  ['backup', 2],
  ['draft', 0],
  ['draft', 1],
  ['draft', 2],
  ['rename', 0],
  ['renamed', 0],
  ['rename', 1],
  ['renamed', 1],
  ['rename', 2],
  ['renamed', 2],
]

/** Every file with a text of `models/a.svc`. */
function copiesOf(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map(name => join(root, name))
    .filter(path => statSync(path).isFile() && /^a (before|after)$/m.test(readFileSync(path, 'utf8')))
}

describe('a patch that is killed', () => {
  it.each(places)('at "%s" (%i before) leaves nothing of itself', (step, times) => {
    const root = killAt(step, times)
    // What is copied of the first file, as its backup or draft, is open to nobody else.
    for (const path of copiesOf(root)) expect(statSync(path).mode & 0o137, path).toBe(0)
    recoverPatch(root, later)
    expect(textsIn(root)).toEqual(before)
    expect(existsSync(join(root, '.svc/patch'))).toBe(false)
    expect(existsSync(join(root, 'models/new'))).toBe(false)
    expect(statSync(join(root, 'models/a.svc')).mode & 0o777).toBe(0o640)
  })

  it('after its journal is gone stays applied', () => {
    const root = killAt('ended', 0)
    expect(recoverPatch(root, later)).toEqual([])
    expect(textsIn(root)).toEqual(after)
    expect(statSync(join(root, 'models/a.svc')).mode & 0o777).toBe(0o640)
  })

  it('is undone twice without harm, and leaves a file alone that somebody has changed since', () => {
    const root = killAt('renamed', 1)
    writeFileSync(join(root, 'models/b.svc'), 'mine\n')
    expect(recoverPatch(root, later)).toEqual(['models/a.svc'])
    expect(recoverPatch(root, later)).toEqual([])
    expect(textsIn(root)).toEqual({ ...before, 'models/b.svc': 'mine\n' })
  })

  it('is not undone while its process lives, but where that has had a minute', () => {
    const root = killAt('renamed', 0)
    const journal = join(root, '.svc/patch/journal.json')
    const living = { ...JSON.parse(readFileSync(journal, 'utf8')), pid: process.pid }
    writeFileSync(journal, JSON.stringify(living))
    expect(recoverPatch(root, later)).toEqual([])
    const tomorrow = { ...later, now: () => new Date(Date.now() + 86_400_000) }
    expect(recoverPatch(root, tomorrow)).toEqual(['models/a.svc'])
    expect(textsIn(root)).toEqual(before)
  })

  it('that meets an error puts everything back', () => {
    const root = makeProject()
    const world = { pid: process.pid, host: 'here', now: () => new Date() }
    const workspace = { root, world, project: { settings: { models: 'models/' } } }
    const failing = (step: string, path: string) => {
      if (step === 'rename' && path === 'models/b.svc')
        writeFileSync(join(root, 'models/new/c.svc'), 'theirs\n')
    }
    const apply = () =>
      applyPatch(workspace as unknown as Parameters<typeof applyPatch>[0], verdict, {
        agreed: true,
        onStep: failing,
      })
    expect(apply).toThrow(/models\/new\/c.svc was changed meanwhile; every file is as it was/)
    expect(textsIn(root)).toEqual({ ...before, 'models/new/c.svc': 'theirs\n' })
  })
})
