/** The functions are read once nobody types; their colours are asked for after that. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Connection } from 'vscode-languageserver'
import { refreshSoon } from '../../server/lsp/refresh.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('reads no functions while somebody types, and refreshes tokens when they are read', async () => {
  const asked: string[] = []
  const refreshOf = (what: string) => async () => void asked.push(what)
  const connection = {
    languages: {
      inlayHint: { refresh: refreshOf('hints') },
      semanticTokens: { refresh: refreshOf('tokens') },
    },
  } as unknown as Connection
  const refreshSupport = true
  const workspace = { inlayHint: { refreshSupport }, semanticTokens: { refreshSupport } }
  let read: () => void = () => expect.fail('they are not asked for')
  const functionsRead = () => {
    asked.push('functions')
    return new Promise<void>(resolve => {
      read = resolve
    })
  }
  const refresh = refreshSoon(connection, { workspace }, functionsRead)
  for (let key = 0; key < 20; key++) {
    refresh()
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(400)
  expect(asked).toEqual(['hints', 'functions'])
  read()
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toEqual(['hints', 'functions', 'tokens'])
})
