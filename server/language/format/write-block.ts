/** Puts a formatted text back where a block of code stood, in the style that its YAML scalar had where that can hold it. */
import type { CodeBlock } from './code-blocks.ts'

/** What stands in the place of the block's scalar; undefined where that place cannot hold the text. */
export function writeBlock(text: string, block: CodeBlock, code: string): string | undefined {
  const { node, isInFlow, keyColumn } = block
  const lines = code.split('\n')
  const isBlock = node.style === 'literal' || node.style === 'folded'
  if (!isBlock && lines.length === 1) return inStyle(node.style, code)
  if (isInFlow) return undefined
  const header = isBlock ? literalHeader(text.slice(node.range.start, node.bodyRange.start)) : '|'
  const margin = ' '.repeat(keyColumn + 2)
  // Code never begins with a space, so the header needs no number.
  return [header, ...lines.map(line => (line === '' ? '' : margin + line))].join('\n')
}

/** `>-2  # why` -> `|- # why`. */
function literalHeader(written: string): string {
  const [line = ''] = written.split('\n')
  const [, marks = '', comment = ''] = /^[|>]([-+1-9]*)\s*(#.*)?$/.exec(line.trimEnd()) ?? []
  return `|${marks.replace(/[1-9]/, '')}${comment === '' ? '' : ` ${comment}`}`
}

function inStyle(style: CodeBlock['node']['style'], code: string): string {
  if (style === 'single') return `'${code.replaceAll("'", "''")}'`
  if (style === 'double') return JSON.stringify(code)
  return code
}
