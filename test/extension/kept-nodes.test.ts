/** The rows of a tree keep their nodes while it is drawn again, so that a click in that moment is not lost. */
import { expect, test } from 'vitest'
import { KeptNodes } from '../../extension/views/kept-nodes.ts'

interface Row {
  readonly name: string
  readonly text: string
}

/** A tree of folders with files; `files` may be changed between two drawings. */
function treeOf(files: Record<string, string[]>) {
  const drawn: (Row[] | undefined)[] = []
  const nodes = new KeptNodes<Row>(
    {
      children: parent =>
        parent === undefined
          ? Object.keys(files).map(name => ({ name, text: `${files[name]?.length}` }))
          : Promise.resolve(
              (files[parent.name] ?? []).map(name => ({ name, text: `${name} in ${parent.text}` })),
            ),
      idOf: ({ name }) => name,
    },
    rows => drawn.push(rows),
  )
  return { nodes, drawn }
}

test('rows with nothing below them are drawn again as the same nodes', async () => {
  const files = { a: ['one', 'two'], b: ['three'] }
  const { nodes, drawn } = treeOf(files)
  const roots = await nodes.children(undefined)
  const below = await nodes.children(roots[0])
  files.b.push('four')
  await nodes.changed()
  expect(drawn).toHaveLength(1)
  expect(drawn[0]).toEqual([roots[1], ...below])
  expect(drawn[0]?.every((node, index) => node === [roots[1], ...below][index])).toBe(true)
  expect(roots[1]).toEqual({ name: 'b', text: '2' })
})

test.each([
  ['a root comes', { a: ['one'], c: [] }],
  ['a root goes', {}],
  ['a row below comes', { a: ['one', 'two'] }],
  ['a row below is another one', { a: ['two'] }],
])('everything is drawn again when %s', async (_, later) => {
  const files: Record<string, string[]> = { a: ['one'] }
  const { nodes, drawn } = treeOf(files)
  const [root] = await nodes.children(undefined)
  await nodes.children(root)
  for (const name of Object.keys(files)) delete files[name]
  Object.assign(files, later)
  await nodes.changed()
  expect(drawn).toEqual([undefined])
})

test('a tree that nobody has looked at yet is drawn whole', async () => {
  const { nodes, drawn } = treeOf({ a: [] })
  await nodes.changed()
  expect(drawn).toEqual([undefined])
})
