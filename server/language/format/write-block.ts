/** Writes a formatted text back into its block, in the style of its YAML scalar if that can hold it. */
import type { CodeBlock } from './code-blocks.ts'

/** Returns the new scalar; undefined if this place cannot hold the text. */
export function writeBlock(text: string, block: CodeBlock, code: string): string | undefined {
  const { node, isInFlow, keyColumn } = block
  const lines = code.split('\n')
  const isBlock = node.style === 'literal' || node.style === 'folded'
  if (!isBlock && lines.length === 1) return inStyle(node.style, code)
  if (isInFlow) return undefined
  const header = isBlock ? literalHeader(text.slice(node.range.start, node.bodyRange.start)) : '|'
  const margin = ' '.repeat(keyColumn + 2)
  // Code never starts with a space, so the header needs no indentation number.
  return [header, ...lines.map(line => (line === '' ? '' : margin + line))].join('\n')
}

/** Turns the header `>-2  # why` into `|- # why`. */
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
