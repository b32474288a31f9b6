/** Lays a YAML text out as somebody else would, with the same meaning: other indentation, empty lines, comments. */
import { type Document, isMap, isScalar, isSeq, parseDocument, Scalar, visit } from 'yaml'
import type { Random } from '../../support/random.ts'

/** Written by the `yaml` package with other options than ours; comments go where it allows them. */
export function reserialized(text: string, random: Random): string {
  const document = parseDocument(text) as Document
  visit(document, {
    Pair(_key, pair) {
      if (isScalar(pair.key) && random.below(8) === 0) pair.key.commentBefore = ` above ${random.below(1000)}`
      if (isScalar(pair.key) && random.below(8) === 0) pair.key.spaceBefore = true
    },
    Node(_key, node) {
      if (
        isScalar(node) &&
        typeof node.value === 'string' &&
        !node.value.includes('\n') &&
        random.below(4) === 0
      ) {
        node.type = random.pick([Scalar.QUOTE_DOUBLE, Scalar.QUOTE_SINGLE, Scalar.PLAIN])
      }
      if (isScalar(node) && random.below(9) === 0) node.comment = ` beside ${random.below(1000)}`
      if ((isMap(node) || isSeq(node)) && node.items.length > 0 && random.below(4) === 0) node.flow = false
    },
  })
  return document.toString({
    indent: random.pick([1, 2, 3, 4, 7]),
    indentSeq: random.below(2) === 0,
    lineWidth: random.pick([0, 30, 80]),
    minContentWidth: 0,
    flowCollectionPadding: random.below(2) === 0,
  })
}

/** Spaces at the ends of lines that hold no text of a block, more empty lines, other line breaks. */
export function withOddSpaces(text: string, random: Random): string {
  const lines = text.split('\n')
  const odd = lines.flatMap(line =>
    /^[\w-]+:/.test(line) && random.below(5) === 0 ? ['', '', line] : [line],
  )
  const joined = odd.join('\n')
  return random.below(4) === 0 ? joined.replaceAll('\n', '\r\n') : joined
}

const pieces = [
  ' ',
  '\n',
  '  ',
  '#',
  ' # x',
  ':',
  '- ',
  '{',
  '}',
  '[',
  ']',
  '|',
  '>',
  '"',
  "'",
  '&a ',
  '*a',
  '\t',
  ',',
  '(',
  ')',
  '--',
  '/*',
  '*/',
  '{{',
  '}}',
  '!x ',
  '? ',
  '%',
  '\r\n',
  ' |2\n',
  '\u{1F600}',
  '\u00a0',
]

/** What fingers do to a text: something gone, something in between, something twice, a line elsewhere. */
export function damaged(text: string, random: Random): string {
  let damagedText = text
  for (let count = random.below(4); count >= 0; count--) damagedText = damagedOnce(damagedText, random)
  return damagedText
}

function damagedOnce(text: string, random: Random): string {
  const at = random.below(text.length)
  const length = random.below(12)
  switch (random.below(4)) {
    case 0:
      return text.slice(0, at) + text.slice(at + length)
    case 1:
      return text.slice(0, at) + random.pick(pieces) + text.slice(at)
    case 2:
      return text.slice(0, at) + text.slice(at, at + length * 5) + text.slice(at)
    default: {
      const lines = text.split('\n')
      lines.splice(random.below(lines.length), 0, random.pick(lines))
      return lines.join('\n')
    }
  }
}
