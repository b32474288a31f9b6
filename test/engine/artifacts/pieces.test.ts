/** A file that takes pieces over is the one that would be made anew, byte by byte. */
import { expect, it } from 'vitest'
import {
  headOf,
  itemOf,
  itemsOf,
  keysThen,
  type LastBytes,
  layOut,
  type Part,
} from '../../../cli/engine/artifacts/pieces.ts'
import { toJson } from '../../../cli/engine/artifacts/write-file.ts'

interface Things {
  readonly version: number
  readonly items: Readonly<Record<string, readonly unknown[]>>
}

/** A file with a list of which an asset may have no items, and a map. */
function partsOf({ version, items }: Things, isSame: (name: string) => boolean): readonly Part[] {
  const of = (name: string) => items[name] ?? []
  return [
    json => headOf({ version }, 'items', json),
    { brackets: '[]', indent: '  ', isSame, text: (name, json) => itemsOf(of(name), '  ', json) },
    json => keysThen({ about: [] }, 'byName', json),
    { brackets: '{}', indent: '  ', isSame, text: (name, json) => itemOf(name, of(name), '  ', json) },
    json => keysThen({}, undefined, json),
  ]
}

function whole({ version, items }: Things): string {
  return toJson({ version, items: Object.values(items).flat(), about: [], byName: items })
}

const asIs = (text: string) => text

/** Writes a file, and returns its text with what the next one may take over. */
function write(things: Things, last?: { readonly bytes: LastBytes; readonly things: Things }, clean = asIs) {
  const names = Object.keys(things.items)
  const same = (name: string) => last?.things.items[name] === things.items[name]
  const { bytes, lengths } = layOut(partsOf(things, same), names, last?.bytes, clean)
  const buffer = Buffer.concat(bytes)
  const places = new Map(names.map((name, place) => [name, place]))
  return {
    text: buffer.toString(),
    parts: bytes.length,
    last: { things, bytes: { bytes: buffer, lengths, places } },
  }
}

const first: Things = {
  version: 1,
  items: { a: [{ text: '",\n  "items": [' }], b: [], ü: [1, [], { 名: null }], d: ['x'], e: [] },
}

it('is as JSON.stringify writes it, also where there is nothing', () => {
  expect(write(first).text).toBe(whole(first))
  for (const items of [{}, { a: [] }, { a: [], b: [] }])
    expect(write({ version: 2, items }).text).toBe(whole({ version: 2, items }))
})

it.each<readonly [what: string, items: Things['items']]>([
  ['nothing changed', first.items],
  ['one in the middle changed', { ...first.items, ü: ['other'] }],
  ['one is empty now, another one filled', { ...first.items, a: [], b: [7] }],
  ['all are empty now', { a: [], b: [], ü: [], d: [], e: [] }],
  [
    'one came, one went, and others have other places',
    { new: [{}], d: first.items['d'] ?? [], a: first.items['a'] ?? [] },
  ],
])('%s', (_what, items) => {
  const second = { version: 2, items }
  const taken = write(second, write(first).last)
  expect(taken.text).toBe(whole(second))
  const third = { version: 300, items: { ...items, last: [1, 2] } }
  expect(write(third, taken.last).text).toBe(whole(third))
})

it('neighbours that did not change are one part', () => {
  const items = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`a${index}`, [index]]))
  const made = write({ version: 1, items })
  expect(write({ version: 2, items }, made.last).parts).toBe(3 + 2 * 3)
})

it('hides secrets in every new piece if one has any, and leaves what was clean', () => {
  const clean = (text: string) => text.replaceAll('opensesame', '***')
  const made = write(first, undefined, clean)
  const second = { version: 2, items: { ...first.items, b: ['say opensesame'], d: ['opensesame'] } }
  const told = write(second, made.last, clean).text
  expect(told).toBe(whole(second).replaceAll('opensesame', '***'))
})

it('a piece may be renewed where it stands, or grow', () => {
  const part = (text: string): readonly Part[] => [
    {
      brackets: '[]',
      indent: '',
      isSame: () => true,
      text: (name, json) => itemsOf([`${name} ${text}`], '', json),
      renew: (_name, last) => Buffer.from(last.toString().replace(/ \w+/, ` ${text}`)),
    },
  ]
  const names = ['a', 'b', 'c']
  const places = new Map(names.map((name, place) => [name, place]))
  const made = layOut(part('old'), names, undefined, asIs)
  for (const text of ['new', 'longer', 's']) {
    const last = { bytes: Buffer.concat(made.bytes), lengths: made.lengths, places }
    const renewed = layOut(part(text), names, last, asIs)
    expect(JSON.parse(Buffer.concat(renewed.bytes).toString())).toEqual(names.map(name => `${name} ${text}`))
  }
})
