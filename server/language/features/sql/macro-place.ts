/** The SQL of a macro around an offset of its file, for the features that read SQL. */
import { callsIn, type Macro, type MacroFile } from '../../macros/macro.ts'
import { parseAsset } from '../../project/parse-asset.ts'
import type { Asset, Settings } from '../../project/project.ts'
import type { Range } from '../../text/range.ts'
import { type SqlBlock, withoutBraces } from './sql-blocks.ts'

export function macroAt({ macros, text }: MacroFile, offset: number): Macro | undefined {
  return macros.find(({ body: { range } }) => range.start <= offset && offset <= endOfBlank(text, range.end))
}

/** A user also writes behind the last word. */
function endOfBlank(text: string, end: number): number {
  return end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0)
}

/** The body of a macro as a block. Which rows an expression is about is known only where it is called. */
export function macroBlock({ text, body, kind }: Macro): SqlBlock {
  const { start } = body.range
  const end = endOfBlank(text, body.range.end)
  const sql = text.slice(start, end)
  const inFile = (range: Range): Range => ({ start: range.start + start, end: range.end + start })
  const range = { start, end }
  return {
    kind: kind === 'table' ? 'query' : 'expression',
    path: ['transform'],
    text: sql,
    code: withoutBraces(text, callsIn(body.tags)).slice(start, end),
    toFile: { toOriginal: offset => offset + start, rangeToOriginal: inFile },
    range,
    node: { kind: 'scalar', range, bodyRange: range, style: 'literal', value: sql },
  }
}

/** Stands for the asset that would call the macro. */
export function callerOf(path: string, settings: Settings): Asset {
  return parseAsset(path, 'ingest: none\n', settings, () => '')
}
