/**
 * Texts that a `.svc` file may hold while somebody is typing, or when something went wrong: cut off, mixed up, damaged.
 * The same seed gives the same texts.
 */

/** A whole number from 0 to `below` - 1. */
export type Random = (below: number) => number

/** A small generator of good quality (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return below => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const fragments = [
  '{{ source }}',
  "{{ ref('x') }}",
  "{{ ref('",
  '{{',
  '}}',
  '{%',
  '{#',
  "{{ var('v') }}",
  '{{ this }}',
  '{{ window.start }}',
  'name:',
  'ingest:',
  'transform: |',
  'transform: >-',
  'transform: |2',
  'tests:',
  '- unique: id',
  '- not_null: [a, b]',
  'ingest: none',
  'deploy: {materialize: view}',
  'freshness: {warn_after: 1h}',
  'columns: {id: {description: x}}',
  '<<: *a',
  '&a',
  '*a',
  '!!binary',
  '!tag',
  '---',
  '...',
  '? ',
  ': ',
  '- ',
  '[',
  ']',
  '{',
  '}',
  ',',
  '"',
  "'",
  '\\',
  '#',
  '@',
  '`',
  '|',
  '>',
  '%',
  '\n',
  '\r\n',
  '\r',
  '\t',
  '\0',
  '\u2028',
  '\u0085',
  '\ufeff',
  '\ud800',
  '\udc00',
  '😀',
  'ä',
  '\u00a0',
  '  ',
  '        ',
  "'a''b'",
  '"\\u0041\\n"',
  '$$',
  '$tag$',
  '/*',
  '*/',
  '--',
  "E'\\''",
  '1e999',
  '0x',
  '.inf',
  '~',
  'null',
  'true',
  '2026-01-01',
  '99999999999999999999',
  'password: hunter2',
  'token: "abc"',
  'https://a:b@c',
  '__proto__:',
  'constructor:',
  'SELECT',
  'FROM',
  '(',
  ')',
  ';',
  '::',
  '->',
  '?',
  '$1',
]

/** `count` texts made from `seeds` (whole, valid files). */
export function* fuzzTexts(count: number, seed: number, seeds: readonly string[]): Generator<string> {
  const random = randomFrom(seed)
  for (let i = 0; i < count; i++) yield fuzzText(random, seeds)
}

function fuzzText(random: Random, seeds: readonly string[]): string {
  const text = pick(random, seeds)
  switch (random(8)) {
    case 0:
      return text.slice(0, random(text.length + 1))
    case 1:
      return text.slice(random(text.length + 1))
    case 2:
      return soup(random)
    case 3: {
      const other = pick(random, seeds)
      return text.slice(0, random(text.length)) + other.slice(random(other.length))
    }
    default:
      return mutated(random, text)
  }
}

function mutated(random: Random, text: string): string {
  let result = text
  for (let left = 1 + random(4); left > 0; left--) result = mutate(random, result)
  return result
}

function mutate(random: Random, text: string): string {
  const at = random(text.length + 1)
  const to = at + random(1 + random(30))
  switch (random(6)) {
    case 0:
      return text.slice(0, at) + text.slice(to)
    case 1:
      return text.slice(0, at) + pick(random, fragments) + text.slice(at)
    case 2:
      return text.slice(0, at) + pick(random, fragments) + text.slice(to)
    case 3:
      return text.slice(0, at) + text.slice(at, to).repeat(2 + random(3)) + text.slice(to)
    case 4:
      return indented(random, text)
    default:
      return text.slice(0, at) + String.fromCharCode(random(0x10000)) + text.slice(at + 1)
  }
}

/** Shifts one line. */
function indented(random: Random, text: string): string {
  const lines = text.split('\n')
  const at = random(lines.length)
  const line = lines[at] ?? ''
  lines[at] = random(2) === 0 ? ' '.repeat(1 + random(4)) + line : line.replace(/^ {1,2}/, '')
  return lines.join('\n')
}

function soup(random: Random): string {
  return Array.from({ length: random(25) }, () => pick(random, fragments)).join(random(2) === 0 ? '' : ' ')
}

function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[random(items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}
