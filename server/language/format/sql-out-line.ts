/** The lines of the result while they are put together: their depth, and whether they can be joined. */
import type { Engine } from '../engines/engine.ts'
import type { SqlLine } from './sql-lines.ts'

/** The maximum width of a line, without the indentation of the block in the file. */
export const lineWidth = 108

export interface OutLine {
  /** The engine whose lexer reads the text. */
  readonly engine: Engine
  /** The depth in steps of two spaces. */
  readonly depth: number
  readonly text: string
  readonly blankBefore: boolean
  readonly breakBefore: boolean
  /** It ends in a comment or spans several lines, so it cannot be joined with others. */
  readonly isRigid: boolean
}

export type FlatLine = Pick<OutLine, 'text' | 'isRigid'>

export function outLine(line: SqlLine, depth: number): OutLine {
  const { engine, text, blankBefore, breakBefore } = line
  return { engine, depth, text, blankBefore, breakBefore, isRigid: isRigid(line) }
}

export function isRigid(line: SqlLine): boolean {
  return line.endsInComment || line.isTall
}

export function isComment(text: string): boolean {
  return text.startsWith('--') || text.startsWith('/*')
}

export function outdented(line: OutLine): OutLine {
  return { ...line, depth: line.depth - 1 }
}

/** Joins lines into one; undefined if a comment or a multi-line text prevents it, or if it is too long. */
export function flatten(lines: Iterable<FlatLine>): string | undefined {
  let flat = ''
  for (const { text, isRigid } of lines) {
    if (isRigid || flat.length > lineWidth) return undefined
    const isTight = flat === '' || /[([{]$/.test(flat) || /^[)\]}]/.test(text)
    flat += `${isTight ? '' : ' '}${text}`
  }
  return flat
}

const closer = /^(?:[)\]}]|END\b)/

export function opens(text: string, next?: string): boolean {
  return /[([{]$/.test(text) || (next !== undefined && /^END\b/.test(next))
}

export function closes(text: string): boolean {
  return closer.test(text)
}
