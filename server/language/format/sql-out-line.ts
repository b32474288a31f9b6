/** Lines of the result while it is put together: their depth, and what may join them. */
import type { Engine } from '../engines/engine.ts'
import type { SqlLine } from './sql-lines.ts'

/** What fits on a line, the indentation of the block in the file not counted. */
export const lineWidth = 108

export interface OutLine {
  /** Reads the text. */
  readonly engine: Engine
  /** In steps of two spaces. */
  readonly depth: number
  readonly text: string
  readonly blankBefore: boolean
  readonly breakBefore: boolean
  /** A comment at its end or several lines in it: nothing can follow, so it joins no other line. */
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

/** All on one line; undefined where a comment or a text of several lines is in the way, or where none is that long. */
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
