/**
 * The unit tests of an asset, with the places of everything that they name. It reads the tree and does not
 * decide the result.
 */
import { locate, nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { JsonScalar, TestSeverity, UnitTest } from '../schema/definition.ts'
import type { MapNode, NodePath } from '../syntax/node.ts'
import type { Range } from '../text/range.ts'
import { readUnitTable, type UnitTable } from './unit-rows.ts'

export interface UnitCase {
  readonly asset: string
  /** The name, unique within the asset. */
  readonly name: string
  /** The position in the file's `tests` list. */
  readonly index: number
  readonly severity: TestSeverity
  /** The range for a failure of the test: its name, or the key `unit`. */
  readonly range: Range
  /** The place to insert another key before the others. */
  readonly keys: { readonly start: number; readonly isFlow: boolean }
  readonly given: readonly GivenTable[]
  readonly vars: readonly { readonly name: string; readonly value: JsonScalar; readonly range: Range }[]
  readonly now: WrittenText | undefined
  readonly cte: WrittenText | undefined
  /** Undefined if the SQL must fail with `error`. */
  readonly expect: { readonly table: UnitTable; readonly keyRange: Range } | undefined
  readonly error: WrittenText | undefined
  readonly ordered: boolean
  readonly contains: boolean
  readonly tolerance: number | undefined
}

export interface WrittenText {
  readonly text: string
  readonly range: Range
}

export interface GivenTable {
  /** The input as {@link inputKey} writes it. */
  readonly input: string
  readonly range: Range
  readonly table: UnitTable
}

export function hasUnitTests(asset: Asset): boolean {
  return asset.definition.tests.some(test => test.kind === 'unit')
}

/** Returns the tests that can be read completely; problems in the others are reported already. */
export function unitCases(asset: Asset): UnitCase[] {
  return asset.definition.tests.flatMap(test => {
    if (test.kind !== 'unit') return []
    const path = ['tests', test.index, 'unit']
    const node = nodeAt(asset.tree, path)
    if (node?.kind !== 'map') return []
    const { name, index, severity, ordered, contains, tolerance } = test
    const written = (key: 'error' | 'now' | 'cte') => {
      const text = test[key]
      return text === undefined ? undefined : { text, range: locate(asset, [...path, key]) }
    }
    const expect = expectOf(asset, node, path, test)
    const error = written('error')
    if (expect === undefined && error === undefined) return []
    return [
      {
        asset: asset.name,
        name,
        index,
        severity,
        range: rangeOf(asset, index),
        keys: {
          start: node.entries[0]?.key.range.start ?? node.range.start,
          isFlow: asset.text[node.range.start] === '{',
        },
        given: givenOf(asset, node),
        vars: varsOf(asset, path, test),
        now: written('now'),
        cte: written('cte'),
        expect,
        error,
        ordered,
        contains,
        tolerance,
      },
    ]
  })
}

/** Returns the range for a test: its name, or the key of its kind. */
function rangeOf(asset: Asset, index: number): Range {
  const name = nodeAt(asset.tree, ['tests', index, 'name'])
  return name?.range ?? locate(asset, ['tests', index, 'unit'], 'key')
}

function expectOf(asset: Asset, node: MapNode, path: NodePath, test: UnitTest): UnitCase['expect'] {
  const value = node.entries.find(entry => entry.key.value === 'expect')?.value
  if (test.expect === undefined || value === undefined) return undefined
  return { table: readUnitTable(asset.text, value), keyRange: locate(asset, [...path, 'expect'], 'key') }
}

function givenOf(asset: Asset, node: MapNode): GivenTable[] {
  const given = nodeAt(node, ['given'])
  if (given?.kind !== 'map') return []
  return given.entries.flatMap(({ key, value }) => {
    if (value === undefined) return []
    const table = readUnitTable(asset.text, value)
    return [{ input: normalInput(String(key.value)), range: key.range, table }]
  })
}

function varsOf(asset: Asset, path: NodePath, { vars }: UnitTest): UnitCase['vars'] {
  return Object.entries(vars).map(([name, value]) => ({
    name,
    value,
    range: locate(asset, [...path, 'vars', name], 'key'),
  }))
}

// ---------------------------------------------------------------- names of inputs

/** Returns the name in `given` for the relation of a tag. */
export function inputKey(
  tag: { readonly kind: 'source'; readonly child?: string } | { readonly kind: 'ref'; readonly name: string },
): string {
  if (tag.kind === 'ref') return tag.name
  return tag.child === undefined ? 'source' : `source('${tag.child}')`
}

/** Normalizes `source("lines")` and `source( 'lines' )` to `source('lines')`. */
function normalInput(written: string): string {
  const child = /^source\(\s*(?:'([^']*)'|"([^"]*)")\s*\)$/.exec(written.trim())
  return child === null ? written : inputKey({ kind: 'source', child: child[1] ?? child[2] ?? '' })
}
