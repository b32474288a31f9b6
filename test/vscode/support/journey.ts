/** What every file of journeys has in common: one window for all of its tests, each of which begins with it tidied up. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { type EditorWindow, openWindow, type WindowOptions } from './window.ts'

/** The window, which is open while tests run. */
export function journeysIn(options: WindowOptions): EditorWindow {
  let opened: EditorWindow | undefined
  const editor = new Proxy({} as EditorWindow, {
    get(_, name) {
      if (opened === undefined) throw new Error('the window is not open')
      return Reflect.get(opened, name)
    },
  })
  beforeAll(async () => {
    opened = await openWindow(options)
  })
  beforeEach(() => editor.reset())
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await editor.keepTraces(task.name)
    expect(editor.errors).toEqual([])
  })
  afterAll(() => opened?.close())
  return editor
}
