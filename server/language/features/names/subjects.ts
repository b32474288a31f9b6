/**
 * The subjects that the editor can be asked about: assets, columns, variables, terms, and names local to one
 * SQL text.
 */
import { oncePer } from '../../once.ts'
import { type BoundSql, type Column, rootOf, type Target } from '../../sql/binder/model.ts'
import type { Range } from '../../text/range.ts'
import { sameLetters } from '../../text/same-letters.ts'
import type { BoundBlock } from '../sql/bound-sql.ts'
import { isTransform } from './mentions.ts'

export type Subject =
  | { readonly kind: 'asset'; readonly name: string }
  /** An output column of an asset. */
  | { readonly kind: 'column'; readonly asset: string; readonly column: string }
  /** A column of an asset's source; `child` is '' for the source itself. */
  | { readonly kind: 'raw'; readonly asset: string; readonly child: string; readonly column: string }
  | { readonly kind: 'child'; readonly asset: string; readonly child: string }
  | { readonly kind: 'var'; readonly name: string }
  /** `term` is the identifier of the term. */
  | { readonly kind: 'term'; readonly term: string }
  | { readonly kind: 'macro'; readonly name: string }
  | { readonly kind: 'macro-parameter'; readonly macro: string; readonly parameter: string }
  /** A test of a file `tests/<name>.sql`. */
  | { readonly kind: 'own-test'; readonly name: string }
  | { readonly kind: 'own-test-parameter'; readonly test: string; readonly parameter: string }
  | LocalSubject

/**
 * A name local to one SQL text: a CTE, an alias, a window, a parameter, a field, or a column of a CTE or
 * subquery.
 */
export interface LocalSubject {
  readonly kind: 'local'
  readonly named: BoundBlock
  readonly target: Target
}

/** A place in a file that names a subject. */
export interface Occurrence {
  readonly range: Range
  readonly subject: Subject
  readonly role: 'definition' | 'read'
}

export function reads(range: Range, subject: Subject): Occurrence {
  return { range, subject, role: 'read' }
}

export function defines(range: Range, subject: Subject): Occurrence {
  return { range, subject, role: 'definition' }
}

/** Returns a key that is equal for equal subjects only. */
export function subjectKey(subject: Subject): string {
  switch (subject.kind) {
    case 'asset':
      return `asset ${subject.name}`
    case 'column':
      return `column ${subject.asset} ${subject.column.toLowerCase()}`
    case 'raw':
      return `raw ${subject.asset} ${subject.child} ${subject.column.toLowerCase()}`
    case 'child':
      return `child ${subject.asset} ${subject.child}`
    case 'var':
      return `var ${subject.name}`
    case 'term':
      return `term ${subject.term}`
    case 'macro':
      return `macro ${subject.name.toLowerCase()}`
    case 'macro-parameter':
      return `macro-parameter ${subject.macro.toLowerCase()} ${subject.parameter.toLowerCase()}`
    case 'own-test':
      return `own-test ${subject.name}`
    case 'own-test-parameter':
      return `own-test-parameter ${subject.test} ${subject.parameter}`
    case 'local': {
      const { named, target } = subject
      const id = target.kind === 'column' ? target.column.id : target.id
      return `local ${named.asset.path} ${named.block.path.join('.')} ${id}`
    }
  }
}

/** Returns the subject of a mention in SQL. */
export function subjectOf(named: BoundBlock, target: Target): Subject {
  if (target.kind === 'column') return subjectOfColumn(named, target.column)
  if (target.kind === 'table' && target.alias === undefined) {
    if (target.cte !== undefined) return { kind: 'local', named, target: target.cte }
    if (target.tag?.asset !== undefined) return { kind: 'asset', name: target.tag.asset }
  }
  return { kind: 'local', named, target }
}

function subjectOfColumn(named: BoundBlock, column: Column): Subject {
  const root = namedRoot(column)
  if (root.maker.kind === 'input') {
    const { asset, column: name, source } = root.maker.origin
    return source === undefined
      ? { kind: 'column', asset, column: name }
      : { kind: 'raw', asset, child: source, column: name }
  }
  const output = isTransform(named) ? outputOf(named, root) : undefined
  if (output !== undefined) return { kind: 'column', asset: named.asset.name, column: output.name }
  return { kind: 'local', named, target: { kind: 'column', column: root } }
}

/**
 * Returns the column that gives a column its name; for a set operation the first side's, if that is written.
 */
function namedRoot(column: Column): Column {
  const root = rootOf(column)
  const side = root.maker.kind === 'union' ? root.maker.sides[0] : undefined
  const first = side && namedRoot(side)
  return first?.maker.kind === 'named' || first?.maker.kind === 'field' ? first : root
}

/** Returns the output column that passes the column on under its name. */
function outputOf({ bound }: BoundBlock, root: Column): Column | undefined {
  return carriersIn(bound).get(root.id)
}

/** Returns output columns by the id of the column that they pass on: a query may have thousands of columns. */
const carriersIn = oncePer(({ output }: BoundSql): ReadonlyMap<string, Column> => {
  const outputs = new Map<string, Column>()
  for (const column of output.columns)
    for (const root of carriedBy(column)) if (!outputs.has(root.id)) outputs.set(root.id, column)
  return outputs
})

/** Returns the columns that a column passes on, for set operations those of the first side. */
function carriedBy(column: Column): readonly Column[] {
  const root = rootOf(column)
  const own = sameLetters(column.name, root.name) ? [root] : []
  const side = root.maker.kind === 'union' ? root.maker.sides[0] : undefined
  return side === undefined ? own : [...own, ...carriedBy(side)]
}
