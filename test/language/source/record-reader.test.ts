import { createRecordReader, JsonProblem, newShape, type RecordPlace, recordType } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { type Random, seededRandom } from '../../support/random.ts'

const root: RecordPlace = { kind: 'path', path: [] }

interface Cut {
  readonly records: unknown[]
  readonly texts: string[]
  readonly type: unknown
  readonly envelope: unknown
  readonly found: string
}

/** Feeds a text in pieces of `size` bytes. */
function cut(text: string | Buffer, place: RecordPlace, size = 1 << 20, levels = 6): Cut {
  const bytes = Buffer.from(text)
  const texts: string[] = []
  const shape = newShape()
  const reader = createRecordReader({
    place,
    shape,
    levels,
    onRecord: record => texts.push(Buffer.from(record.bytes.subarray(record.start, record.end)).toString()),
  })
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size))
  const end = reader.end()
  const envelope = end.bytes === undefined ? undefined : JSON.parse(Buffer.from(end.bytes).toString())
  expect(end.records).toBe(texts.length)
  return {
    records: texts.map(one => JSON.parse(one)),
    texts,
    type: recordType(shape),
    envelope,
    found: end.found,
  }
}

function randomValue(random: Random, depth: number): unknown {
  const kind = random.below(depth > 3 ? 6 : 8)
  if (kind === 0) return random.pick([0, 1, 17, 1.5, -2e10, 1e-7, 123456789012345, 9007199254740991])
  if (kind === 1) return random.pick([true, false, null])
  if (kind <= 5)
    return random.pick(['', 'a', 'é😀', '"\\/\b\n\t', '\u0000', '[{"x":1}]', '2024-02-29', '}{][', ','])
  if (kind === 6) return Array.from({ length: random.below(4) }, () => randomValue(random, depth + 1))
  return randomObject(random, depth + 1)
}

function randomObject(random: Random, depth: number): unknown {
  const keys = ['a', 'b', 'c', 'é', 'x"y', 'data']
  const entries = Array.from({ length: random.below(5) }, () => [
    random.pick(keys),
    randomValue(random, depth),
  ])
  return Object.fromEntries(entries)
}

/** The same JSON with white space thrown in and some characters written as escapes. */
function restyle(value: unknown, random: Random): string {
  const compact = JSON.stringify(value, null, random.pick([undefined, 1, '\t']) as never)
  return random.below(2) === 0 ? compact : compact.replace(/é/g, '\\u00e9').replace(/😀/g, '\\uD83D\\ude00')
}

