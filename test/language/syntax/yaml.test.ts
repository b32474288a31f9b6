/** Both YAML parsers, against each other and against the values that the texts were made from. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { lineIndex, type Node, parseYaml, type ScalarNode, scalarPositions } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { plainValue } from '../../../server/language/schema/read-value.ts'
import { parseYamlEvents } from '../../../server/language/syntax/yaml-events.ts'
import { parseYamlRecovering } from '../../../server/language/syntax/yaml-recovering.ts'
import { fuzzSeeds } from '../../support/fuzz-seeds.ts'
import { seededRandom } from '../../support/random.ts'
import { randomMapping, writeYaml } from '../../support/yaml-texts.ts'

const root = join(import.meta.dirname, '../../..')

function scalarsOf(node: Node | undefined): ScalarNode[] {
  if (node === undefined) return []
  if (node.kind === 'scalar') return [node]
  if (node.kind === 'sequence') return node.items.flatMap(scalarsOf)
  return node.entries.flatMap(entry => [entry.key, ...scalarsOf(entry.value)])
}

function unescaped(written: string): string {
  const { root } = parseYamlRecovering(`"${written}"`)
  return root?.kind === 'scalar' ? String(root.value) : ''
}

/** Each character of a text value must stand in the file where the map says, or be what a fold or an escape made. */
function misplaced(text: string, node: ScalarNode): string[] {
  const value = String(node.value)
  const map = scalarPositions(text, node)
  const wrong: string[] = []
  let last = -1
  for (let offset = 0; offset < value.length; offset++) {
    const range = map.rangeToOriginal({ start: offset, end: offset + 1 })
    const source = text.slice(range.start, range.end)
    const character = value[offset] ?? ''
    const isFold = /^(?:\r\n|\n|\r)$/.test(source) && /[ \n]/.test(character)
    const isEscape =
      node.style === 'double' && source.startsWith('\\') && unescaped(source).includes(character)
    const isQuote = node.style === 'single' && source === "''" && character === "'"
    const isIt = source === character || isFold || isEscape || isQuote
    const isOrdered = range.start >= last
    if (!isIt || !isOrdered || map.toOriginal(offset) !== range.start)
      wrong.push(`${offset} ${character} -> ${source}`)
    last = range.start
  }
  return wrong
}

describe('the parsers', () => {
  it('read random texts of every style alike, with their values and every character in its place', () => {
    for (let seed = 1; seed <= 1500; seed++) {
      const random = seededRandom(seed)
      const value = randomMapping(random)
      const text = writeYaml(random, value, random.below(5) === 0 ? '\r\n' : '\n')
      const note = `seed ${seed}\n${text}`
      const fast = parseYamlEvents(text)
      const slow = parseYamlRecovering(text)
      expect(slow.problems, note).toEqual([])
      expect(plainValue(slow.root), note).toEqual(value)
      expect(fast?.root, note).toEqual(slow.root)
      for (const scalar of scalarsOf(fast?.root)) {
        if (typeof scalar.value === 'string') expect(misplaced(text, scalar), note).toEqual([])
      }
    }
  })

  it('agree on damaged files: what the fast one accepts is the tree of the slow one', () => {
    const pieces = [
      ...` \n:-#'"[]{},|>&*!?%@\t\\xa1~.`,
      '- ',
      ': ',
      ' #',
      '\n  ',
      '\n',
      "''",
      '|-',
      '--- ',
      'é',
      '{{ x }}',
    ]
    const seeds = fuzzSeeds(root)
    let accepted = 0
    for (let seed = 1; seed <= 1500; seed++) {
      const random = seededRandom(seed)
      let text = random.below(2) === 0 ? random.pick(seeds) : writeYaml(random, randomMapping(random))
      for (let step = random.below(4); step >= 0; step--) {
        const at = random.below(text.length + 1)
        text = text.slice(0, at) + random.pick(['', ...pieces]) + text.slice(at + random.below(3))
      }
      const fast = parseYamlEvents(text)
      if (fast === undefined) continue
      accepted++
      const slow = parseYamlRecovering(text)
      if (!isDeepStrictEqual(fast.root, slow.root))
        expect(fast.root, `seed ${seed}\n${text}`).toEqual(slow.root)
    }
    expect(accepted).toBeGreaterThan(500)
  })

  it.each(fuzzSeeds(root).map((text, index) => [index, text] as const))(
    'read real file %i alike',
    (_index, text) => {
      const fast = parseYamlEvents(text)
      expect(fast).toBeDefined()
      expect(fast?.root).toEqual(parseYamlRecovering(text).root)
    },
  )

  it('agree on line breaks of every system', () => {
    const text = 'a: |\n  one\n\n   two\nb: >\n  one\n  two\n\n  three\nc: "x\n  y"\n'
    for (const eol of ['\n', '\r\n']) {
      const written = text.replaceAll('\n', eol)
      expect(plainValue(parseYaml(written).root)).toEqual({
        a: 'one\n\n two\n',
        b: 'one two\nthree\n',
        c: 'x y',
      })
      expect(parseYamlEvents(written)?.root).toEqual(parseYamlRecovering(written).root)
      for (const scalar of scalarsOf(parseYaml(written).root)) expect(misplaced(written, scalar)).toEqual([])
    }
  })
})

