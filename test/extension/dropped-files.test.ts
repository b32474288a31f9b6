/** What is dropped on the tree of assets: files of the editor's explorer, files from outside, and what has no place. */
import { beforeEach, expect, it, vi } from 'vitest'

const editor = vi.hoisted(() => ({ warnings: [] as string[] }))

vi.mock('vscode', () => ({
  Uri: {
    parse: (text: string) => {
      const { protocol, pathname } = new URL(text)
      return { scheme: protocol.slice(0, -1), fsPath: decodeURIComponent(pathname) }
    },
  },
  window: { showWarningMessage: (text: string) => editor.warnings.push(text) },
}))

vi.resetModules()
const { droppedFiles } = await import('../../extension/views/dropped-files.ts')

beforeEach(() => {
  editor.warnings = []
})

/** `outside` are the paths of files from outside; undefined where the editor does not know the path. */
async function drop(list: string | undefined, ...outside: readonly (string | undefined)[]) {
  const taken: string[] = []
  const { handleDrop } = droppedFiles<string>(async (files, node) => {
    taken.push(...files.map(({ fsPath }) => fsPath), `on ${node}`)
  })
  const items = outside.map(fsPath => [
    'files',
    { asFile: () => ({ uri: fsPath === undefined ? undefined : { fsPath } }) },
  ])
  const ofList = list === undefined ? [] : [['text/uri-list', { asFile: () => undefined }]]
  const transfer = {
    get: (type: string) =>
      type === 'text/uri-list' && list !== undefined ? { asString: async () => list } : undefined,
    [Symbol.iterator]: () => [...ofList, ...items][Symbol.iterator](),
  }
  const none = {
    isCancellationRequested: false,
    onCancellationRequested: () => ({ dispose: () => undefined }),
  }
  await handleDrop?.('orders', transfer as never, none as never)
  return taken
}

it('files of the explorer are taken, each once, with the row under them', async () => {
  const list = 'file:///shop/data/a%20b.csv\r\nfile:///shop/data/c.csv\r\n'
  expect(await drop(list, '/shop/data/c.csv')).toEqual([
    '/shop/data/a b.csv',
    '/shop/data/c.csv',
    'on orders',
  ])
  expect(editor.warnings).toEqual([])
})

it('files from outside are taken where the editor knows their path', async () => {
  expect(await drop(undefined, '/home/ann/visits.csv')).toEqual(['/home/ann/visits.csv', 'on orders'])
})

it('what has no place on this computer is said', async () => {
  expect(await drop('https://example.com/x.csv', undefined)).toEqual([])
  expect(editor.warnings).toEqual([expect.stringContaining('Choose it with the button')])
})