describe('records cut out of JSON bytes', () => {
  it('are those that JSON.parse finds, whatever the pieces', () => {
    const seed = Number(process.env['SEED'] ?? 20261120)
    const random = seededRandom(seed)
    for (let round = 0; round < 3000; round++) {
      const records = Array.from({ length: random.below(6) }, () => randomValue(random, 1))
      const depth = random.below(3)
      const path = ['rows', 'é', 'x"y'].slice(0, depth)
      let document: unknown = records
      for (const step of [...path].reverse()) {
        document = { before: randomValue(random, 2), [step]: document, after: randomObject(random, 2) }
      }
      const text = restyle(document, random)
      const place: RecordPlace = { kind: 'path', path }
      const result = cut(text, place, 1 + random.below(random.pick([3, 20, 200])))
      expect(result.records, `seed ${seed} round ${round}: ${text}`).toEqual(records)
      expect(result.envelope).toEqual(withoutRecords(document, path))
      const lines = records.map(record => restyle(record, random)).join('\n')
      expect(cut(lines, { kind: 'lines' }, 1 + random.below(40)).records).toEqual(records)
    }
  })

  it('accepts what JSON.parse accepts and refuses what it refuses', () => {
    const seed = Number(process.env['SEED'] ?? 4711)
    const random = seededRandom(seed)
    let refused = 0
    for (let round = 0; round < 20_000; round++) {
      const text = mutate(restyle([randomObject(random, 1), randomValue(random, 1)], random), random)
      const right = parses(text)
      if (!right) refused++
      // Two differences are on purpose, and are tested below.
      if (/NaN|Infinity/.test(text)) continue
      const outcome = tryCut(text, 1 + random.below(60))
      if (right && outcome === 'the key') continue
      expect(outcome === 'ok', `seed ${seed} round ${round}: ${text}`).toBe(right)
    }
    expect(refused).toBeGreaterThan(2000)
  })

  it('says where the text is wrong, counted from its start', () => {
    const text = `{"data":[{"a":1},{"a":tru}]}`
    expect(problem(text, ['data'])).toEqual({ message: 'unexpected "}"', offset: text.indexOf('}]}') })
    expect(problem(text, ['data'], 1)).toEqual({ message: 'unexpected "}"', offset: text.indexOf('}]}') })
    expect(problem('[{"a":1},{"a":', [])?.message).toBe('the text ends in the middle of a value')
    expect(problem('[{"a":1}] <p>', [])).toEqual({
      message: 'there is more text after the end of the JSON',
      offset: 10,
    })
    expect(problem('{"data":[{}],"x":nul}', ['data'])?.offset).toBe(20)
    expect(problem('[{"a":"x\u0000y"}]', [])?.message).toBe('unescaped NUL byte in a string')
    expect(problem('<html>', [])?.message).toBe('unexpected "<"')
    expect(problem('', [])?.message).toBe('the text ends in the middle of a value')
    expect(problem(`${'['.repeat(100_000)}`, [])?.message).toBe('more than 500 levels of nesting')
  })

  it('takes NaN and Infinity for numbers and refuses a key given twice', () => {
    expect(texts('[{"a":NaN},{"a":-Infinity},{"a":Infinity}]').type).toEqual(struct({ a: 'DOUBLE' }))
    expect(problem('[{"a":1,"b":2,"a":3}]', [])?.message).toBe('the key "a" is given twice in one object')
  })

  it('finds no list, null, one object, a byte order mark', () => {
    expect(cut('{"data":null,"n":1}', { kind: 'path', path: ['data'] })).toMatchObject({
      found: 'null',
      envelope: { data: null, n: 1 },
    })
    expect(cut('{"error":"x"}', { kind: 'path', path: ['data'] }).found).toBe('missing')
    expect(cut('{"data":5}', { kind: 'path', path: ['data'] }).found).toBe('scalar')
    expect(cut('{"id":7}', root)).toMatchObject({ found: 'object', records: [{ id: 7 }] })
    expect(cut('\ufeff[{"id":7}]', root).records).toEqual([{ id: 7 }])
    expect(cut('\ufeff{"id":7}\r\n\r\n{"id":8}', { kind: 'lines' }).records).toEqual([{ id: 7 }, { id: 8 }])
  })
})