describe('places of characters', () => {
  const samples: Record<string, string> = {
    'literal with leading blank lines': 'a: |\n\n\n    x\n     y\n\n    z\n',
    'literal kept': 'a: |+\n  x\n\n\nb: 1\n',
    'literal with an indicator': 'a: |2\n     x\n   y\n',
    'literal in a list': 'a:\n  - |\n   x\n   y\n  - >-\n     f\n     g\n',
    'folded with lists and gaps': 'a: >\n  one\n  two\n\n\n  three\n    * a\n    * b\n\n  four\n  five\n',
    'folded beginning more indented': 'a: >2\n    deep\n  flat\n  flat\n',
    'plain over lines': 'a: one two\n  three\n\n  four   # no\nb: x\n',
    'single over lines': "a: 'it''s  \n   two\n\n   three'\n",
    'double with escapes': 'a: "tab\\t \\u00e4 \\x41\\\n    joined   \n    next \\" \\\\ \\U0001F600!"\n',
    'key in quotes': "\"a b\": 1\n'c''d': 2\n",
    'block with a comment in its header': 'a: | # | not this\n  x\n',
    'value on the next line': 'a:\n  x\n  y\nb:\n  "q"\n',
  }
  it.each(Object.entries(samples))('%s', (_name, text) => {
    const { root, problems } = parseYaml(text)
    expect(problems).toEqual([])
    expect(root).toEqual(parseYamlRecovering(text).root)
    for (const scalar of scalarsOf(root)) expect(misplaced(text, scalar)).toEqual([])
  })

  it('ranges cover quotes and headers, bodies do not', () => {
    const text = 'a: \'x\'\nb: |-\n  y\n  z\n\nc: "w"  \n'
    const parts = scalarsOf(parseYaml(text).root).map(({ range, bodyRange }) => [
      text.slice(range.start, range.end),
      text.slice(bodyRange.start, bodyRange.end),
    ])
    expect(parts).toEqual([
      ['a', 'a'],
      ["'x'", 'x'],
      ['b', 'b'],
      ['|-\n  y\n  z', '  y\n  z'],
      ['c', 'c'],
      ['"w"', 'w'],
    ])
  })
})

describe('values', () => {
  const cases: [string, unknown][] = [
    ['12', 12],
    ['-0', 0],
    ['0x1F', 31],
    ['0o17', 15],
    ['017', 17],
    ['.5', 0.5],
    ['1e3', 1000],
    ['9007199254740993', '9007199254740993'],
    ['.inf', '.inf'],
    ['~', null],
    ['yes', 'yes'],
    ['2024-01-01', '2024-01-01'],
    ['1_000', '1_000'],
    ['!!str 12', '12'],
    ['"12"', '12'],
  ]
  it.each(cases)('%s', (written, value) => {
    expect(plainValue(parseYaml(`a: ${written}\n`).root)).toEqual({ a: value })
    expect(plainValue(parseYamlRecovering(`a: ${written}\n`).root)).toEqual({ a: value })
  })

  it('keeps the names of keys as they are written', () => {
    const text = '404: skip\n1.0: x\ntrue: y\n__proto__: z\n'
    expect(Object.entries(plainValue(parseYaml(text).root) as object)).toEqual([
      ['404', 'skip'],
      ['1.0', 'x'],
      ['true', 'y'],
      ['__proto__', 'z'],
    ])
  })

  it('expands aliases where they stand, with the place of the alias', () => {
    const text = 'a: &x {b: [1, 2]}\nc: *x\n'
    const { root, problems } = parseYaml(text)
    expect(problems).toEqual([])
    expect(plainValue(root)).toEqual({ a: { b: [1, 2] }, c: { b: [1, 2] } })
    const alias = root?.kind === 'map' ? root.entries[1]?.value : undefined
    expect(alias && text.slice(alias.range.start, alias.range.end)).toBe('*x')
  })
})

