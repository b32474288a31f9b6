/** The Python of an asset's `transform`, with its place in the file. It is checked and not run yet. */
import { nodeAt } from '../project/locate.ts'
import type { Node } from '../syntax/node.ts'
import { scalarPositions } from '../syntax/scalar-positions.ts'
import type { PositionMap } from '../text/range.ts'
import { type PythonScan, scanPython } from './scan-python.ts'

export interface PythonBlock {
  readonly text: string
  /** Maps offsets in `text` to offsets in the file. */
  readonly toFile: PositionMap
  readonly scan: PythonScan
  /**
   * The indentation if every line of `text` is a line of the file with it in front; only then can edits be
   * mapped.
   */
  readonly indent: string | undefined
}

export function pythonBlock(text: string, root: Node | undefined): PythonBlock | undefined {
  const node = nodeAt(root, ['transform', 'python'])
  if (node?.kind !== 'scalar' || typeof node.value !== 'string' || node.value.trim() === '') return undefined
  const code = node.value
  const indent = node.style === 'literal' ? /^[ \t]*/.exec(text.slice(node.bodyRange.start))?.[0] : undefined
  let scan: PythonScan | undefined
  return {
    text: code,
    toFile: scalarPositions(text, node),
    get scan() {
      scan ??= scanPython(code)
      return scan
    },
    indent: code.startsWith(' ') ? undefined : indent,
  }
}
