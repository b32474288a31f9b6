/** What the page of the lineage view may ask, and how its answers come, over a real `svc ui`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAnswers, isReadable, messageFrom } from '../../extension/lineage/answers.ts'
import {
  createDashboardProcess,
  type DashboardProcess,
  NoDashboard,
} from '../../extension/lineage/dashboard-process.ts'
import { createEditorLink, type EditorApi } from '../../webview/host/editor-link.ts'
import type { ToPage } from '../../webview/host/editor-messages.ts'
import { shop } from '../cli/shop-project.ts'
import { createProject, svcLauncher, type TestProject } from '../support/cli.ts'

describe('a page', () => {
  it.each([
    'api/catalog.json',
    'api/changes',
    'api/column-path.json?asset=a&column=b',
    'api/stream/run?run=abcdefgh',
  ])('may read %s', path => expect(isReadable(path)).toBe(true))
  it.each([
    'api/stream/run?asset=orders',
    'api/stream/run?run=abcdefgh&asset=orders',
    'api/run/cancel?run=abcdefgh',
    'api/rollback',
    'api/../api/rollback',
    '/api/catalog.json',
    '//other/api/catalog.json',
    'http://other/api/catalog.json',
    'api//catalog.json',
    '',
  ])('may not read %s', path => expect(isReadable(path)).toBe(false))

  it.each([
    undefined,
    'run',
    { type: 'shell', id: 1, command: 'ls' },
    { type: 'run', id: 1, asset: 'orders', mode: '--all' },
    { type: 'run', id: '1', asset: 'orders', mode: 'asset' },
    { type: 'rollback', id: 1, names: ['orders', 2] },
    { type: 'open', path: '../other/secret', line: 1 },
    { type: 'open', path: '/etc/passwd', line: 1 },
    { type: 'open', path: 'C:\\secret', line: 1 },
    { type: 'ask', id: 1, path: 'api/catalog.json', lastEventId: 7 },
  ])('is not listened to when it says %j', message => expect(messageFrom(message)).toBeUndefined())
})

describe('over svc ui', () => {
  let project: TestProject
  let process: DashboardProcess
  const ordered: string[][] = []
  beforeEach(() => {
    project = createProject(shop)
    ordered.length = 0
    process = createDashboardProcess(invocation, () => {})
  })
  afterEach(() => {
    process.stop()
    project.dispose()
  })

  function invocation() {
    const args = [svcLauncher, 'ui', '--no-open', '--port', '0']
    return { executable: global.process.execPath, args, cwd: project.root, env: {} }
  }

  /** Page and extension, with nothing but messages between them. */
  function page() {
    let hear: (event: { readonly data: ToPage }) => void = () => {}
    const answers = createAnswers({
      process,
      tell: data => hear({ data }),
      orders: {
        isAsset: name => ['orders', 'customers'].includes(name),
        run: async selector => Number(ordered.push(['run', selector]) - 1),
        rollback: async names => Number(ordered.push(['rollback', ...names]) - 1),
        open: async () => {},
      },
    })
    const api: EditorApi = { postMessage: answers.take, getState: () => undefined, setState: () => {} }
    const listen = (_type: string, listener: unknown) => {
      hear = listener as typeof hear
    }
    return { link: createEditorLink(api, { addEventListener: listen as never }), answers }
  }

  it('answers come whole, refusals with their status, and the process comes again after its end', async () => {
    const { link } = page()
    const first = await link.transport('api/catalog.json', {})
    const { assets } = (await first.json()) as { assets: { name: string }[] }
    expect(assets.map(({ name }) => name)).toContain('orders')
    const refused = await link.transport('api/column-path.json?asset=orders&column=nothing', {})
    expect(refused.status).toBe(404)
    process.stop()
    process = createDashboardProcess(invocation, () => {})
    expect((await page().link.transport('api/dashboard.json', {})).status).toBe(200)
  })

  it('a stream goes on until the page has enough of it', async () => {
    const { link, answers } = page()
    const told: unknown[] = []
    link.onTold(message => told.push(message))
    answers.reveal('orders')
    const taken = new AbortController()
    const stream = await link.transport('api/changes', { signal: taken.signal })
    const reader = stream.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('retry: 1000')
    expect(told).toEqual([{ type: 'reveal', asset: 'orders' }])
    taken.abort()
    await expect(reader?.read()).rejects.toThrow('taken back')
  })

  it('orders name assets of the project, or are refused', async () => {
    const { link } = page()
    expect(await link.command({ type: 'run', asset: 'orders', mode: 'upstream' })).toBe(0)
    expect(await link.command({ type: 'rollback', names: [] })).toBe(1)
    await expect(link.command({ type: 'run', asset: '--all', mode: 'asset' })).rejects.toThrow('no asset')
    await expect(link.command({ type: 'rollback', names: ['orders', 'x'] })).rejects.toThrow('not all')
    await expect(link.command({ type: 'cancel', runId: 'abcdefgh' })).rejects.toThrow('not running')
    expect(ordered).toEqual([['run', '+orders'], ['rollback']])
  })

  it('what svc ui says instead of an address is the error', async () => {
    writeFileSync(join(project.root, 'svc.yaml'), 'name: [')
    const { link } = page()
    await expect(link.transport('api/catalog.json', {})).rejects.toThrow(/svc\.yaml/)
    await expect(process.get('api/catalog.json', { signal: new AbortController().signal })).rejects.toThrow(
      NoDashboard,
    )
  })
})