describe('what is wrong', () => {
  /** `line:column text` of each problem. */
  function problems(text: string): string[] {
    const lines = lineIndex(text)
    return parseYaml(text).problems.map(({ code, range, message }) => {
      const { line, column } = lines.position(range.start)
      return `${line}:${column} ${code} ${message}`
    })
  }

  const cases: [string, string, string[]][] = [
    ['nothing at all', '', []],
    ['only a comment', '# x\n', []],
    ['a byte order mark', '\uFEFFa: 1\n', []],
    ['a tab as indentation', 'a: 1\n\tb: 2\n', ['2:1 yaml-syntax a tab is not allowed as indentation']],
    ['an open quote', 'a: "x\nb: 1\n', ['1:4 yaml-syntax the text has no closing "']],
    ['an open list', 'a: [1, 2\nb: 1\n', ['1:4 yaml-syntax the list has no closing ]']],
    [
      'a second colon',
      'a: b: c\nd: e: f\n',
      [
        '1:4 yaml-syntax the value has ": " in it, which begins a second key',
        '2:4 yaml-syntax the value has ": " in it, which begins a second key',
      ],
    ],
    ['a key twice', 'a: 1\nb: 2\na: 3\n', ['3:1 duplicate-key the key "a" is here twice']],
    ['two documents', 'a: 1\n---\nb: 2\n', ['2:1 yaml-syntax the file holds several YAML documents']],
    ['a merge key', 'a: &x {b: 1}\nc:\n  <<: *x\n', ['3:3 yaml-merge merge keys (<<) are not supported']],
    ['an unknown alias', 'a: *x\n', ['1:4 yaml-alias there is no anchor "&x" before this alias']],
    ['an alias of itself', 'a: &x\n  b: *x\n', ['2:6 yaml-alias there is no anchor "&x" before this alias']],
    ['a tag', 'a: !secret b\n', ['1:12 yaml-tag the YAML tag !secret has no meaning in a .svc file']],
    ['a NUL', 'a: x\0y\n', ['1:5 yaml-syntax the file holds a control character (U+0000)']],
    [
      'a line indented too far',
      'a: x\n b: y\n',
      ['2:2 yaml-syntax this line is indented as if it went on with the value above'],
    ],
    ['a colon without a space', 'a:x\nb: y\n', ['1:1 yaml-syntax a space is missing after the colon']],
    ['a quote inside quotes', "a: 'it's'\n", ['1:8 yaml-syntax there is text after the end of the value']],
    [
      'a word without a colon',
      'a:\n  b: 1\n  ty\nc: 2\n',
      ['3:3 yaml-syntax a key needs a colon and a value'],
    ],
    [
      'a template without quotes',
      "a: 1\ntransform: {{ ref('x') }}\n",
      ['2:12 unquoted-template a value that begins with {{ is a mapping to YAML, not SQL'],
    ],
    [
      'nesting without end',
      `a: ${'['.repeat(5000)}`,
      ['1:202 yaml-depth values are nested more than 100 levels deep'],
    ],
  ]
  it.each(cases)('%s', (_name, text, expected) => {
    expect(problems(text)).toEqual(expected)
  })

  it('reads what is around a mistake', () => {
    expect(plainValue(parseYaml('description: note: this\nname: x\n').root)).toEqual({
      description: 'note: this',
      name: 'x',
    })
    expect(plainValue(parseYaml("transform: {{ ref('x') }} JOIN y\nname: x\n").root)).toEqual({
      transform: "{{ ref('x') }} JOIN y",
      name: 'x',
    })
    expect(plainValue(parseYaml('name: x\ningest:\n  ty\ntransform: SELECT 1\n').root)).toMatchObject({
      name: 'x',
      transform: 'SELECT 1',
    })
  })

  it('says of a value with thousands of colons what it says of one with two', () => {
    const struct = (count: number) => Array.from({ length: count }, (_, index) => `c${index}: 1`).join(', ')
    for (const count of [2, 30, 200, 5000]) {
      const text = `name: x\ntransform: SELECT {${struct(count)}}\ntags: [a]\n`
      const { root, problems } = parseYaml(text)
      expect(problems).toEqual([
        {
          code: 'yaml-syntax',
          message: 'the value has ": " in it, which begins a second key',
          hint: 'Quote the value.',
          facts: { secondKey: true },
          range: { start: 19, end: text.indexOf('\ntags') },
        },
      ])
      expect(plainValue(root)).toMatchObject({ name: 'x', tags: ['a'] })
    }
    // On a line of its own nobody knows what it was meant to be.
    const below = `transform: SELECT\n  {${struct(5000)}}\n`
    expect(parseYaml(below).problems.map(({ code, range }) => [code, range.start])).toEqual([
      ['yaml-depth', below.indexOf('\n') + 1],
    ])
  })

  it('does not unfold a bomb of aliases', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
    for (let level = 1; level < 30; level++)
      lines.push(`a${level}: &a${level} [${`*a${level - 1}, `.repeat(10)}]`)
    const found = parseYaml(lines.join('\n')).problems
    expect(found.map(problem => problem.message)).toContain(
      'the aliases of this file stand for more than 10000 values',
    )
  })

  it('has an answer for every beginning of every example', () => {
    const folder = join(root, 'test/fixtures/shop/models')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
      name.endsWith('.svc'),
    )
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      const text = readFileSync(join(folder, file), 'utf8')
      for (let end = 0; end <= text.length; end++) {
        const part = text.slice(0, end)
        for (const { range } of parseYaml(part).problems) {
          expect(range.start >= 0 && range.start <= range.end && range.end <= part.length).toBe(true)
        }
      }
    }
  })
})
