/** A code action that turns a CTE into an asset: its query becomes a file, and the SQL reads it by ref(). */
import type { Asset } from '../../project/project.ts'
import type { BoundCte } from '../../sql/binder/model.ts'
import type { Cte, Query } from '../../sql/tree.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import { isWithin, type Range } from '../../text/range.ts'
import { hasUnitTests } from '../../unit/unit-case.ts'
import type { Knowledge } from '../knowledge.ts'
import { fileRange, mentionsIn, textIn, transformOf } from '../names/mentions.ts'
import type { BoundBlock } from '../sql/bound-sql.ts'
import type { CodeAction } from './code-action.ts'

export function extractCte(knowledge: Knowledge, asset: Asset, offset: number): readonly CodeAction[] {
  const named = transformOf(knowledge, asset)
  const query = named?.bound.query
  if (named === undefined || query === undefined || query.recursive || named.block.node.style !== 'literal')
    return []
  const bound = named.bound.ctes.find(
    ({ cte }) => query.ctes.includes(cte) && isWithin(fileRange(named, cte), offset),
  )
  if (bound?.cte.query === undefined || bound.cte.columns.length > 0 || hasUnitTests(asset)) return []
  const needed = neededCtes(named, query, bound)
  const parts = [...needed, bound.cte]
  const isOwn = parts.some(cte => /\{\{\s*(source|this|window)\b/.test(textIn(named, cte)))
  const name = freeName(knowledge, asset, bound.cte.name.text)
  if (isOwn || name === undefined) return []
  const edits = [...readEdits(named, bound, name), removal(named, query, bound.cte)].flatMap(
    edit => edit ?? [],
  )
  const path = `${asset.path.slice(0, asset.path.lastIndexOf('/') + 1)}${name}.svc`
  return [
    {
      title: `Make an asset "${name}" of the CTE ${bound.cte.name.text}`,
      kind: 'refactor.extract',
      edits,
      creates: [{ path, text: fileText(named, name, asset.name, needed, bound.cte) }],
      preferred: false,
    },
  ]
}

/** Returns the earlier CTEs that it reads, directly or not. */
function neededCtes(named: BoundBlock, query: Query, bound: BoundCte): readonly Cte[] {
  const needed = new Set<Cte>()
  const own = new Set(query.ctes)
  const visit = (cte: Cte): void => {
    for (const { target, role } of mentionsIn(named.bound.mentions, cte)) {
      if (role !== 'read' || target.kind !== 'cte') continue
      if (!own.has(target.cte) || target.cte === cte || needed.has(target.cte)) continue
      needed.add(target.cte)
      visit(target.cte)
    }
  }
  visit(bound.cte)
  return query.ctes.filter(cte => needed.has(cte))
}

function freeName({ project }: Knowledge, asset: Asset, cte: string): string | undefined {
  const taken = new Set([...project.assets.values()].map(each => each.name.toLowerCase()))
  return [cte, `${asset.name}_${cte}`].find(
    name => /^[A-Za-z_]\w{0,56}$/.test(name) && !/^svc_/i.test(name) && !taken.has(name.toLowerCase()),
  )
}

/** Replaces `FROM totals` by `FROM {{ ref('totals') }} AS totals`. */
function readEdits(named: BoundBlock, bound: BoundCte, name: string): readonly TextEdit[] {
  const { asset } = named
  const own = bound.cte.name.text
  const aliased = new Set(
    named.bound.tables.flatMap(({ cte, alias, node }) =>
      cte === bound && alias !== undefined ? [node.start] : [],
    ),
  )
  return named.bound.mentions.flatMap(({ span, target, role }) => {
    if (role !== 'read' || target !== bound) return []
    const alias = aliased.has(span.start) || name === own ? '' : ` AS ${named.engine.quoteIfNeeded(own)}`
    return [{ path: asset.path, range: fileRange(named, span), newText: `{{ ref('${name}') }}${alias}` }]
  })
}

/** Removes the CTE with its comma; the only CTE is removed with WITH. */
function removal(named: BoundBlock, query: Query, cte: Cte): TextEdit | undefined {
  const { text } = named.block
  const index = query.ctes.indexOf(cte)
  const [before, next] = [query.ctes[index - 1], query.ctes[index + 1]]
  let range: Range
  if (next !== undefined) range = { start: cte.start, end: next.start }
  else if (before !== undefined) range = { start: before.end, end: cte.end }
  else {
    const start = text.slice(0, cte.start).search(/\bWITH\s+$/i)
    if (start < 0) return undefined
    const behind = /^\s*/.exec(text.slice(cte.end))?.[0].length ?? 0
    range = { start, end: cte.end + behind }
  }
  // The removal ends at the next SQL: the indentation of a line is not part of the template.
  const { toFile } = named.block
  const end = Math.max(
    fileRange(named, range).end,
    next === undefined && before !== undefined ? 0 : toFile.toOriginal(range.end),
  )
  return { path: named.asset.path, range: { start: toFile.toOriginal(range.start), end }, newText: '' }
}

function fileText(named: BoundBlock, name: string, from: string, needed: readonly Cte[], cte: Cte): string {
  const own = cte.query === undefined ? '' : textIn(named, cte.query.reach)
  const parts = needed.map(each => textIn(named, each))
  const sql = parts.length === 0 ? dedented(own) : `WITH ${parts.join(',\n')}\n${dedented(own)}`
  const lines = sql.split('\n').map(line => (line.trim() === '' ? '' : `  ${line.trimEnd()}`))
  return `name: ${name}\ndescription: What ${from} reads as ${cte.name.text}.\ningest: none\ntransform: |\n${lines.join('\n')}\n`
}

/** Removes the indentation that all lines share. */
function dedented(sql: string): string {
  const lines = sql
    .replace(/^[ \t]*\n/, '')
    .trimEnd()
    .split('\n')
  const indents = lines.filter(line => line.trim() !== '').map(line => /^ */.exec(line)?.[0].length ?? 0)
  const least = Math.min(...(lines.length === 1 ? [indents[0] ?? 0] : indents))
  return lines
    .map(line => line.slice(least))
    .join('\n')
    .trim()
}
