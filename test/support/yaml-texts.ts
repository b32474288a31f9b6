/** Random values written as valid YAML in every style that a person might use. */
import type { JsonValue } from '@svc/server/language'
import type { Random } from './random.ts'

const words = [
  'id',
  'amount',
  'a b',
  "it's",
  'say "x"',
  '# no comment',
  'x: y',
  '😀 ok',
  'ä',
  "{{ ref('x') }}",
  'SELECT 1',
  '-',
  '~x',
  '%',
  'null ',
  '007',
  '1e3',
  'true',
  '',
]

/** A mapping with some keys, nested at most three levels deep. */
export function randomMapping(random: Random, depth = 3): { [name: string]: JsonValue } {
  const entries = Array.from({ length: 1 + random.below(4) }, (_, index) => [
    `${random.pick(['key', 'name', 'x-y', 'Z_1'])}${index}`,
    randomValue(random, depth - 1),
  ])
  return Object.fromEntries(entries)
}

function randomValue(random: Random, depth: number): JsonValue {
  const kind = random.below(depth > 0 ? 8 : 5)
  if (kind === 0) return random.pick([null, true, false, 0, 1, -17, 2.5, 1e21])
  if (kind < 3) return randomText(random)
  if (kind < 5) return Array.from({ length: 1 + random.below(4) }, () => randomLine(random)).join('\n')
  if (kind < 7) return randomMapping(random, depth)
  return Array.from({ length: random.below(4) }, () => randomValue(random, depth - 1))
}

function randomText(random: Random): string {
  return Array.from({ length: random.below(3) }, () => random.pick(words)).join(' ')
}

function randomLine(random: Random): string {
  return random.pick([
    '',
    ' more indented',
    'text',
    'two words',
    '\ttab',
    'FROM {{ source }} -- x',
    'trailing ',
    '# not a comment',
  ])
}

/** `value` as a block mapping, with `eol` at the end of lines. */
export function writeYaml(random: Random, value: { readonly [name: string]: JsonValue }, eol = '\n'): string {
  const comment = random.below(3) === 0 ? '# a comment: with {{ x }}\n' : ''
  return (comment + writeMapping(random, value, 0)).replaceAll('\n', eol)
}

function writeMapping(random: Random, value: { readonly [name: string]: JsonValue }, indent: number): string {
  return Object.entries(value)
    .map(([key, inner]) => {
      const written = random.below(6) === 0 ? JSON.stringify(key) : key
      const blank = random.below(8) === 0 ? '\n' : ''
      return `${blank}${' '.repeat(indent)}${written}:${writeBehind(random, inner, indent)}`
    })
    .join('')
}

/** What comes behind a key's colon or an item's dash, with the line break at its end. */
function writeBehind(random: Random, value: JsonValue, indent: number): string {
  const comment = random.below(8) === 0 ? ' # { comment }' : ''
  if (typeof value === 'string') return writeText(random, value, indent)
  if (Array.isArray(value)) {
    if (value.length === 0 || random.below(3) === 0) return ` ${writeFlow(random, value)}${comment}\n`
    const inner = indent + 2
    const items = value.map(item => `${' '.repeat(inner)}-${writeBehind(random, item, inner)}`)
    return `${comment}\n${items.join('')}`
  }
  if (typeof value === 'object' && value !== null) {
    if (random.below(3) === 0) return ` ${writeFlow(random, value)}${comment}\n`
    return `${comment}\n${writeMapping(random, value as { [name: string]: JsonValue }, indent + 1 + random.below(4))}`
  }
  return value === null && random.below(2) === 0 ? ` ~${comment}\n` : ` ${JSON.stringify(value)}${comment}\n`
}

function writeFlow(random: Random, value: JsonValue): string {
  const gap = random.pick(['', ' ', '\n        '])
  if (Array.isArray(value)) {
    const comma = value.length > 0 && random.below(4) === 0 ? ',' : ''
    return `[${gap}${value.map(item => writeFlow(random, item)).join(`,${gap}`)}${comma}${gap}]`
  }
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([key, inner]) => `${key}: ${writeFlow(random, inner)}`)
    return `{${gap}${pairs.join(`, ${gap}`)}${gap}}`
  }
  return typeof value === 'string' && random.below(2) === 0 && !value.includes('\n') && !value.includes('\t')
    ? `'${value.replaceAll("'", "''")}'`
    : JSON.stringify(value)
}

function writeText(random: Random, value: string, indent: number): string {
  const styles = [doubleQuoted]
  if (!/[\n\t]/.test(value)) styles.push(singleQuoted)
  if (isPlain(value))
    styles.push(
      text => ` ${text}\n`,
      text => folding(text, indent),
    )
  if (isBlock(value))
    styles.push(
      text => literal(random, text, indent),
      text => literal(random, text, indent),
    )
  if (isFoldable(value)) styles.push(text => folded(text, indent))
  return random.pick(styles)(value)
}

function doubleQuoted(text: string): string {
  return ` ${JSON.stringify(text).replaceAll('ä', '\\u00e4').replaceAll('😀', '\\U0001F600')}\n`
}

function singleQuoted(text: string): string {
  return ` '${text.replaceAll("'", "''")}'\n`
}

/** A plain text whose spaces are line breaks. */
function folding(text: string, indent: number): string {
  return ` ${text.replaceAll(/(?<=\S) (?=\S)/g, `\n${' '.repeat(indent + 3)}`)}\n`
}

function isPlain(text: string): boolean {
  return /^(?:[A-Za-zä😀]+ ?)+[A-Za-z]$/u.test(text) && !/^(?:true|null|false)$/i.test(text)
}

/** Leading and trailing blank lines are left to hand-written tests. */
function isBlock(text: string): boolean {
  return /^\S/.test(text) && /\S\n?$/.test(text)
}

function isFoldable(text: string): boolean {
  return isBlock(text) && !text.includes('\n ') && !text.includes('\n\t') && !text.includes('\n')
}

function literal(random: Random, text: string, indent: number): string {
  const inner = 1 + random.below(4)
  const indicator = indent === 0 && random.below(2) === 0 ? String(inner) : ''
  const chomping = text.endsWith('\n') ? '' : '-'
  const lines = text.replace(/\n$/, '').split('\n')
  const indented = lines.map(line => (line === '' ? '' : ' '.repeat(indent + inner) + line))
  return ` |${indicator}${chomping}\n${indented.join('\n')}\n`
}

/** Each space between words becomes a line break, a real one would be two. */
function folded(text: string, indent: number): string {
  const lines = text.split(/(?<=\S) (?=\S)/).map(line => ' '.repeat(indent + 2) + line)
  return ` >-\n${lines.join('\n')}\n`
}
