/** Which svc a project has of its own, what is said of it, and which one runs. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const editor = vi.hoisted(() => ({
  isTrusted: true,
  settings: {} as Record<string, unknown>,
  answer: undefined as string | undefined,
  said: [] as string[],
}))

vi.mock('vscode', () => {
  const none = () => ({ dispose: () => undefined })
  return {
    Uri: { parse: (text: string) => ({ fsPath: decodeURIComponent(new URL(text).pathname) }) },
    window: {
      showWarningMessage: async (text: string) => {
        editor.said.push(text)
        return editor.answer
      },
    },
    workspace: {
      get isTrusted() {
        return editor.isTrusted
      },
      onDidGrantWorkspaceTrust: none,
      onDidChangeConfiguration: none,
      getConfiguration: () => ({
        get: (name: string) => editor.settings[name],
        update: async (name: string, value: unknown) => {
          editor.settings[name] = value
        },
      }),
    },
  }
})

vi.resetModules()
const { buildOf, isSameBuild, nameOf, ownSvc } = await import('../../extension/own-svc.ts')
const { chooseSvc, tellOtherBuilds } = await import('../../extension/chosen-svc.ts')

let root = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-own-')))
  Object.assign(editor, { isTrusted: true, settings: {}, answer: undefined, said: [] })
  vi.stubEnv('PATH', join(root, 'nothing'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true })
})

/** Puts a package of svc into a folder; returns its launcher. */
function put(folder: string, build: string | undefined, name = 'svc-cli'): string {
  const place = join(root, folder)
  for (const part of ['bin', 'dist']) mkdirSync(join(place, part), { recursive: true })
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name, version: '0.1.0' }))
  if (build !== undefined) writeFileSync(join(place, 'dist', 'build-id'), build)
  const cli = join(place, 'bin', 'svc.cjs')
  writeFileSync(cli, '')
  chmodSync(cli, 0o755)
  return cli
}

describe('the svc of a project', () => {
  it('is the one in its node_modules, or in those of a folder above', () => {
    const above = put('repository/node_modules/svc-cli', 'aaaaaaaa')
    const project = join(root, 'repository', 'data', 'shop')
    expect(ownSvc(project, '')).toEqual({ cli: above, version: '0.1.0', build: 'aaaaaaaa' })
    const nearer = put('repository/data/shop/node_modules/svc-cli', 'bbbbbbbb')
    expect(ownSvc(project, '')?.cli).toBe(nearer)
  })

  it.skipIf(process.platform === 'win32')('else is the first on PATH, if that is one of ours', () => {
    const installed = put('lib/node_modules/svc-cli', 'cccccccc')
    const [bin, other] = [join(root, 'bin'), join(root, 'other')]
    for (const folder of [bin, other]) mkdirSync(folder)
    symlinkSync(installed, join(bin, 'svc'))
    writeFileSync(join(other, 'svc'), '#!/bin/sh\n')
    expect(ownSvc(join(root, 'shop'), bin)?.cli).toBe(installed)
    expect(ownSvc(join(root, 'shop'), `${other}:${bin}`)).toBeUndefined()
    expect(ownSvc(join(root, 'shop'), '')).toBeUndefined()
  })

  it('is told apart by its build, and a package of that name that is not ours is none', () => {
    const [one, same, other, old] = ['aaaaaaaa', 'aaaaaaaa', 'bbbbbbbb', undefined].map((build, index) =>
      buildOf(put(`p${index}`, build)),
    )
    if (one === undefined || same === undefined || other === undefined || old === undefined)
      throw new Error('they are builds')
    expect([isSameBuild(one, same), isSameBuild(one, other), isSameBuild(one, old)]).toEqual([
      true,
      false,
      false,
    ])
    expect([nameOf(one), nameOf(old)]).toEqual(['svc 0.1.0 (aaaaaaaa)', 'svc 0.1.0'])
    expect(buildOf(put('foreign', 'x', 'another'))).toBeUndefined()
  })
})

describe('the editor', () => {
  const state = new Map<string, unknown>()
  beforeEach(() => state.clear())

  /** The extension's own, and a project with another one. */
  function stage(build: string) {
    const bundled = put('extension/cli', 'eeeeeeee')
    const own = put('shop/node_modules/svc-cli', build)
    const uri = pathToFileURL(dirname(dirname(dirname(dirname(own))))).href
    return { bundled, own, uri }
  }

  async function look(bundled: string, uri: string) {
    const context = {
      subscriptions: [],
      workspaceState: {
        get: (key: string, fallback: unknown) => state.get(key) ?? fallback,
        update: async (key: string, value: unknown) => void state.set(key, value),
      },
    }
    const projects = { all: [{ name: 'shop', root: uri }], onDidChange: () => ({ dispose: () => undefined }) }
    const log = { info: () => undefined, warn: () => undefined }
    tellOtherBuilds({ context, projects, log } as never, bundled)
    await new Promise(resolve => setImmediate(resolve))
  }

  it('says once that a project has another build, and takes that one only by choice', async () => {
    const { bundled, own, uri } = stage('ffffffff')
    await look(bundled, uri)
    await look(bundled, uri)
    expect(editor.said).toEqual([
      `SVC: shop has its own svc 0.1.0 (ffffffff) (${own}), and the editor uses svc 0.1.0 (eeeeeeee) of the extension. They may check, build and migrate differently.`,
    ])
    expect(chooseSvc(bundled).of(uri)).toBe(bundled)
  })

  it('takes it from then on where that is chosen, and never in a workspace that nobody trusts', async () => {
    const { bundled, own, uri } = stage('ffffffff')
    editor.answer = "Use the Project's"
    await look(bundled, uri)
    expect(editor.settings).toEqual({ useProjectSvc: true })
    expect(chooseSvc(bundled).of(uri)).toBe(own)
    editor.isTrusted = false
    expect(chooseSvc(bundled).of(uri)).toBe(bundled)
  })

  it('says nothing of the same build', async () => {
    const { bundled, uri } = stage('eeeeeeee')
    await look(bundled, uri)
    expect(editor.said).toEqual([])
  })

  it('says that the project has none where the setting asks for it, and runs its own', async () => {
    const bundled = put('extension/cli', 'eeeeeeee')
    editor.settings = { useProjectSvc: true }
    const uri = pathToFileURL(join(root, 'bare')).href
    await look(bundled, uri)
    expect(editor.said).toEqual([expect.stringContaining('shop has no svc of its own')])
    expect(chooseSvc(bundled).of(uri)).toBe(bundled)
  })
})