describe('types of records', () => {
  const type = (...values: string[]) => {
    const record = texts(`[${values.map(value => `{"a":${value}}`).join(',')}]`).type as never
    return (record as { fields: { type: unknown }[] }).fields[0]?.type
  }

  it('are the narrowest that hold every value', () => {
    expect(type('1', '-2', 'null')).toEqual(scalar('BIGINT'))
    expect(type('9223372036854775807')).toEqual(scalar('BIGINT'))
    expect(type('9223372036854775808')).toEqual(scalar('HUGEINT'))
    expect(type('-9223372036854775809', '1')).toEqual(scalar('HUGEINT'))
    expect(type('1', '1.5')).toEqual(scalar('DOUBLE'))
    expect(type('true', 'false')).toEqual(scalar('BOOLEAN'))
    expect(type('null')).toEqual({ kind: 'unknown' })
    expect(type('[1,2]', '[]')).toEqual({ kind: 'list', element: scalar('BIGINT') })
    expect(type('[]')).toEqual({ kind: 'list', element: { kind: 'unknown' } })
  })

  it('become mixed where values would not fit, so that text keeps them', () => {
    for (const values of [
      ['1', '"x"'],
      ['true', '1'],
      ['{"x":1}', '"x"'],
      ['[1]', '1'],
    ]) {
      expect(type(...values)).toEqual({ kind: 'mixed' })
    }
    expect(type('9007199254740993', '1.5')).toEqual({ kind: 'mixed' })
    expect(type('170141183460469231731687303715884105728')).toEqual({ kind: 'mixed' })
  })

  it('are dates only where every value is a real one, and never mix zoned with local times', () => {
    expect(type('"2024-02-29"', '"0001-01-01"')).toEqual(scalar('DATE'))
    expect(type('"2023-02-29"')).toEqual(scalar('VARCHAR'))
    expect(type('"2024-02-29"', '"2024-02-29T23:59:59.123456"')).toEqual(scalar('TIMESTAMP'))
    expect(type('"2024-01-01 10:00"')).toEqual(scalar('TIMESTAMP'))
    expect(type('"2024-01-01T00:00:00Z"', '"2024-01-01T00:00:00+02:00"')).toEqual(
      scalar('TIMESTAMP WITH TIME ZONE'),
    )
    expect(type('"2024-01-01T00:00:00Z"', '"2024-01-01T00:00:00"')).toEqual(scalar('VARCHAR'))
    for (const text of [
      '2024-01-01T24:00:00',
      '2024-1-01',
      '05/06/2024',
      '2024-01-01T00:00:00.1234567',
      '2024-13-01',
    ]) {
      expect(type(JSON.stringify(text)), text).toEqual(scalar('VARCHAR'))
    }
  })

  it('keep a dictionary with very many keys as one value', () => {
    const wide = JSON.stringify([
      { a: Object.fromEntries(Array.from({ length: 3000 }, (_, key) => [`k${key}`, 1])) },
    ])
    expect(texts(wide).type).toEqual({
      kind: 'struct',
      fields: [{ name: 'a', type: { kind: 'struct', fields: [] } }],
    })
  })
})

function texts(text: string): Cut {
  const shape = newShape()
  const reader = createRecordReader({ place: root, shape, levels: 6, onRecord: () => undefined })
  reader.push(Buffer.from(text))
  reader.end()
  return { records: [], texts: [], type: recordType(shape), envelope: undefined, found: '' }
}

/** The document with an empty list in place of its records. */
function withoutRecords(document: unknown, path: readonly string[]): unknown {
  const [step, ...rest] = path
  if (step === undefined) return []
  const object = document as Record<string, unknown>
  return { ...object, [step]: withoutRecords(object[step], rest) }
}

function scalar(type: string) {
  return { kind: 'scalar', type }
}

function struct(types: Record<string, string>) {
  return {
    kind: 'struct',
    fields: Object.entries(types).map(([name, type]) => ({ name, type: scalar(type) })),
  }
}

function problem(text: string, path: readonly string[], size = 1 << 20) {
  try {
    cut(text, { kind: 'path', path }, size)
    return undefined
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    return { message: error.message, offset: error.offset }
  }
}

function tryCut(text: string, size: number): string {
  const bytes = Buffer.from(text)
  const reader = createRecordReader({ place: root, shape: newShape(), levels: 6, onRecord: () => undefined })
  try {
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size))
    reader.end()
    return 'ok'
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    return error.message.slice(0, 7)
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function mutate(text: string, random: Random): string {
  const at = random.below(text.length + 1)
  const letters = [
    '"',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '\\',
    '0',
    '-',
    '.',
    'e',
    'n',
    'u',
    ' ',
    '\u0001',
    'é',
    '\ud800',
  ]
  const kind = random.below(4)
  if (kind === 0) return text.slice(0, at)
  if (kind === 1) return text.slice(0, at) + random.pick(letters) + text.slice(at)
  if (kind === 2) return text.slice(0, at) + text.slice(at + 1)
  return text.slice(0, at) + random.pick(letters) + text.slice(at + 1)
}
