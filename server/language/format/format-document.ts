/**
 * Formats one text for `svc fmt` (interface.md 4.4, decisions 3): YAML by its tokens, SQL and Python by their
 * formatters. A result is used only if it means the same as the source: a block that cannot be formatted
 * stays unchanged and is reported, and a file that is not YAML is not touched.
 */
import type { Node } from '../syntax/node.ts'
import { parseYaml, type YamlProblem } from '../syntax/yaml.ts'
import type { Range } from '../text/range.ts'
import { type CodeBlock, codeBlocks } from './code-blocks.ts'
import { formatExpression } from './format-expression.ts'
import { formatSql } from './format-sql.ts'
import { applyEdits, type FormatEdit, lineEdits } from './line-edits.ts'
import { type CodeReaders, sameMeaning } from './same-meaning.ts'
import { writeBlock } from './write-block.ts'
import { layoutYaml } from './yaml-layout.ts'

/** Without `python`, Python stays unchanged. */
export interface FormatOptions extends CodeReaders {
  /** `asset`: a `.svc` file, whose SQL and Python are formatted too. `yaml`: `svc.yaml`, `glossary.yaml`. */
  readonly kind: 'asset' | 'yaml'
}

export type Formatted =
  | { readonly kind: 'formatted'; readonly text: string; readonly left: readonly LeftAlone[] }
  /** The text is not YAML: nothing is changed before that is fixed. */
  | { readonly kind: 'broken'; readonly problems: readonly YamlProblem[] }

/** A block that stayed unchanged. `range` is in the source text. */
export interface LeftAlone {
  readonly what: 'yaml' | CodeBlock['kind']
  readonly range: Range
  readonly message: string
  readonly hint: string
}

export function documentKind(path: string): FormatOptions['kind'] {
  return path.endsWith('.svc') ? 'asset' : 'yaml'
}

/** Returns whether the text has a Python block, so that loading its tools pays off. */
export function hasPython(text: string): boolean {
  return /^\s*["']?python["']?\s*:/m.test(text) || /[{,]\s*["']?python["']?\s*:/.test(text)
}

/** Formats a text and never throws. */
export function formatDocument(text: string, options: FormatOptions): Formatted {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const body = text.slice(bom.length)
  const { root, problems } = parseYaml(body)
  if (problems.length > 0) return { kind: 'broken', problems: problems.map(each => moved(each, bom.length)) }
  const blocks = options.kind === 'asset' ? codeBlocks(body, root) : []
  const layout = yamlOf(body, root, options)
  const code = codeOf(layout.text, options)
  const isSafe = code.isChanged === false || means(root, code.text, blocks, options)
  const left = [...layout.left, ...leftBlocks(blocks, isSafe ? code.left : blocks.map(({ path }) => path))]
  const lineBreak = /\r\n|\n/.exec(body)?.[0] ?? '\n'
  const result = isSafe ? code.text : layout.text
  return {
    kind: 'formatted',
    text: bom + (lineBreak === '\n' ? result : result.replaceAll('\n', lineBreak)),
    left: left.map(each => moved(each, bom.length)),
  }
}

/** Returns the edits for an editor; none for a text that is not YAML. */
export function formatEdits(text: string, options: FormatOptions): FormatEdit[] {
  const formatted = formatDocument(text, options)
  return formatted.kind === 'formatted' ? lineEdits(text, formatted.text) : []
}

/** Returns the edits for a selection: only lines that it touches change. */
export function formatRangeEdits(text: string, range: Range, options: FormatOptions): FormatEdit[] {
  const all = formatEdits(text, options)
  const touched = all.filter(edit => edit.range.start <= range.end && edit.range.end >= range.start)
  if (touched.length === 0 || touched.length === all.length) return touched
  // Half of a block, moved on its own, would be another block.
  const { root } = parseYaml(text)
  const blocks = options.kind === 'asset' ? codeBlocks(text, root) : []
  return means(root, applyEdits(text, touched), blocks, options) ? touched : all
}

function moved<Place extends { readonly range: Range }>(place: Place, by: number): Place {
  return { ...place, range: { start: place.range.start + by, end: place.range.end + by } }
}

function means(
  root: Node | undefined,
  text: string,
  blocks: readonly CodeBlock[],
  options: FormatOptions,
): boolean {
  const now = parseYaml(text)
  return now.problems.length === 0 && sameMeaning(root, now.root, blocks, options)
}

// ---------------------------------------------------------------- YAML

function yamlOf(
  text: string,
  root: Node | undefined,
  options: FormatOptions,
): { readonly text: string; readonly left: readonly LeftAlone[] } {
  const layout = layoutYaml(text)
  if (layout !== undefined && (layout === text || means(root, layout, [], options))) {
    return { text: layout, left: [] }
  }
  const message = 'the layout of this YAML is one that svc cannot write'
  const hint = 'Write it without explicit keys (?), several documents and directives.'
  const range = { start: 0, end: Math.max(0, text.search(/\r?\n|$/)) }
  return { text: text.replace(/\r\n?/g, '\n'), left: [{ what: 'yaml', range, message, hint }] }
}

// ---------------------------------------------------------------- SQL and Python

interface CodeOutcome {
  readonly text: string
  readonly isChanged: boolean
  /** The paths of the blocks that stayed unchanged. */
  readonly left: readonly CodeBlock['path'][]
}

function codeOf(text: string, options: FormatOptions): CodeOutcome {
  if (options.kind === 'yaml') return { text, isChanged: false, left: [] }
  const edits: FormatEdit[] = []
  const left: CodeBlock['path'][] = []
  for (const block of codeBlocks(text, parseYaml(text).root)) {
    const code = formattedCode(text, block, options)
    const newText = code === undefined ? undefined : writeBlock(text, block, code)
    if (newText === undefined) left.push(block.path)
    else if (newText !== text.slice(block.node.range.start, block.node.range.end)) {
      edits.push({ range: block.node.range, newText })
    }
  }
  return { text: applyEdits(text, edits), isChanged: edits.length > 0, left }
}

/** Returns the code without a line break at its end. */
function formattedCode(
  text: string,
  { kind, node }: CodeBlock,
  { engine, python }: FormatOptions,
): string | undefined {
  const code = String(node.value)
  const isOneLine = !text.slice(node.bodyRange.start, node.bodyRange.end).includes('\n')
  switch (kind) {
    case 'sql':
      return code.trim() === '' ? undefined : formatSql(code, isOneLine, engine)
    case 'expression':
      return formatExpression(code, engine).trim()
    case 'python':
      return python?.format(code)?.trimEnd()
  }
}

function leftBlocks(blocks: readonly CodeBlock[], paths: readonly CodeBlock['path'][]): LeftAlone[] {
  const keys = new Set(paths.map(path => path.join('/')))
  return blocks
    .filter(block => keys.has(block.path.join('/')) && String(block.node.value).trim() !== '')
    .map(({ kind, node, path }) => ({
      what: kind,
      range: node.range,
      message: `the ${kind === 'python' ? 'Python' : 'SQL'} of ${path.join('.')} stays as it is`,
      hint:
        kind === 'python'
          ? 'It cannot be parsed; svc validate says where.'
          : 'svc fmt cannot lay it out. Its mistakes are in svc validate; if there are none, it runs as it is.',
    }))
}
