/** What is said of tests, of the server and of ages in places that have no room for many words. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Connection } from 'vscode-languageserver'
import { downWatch } from '../../extension/down-watch.ts'
import { checksText } from '../../extension/status/checks-text.ts'
import { isBlamed, isNews, verdictOf } from '../../extension/testing/verdicts.ts'
import { eachMinute } from '../../extension/views/each-minute.ts'
import { refreshAges } from '../../server/lsp/refresh.ts'

describe('the Test Explorer', () => {
  const uriOf = (path: string) => `file:///shop/${path}`
  const none = () => false

  it('blames the tests of the file with the error, and no others', () => {
    expect(isBlamed('models/a.svc', 'file:///shop/models/a.svc', uriOf, none)).toBe(true)
    expect(isBlamed('models/a.svc', 'file:///shop/models/b.svc', uriOf, none)).toBe(false)
    expect(isBlamed('models/a.svc', undefined, uriOf, none)).toBe(false)
  })

  it('blames files with errors of their own where the error names no place, and none for a warehouse that is away', () => {
    const hasErrors = (uri: string) => uri.endsWith('/b.svc')
    expect(isBlamed(undefined, 'file:///shop/models/b.svc', uriOf, hasErrors)).toBe(true)
    expect(isBlamed(undefined, 'file:///shop/models/a.svc', uriOf, hasErrors)).toBe(false)
    expect(isBlamed(undefined, undefined, uriOf, hasErrors)).toBe(false)
  })

  it('shows what a run has found, also where it kept a verdict that is newer than the red that is shown', () => {
    const [early, started, late] = [8, 9, 10].map(hour => new Date(2026, 4, 1, hour)) as [Date, Date, Date]
    expect(isNews(late, started, undefined)).toBe(true)
    expect(isNews(early, started, undefined)).toBe(false)
    // It could not run before.
    expect(isNews(early, started, new Date(0))).toBe(true)
    // A later test in the explorer found something else.
    expect(isNews(early, started, new Date(2026, 4, 1, 8, 30))).toBe(false)
  })

  it('has red for what stops a promotion alone', () => {
    expect(verdictOf({ status: 'fail', severity: 'error' })).toBe('failed')
    expect(verdictOf({ status: 'fail', severity: 'warn' })).toBe('warns')
    expect(verdictOf({ status: 'pass', severity: 'error' })).toBe('passed')
    expect(verdictOf({ status: 'pass', severity: 'warn' })).toBe('passed')
    expect(verdictOf(undefined)).toBe('unknown')
  })
})

describe('a server that stops', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  function watched(): { readonly watch: ReturnType<typeof downWatch>; readonly told: () => number } {
    let told = 0
    return { watch: downWatch(() => told++), told: () => told }
  }

  it('is not down while it is started again, and down once nobody starts it any more', () => {
    const { watch, told } = watched()
    for (let crash = 1; crash <= 4; crash++) {
      watch.heard('stopped')
      vi.advanceTimersByTime(1_000)
      watch.heard('starting')
      watch.heard('running')
      vi.advanceTimersByTime(10_000)
    }
    expect([watch.isDown, told()]).toEqual([false, 0])
    watch.heard('stopped')
    vi.advanceTimersByTime(10_000)
    expect([watch.isDown, told()]).toEqual([true, 1])
    watch.heard('starting')
    expect(watch.isDown).toBe(false)
  })

  it('because the editor is closed is not missed', () => {
    const { watch, told } = watched()
    watch.end()
    watch.heard('stopped')
    vi.advanceTimersByTime(10_000)
    expect([watch.isDown, told()]).toEqual([false, 0])
  })
})

describe('the status bar', () => {
  it('marks a server that crashed too often, whatever it was doing, and a click starts it again', () => {
    const down = checksText({ isDown: true, checking: [{ done: 1, of: 9 }] })
    expect(down).toMatchObject({ leadsTo: 'restart', text: '$(error) SVC: files are not checked' })
    expect(down?.tooltip).toContain('problems are outdated')
  })

  it('says how far a large check is, over all projects', () => {
    const checking = [
      { done: 1_000, of: 1_600 },
      { done: 4, of: 20 },
    ]
    expect(checksText({ isDown: false, checking })).toMatchObject({
      leadsTo: 'problems',
      text: '$(sync~spin) checking 1,004 of 1,620',
    })
  })

  it('does not say once more what the item of the editor says', () => {
    expect(checksText({ isDown: false, checking: [] })).toBeUndefined()
  })
})

describe('ages', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('of lenses are asked for again each minute, where the editor can do that', () => {
    const sendRequest = vi.fn(() => Promise.resolve())
    const connection = { sendRequest } as unknown as Connection
    const stop = refreshAges(connection, { workspace: { codeLens: { refreshSupport: true } } })
    vi.advanceTimersByTime(7 * 60_000)
    expect(sendRequest.mock.calls).toEqual(Array(7).fill(['workspace/codeLens/refresh']))
    stop()
    refreshAges(connection, { workspace: {} })
    vi.advanceTimersByTime(60_000)
    expect(sendRequest).toHaveBeenCalledTimes(7)
  })

  it('in lists are drawn again each minute while the list is seen', () => {
    const view = { visible: true }
    const draw = vi.fn()
    const watched = eachMinute(view, draw)
    vi.advanceTimersByTime(7 * 60_000)
    expect(draw).toHaveBeenCalledTimes(7)
    view.visible = false
    vi.advanceTimersByTime(60_000)
    view.visible = true
    expect(draw).toHaveBeenCalledTimes(7)
    watched.dispose()
    vi.advanceTimersByTime(60_000)
    expect(draw).toHaveBeenCalledTimes(7)
  })
})
