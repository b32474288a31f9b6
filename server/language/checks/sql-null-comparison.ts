import type { Engine } from '../engines/engine.ts'
import { nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import { readExpression, readSql } from '../sql/reader/read-sql.ts'
import type { Binary, Expression } from '../sql/tree.ts'
import { type SqlNode, walk } from '../sql/walk.ts'
import { scalarPositions } from '../syntax/scalar-positions.ts'
import { testConditions } from '../tests/index.ts'
import type { PositionMap } from '../text/range.ts'
import type { FileCheck, Finding } from './check.ts'

export const sqlNullComparison: FileCheck = {
  code: 'sql-null-comparison',
  severity: 'warning',
  doc: 'A comparison with NULL (`= NULL`, `<> NULL`, `!= NULL`) is never true, not even for NULL.',
  *run(asset, engine) {
    for (const piece of piecesOf(asset)) {
      const { roots, problems } = piece.read(engine)
      // If the text cannot be parsed completely, its words may mean something else.
      if (problems.length > 0) continue
      for (const comparison of roots.flatMap(comparisonsIn)) yield findingOf(asset, piece, comparison)
    }
  },
}

// ---------------------------------------------------------------- the SQL of a file

interface Piece {
  readonly text: string
  readonly toFile: PositionMap
  read(engine: Engine): { readonly roots: readonly SqlNode[]; readonly problems: readonly unknown[] }
}

/** Most SQL has no such comparison and is not parsed for it. */
const mayCompare = /[=>]\s*\(*\s*null\b|\bnull\s*\)*\s*(?:=|<>|!=)/i

function* piecesOf(asset: Asset): Iterable<Piece> {
  for (const template of [asset.sql, ...asset.testSql.values()]) {
    if (template === undefined || template.elsewhere !== undefined || !mayCompare.test(template.text))
      continue
    const { text, toFile } = template
    yield {
      text,
      toFile,
      read({ grammar }) {
        const { statements, problems } = readSql(text, grammar)
        return { roots: statements, problems }
      },
    }
  }
  for (const test of asset.definition.tests) {
    for (const { key, sql } of testConditions(test)) {
      const node = mayCompare.test(sql) ? nodeAt(asset.tree, ['tests', test.index, key]) : undefined
      if (node?.kind !== 'scalar') continue
      yield {
        text: sql,
        toFile: scalarPositions(asset.text, node),
        read({ grammar }) {
          const { expression, problems } = readExpression(sql, grammar)
          return { roots: [expression], problems }
        },
      }
    }
  }
}

// ---------------------------------------------------------------- comparisons

/** The intended expression by operator. */
const meant: ReadonlyMap<string, string> = new Map([
  ['=', 'IS NULL'],
  ['==', 'IS NULL'],
  ['<>', 'IS NOT NULL'],
  ['!=', 'IS NOT NULL'],
])

function comparisonsIn(root: SqlNode): readonly Binary[] {
  const comparisons: Binary[] = []
  const named = new Set<SqlNode>()
  walk(root, {
    enter(node) {
      // `FROM f(a = NULL)` is a named argument.
      if (node.kind === 'function-table')
        for (const { value } of node.call.arguments) if (isNaming(value)) named.add(value)
      if (node.kind === 'binary' && meant.has(node.operator) && !named.has(node)) {
        if (isNull(node.left) || isNull(node.right)) comparisons.push(node)
      }
      return true
    },
  })
  return comparisons
}

function isNaming(value: Expression): boolean {
  return value.kind === 'binary' && value.operator === '=' && value.left.kind === 'reference'
}

function isNull(node: Expression): boolean {
  return node.kind === 'literal' && node.type === 'null'
}

function findingOf({ path }: Asset, { text, toFile }: Piece, comparison: Binary): Finding {
  const { right, operator, operatorSpan, start, end } = comparison
  const test = meant.get(operator) ?? ''
  const isBehind = isNull(right)
  const about = isBehind ? { start: operatorSpan.start, end } : { start, end: operatorSpan.end }
  const space = /^\s*/.exec(text.slice(operatorSpan.end))?.[0].length ?? 0
  const edits = isBehind
    ? [{ range: about, newText: test }]
    : [
        { range: { start, end: operatorSpan.end + space }, newText: '' },
        { range: { start: end, end }, newText: ` ${test}` },
      ]
  return {
    range: toFile.rangeToOriginal(about),
    message: 'a comparison with NULL is never true',
    hint: `Write ${test}.`,
    fixes: [
      {
        title: `Change to ${test}`,
        edits: edits.map(({ range, newText }) => ({ path, range: toFile.rangeToOriginal(range), newText })),
      },
    ],
  }
}
