/** Finds the names in the YAML around the SQL: the asset, its columns, those of its source, terms. */
import { targetColumnRange, testColumnRange } from '../../checks/places.ts'
import { nodeAt } from '../../project/locate.ts'
import type { Asset } from '../../project/project.ts'
import type { TestDefinition } from '../../schema/definition.ts'
import { type PromisedTable, promisedTables } from '../../source/table-contract.ts'
import { changesToldOf } from '../../sources/index.ts'
import type { NodePath, ScalarNode } from '../../syntax/node.ts'
import { testColumns, testKindOf } from '../../tests/index.ts'
import { defines, type Occurrence, reads, type Subject } from './subjects.ts'
import { unitOccurrences, withoutQuotes } from './unit-occurrences.ts'

/** Returns the occurrences. `termId` maps a written term to its identifier. */
export function yamlOccurrences(
  asset: Asset,
  termId: (written: string) => string | undefined,
): readonly Occurrence[] {
  const column = (name: string): Subject => ({ kind: 'column', asset: asset.name, column: name })
  const raw = (name: string): Subject => ({ kind: 'raw', asset: asset.name, child: '', column: name })
  return [
    ...ownName(asset),
    ...asset.definition.tests.flatMap(test => inTest(asset, test)),
    ...keysAt(asset, ['columns']).map(key => reads(key.bodyRange, column(String(key.value)))),
    ...termsOf(asset, termId),
    ...unitOccurrences(asset),
    ...valuesAt(asset, ['freshness', 'column']).map(node =>
      reads(node.bodyRange, column(String(node.value))),
    ),
    ...promisedTables(asset.definition.contract).flatMap(table => inContract(asset, table)),
    ...columnsOfSource(asset).map(node => reads(node.bodyRange, raw(String(node.value)))),
  ]
}

/** Returns what keys of `ingest` name. */
function columnsOfSource(asset: Asset): readonly ScalarNode[] {
  const isTold = changesToldOf(asset.definition.ingest)?.by === 'column'
  return [
    ...valuesAt(asset, ['ingest', 'primary_key']),
    ...(isTold ? valuesAt(asset, ['ingest', 'changed_by']) : []),
  ]
}

function ownName(asset: Asset): readonly Occurrence[] {
  return valuesAt(asset, ['name']).map(node => defines(node.bodyRange, { kind: 'asset', name: asset.name }))
}

function inContract(asset: Asset, { child, at }: PromisedTable): readonly Occurrence[] {
  const raw = ({ value }: ScalarNode): Subject => ({
    kind: 'raw',
    asset: asset.name,
    child: child ?? '',
    column: String(value),
  })
  return [
    ...keysAt(asset, [...at, 'columns']).map(key => defines(key.bodyRange, raw(key))),
    ...valuesAt(asset, [...at, 'required_columns']).map(node => reads(node.bodyRange, raw(node))),
  ]
}

function inTest(asset: Asset, test: TestDefinition): readonly Occurrence[] {
  const occurrences = testColumns(test).map(column =>
    reads(withoutQuotes(asset, testColumnRange(asset, test, column)), {
      kind: 'column',
      asset: asset.name,
      column,
    }),
  )
  const target = testKindOf(test).target?.(test)
  const range = targetColumnRange(asset, test)
  return target === undefined || range === undefined
    ? occurrences
    : [...occurrences, reads(range, { kind: 'column', ...target })]
}

function termsOf(asset: Asset, termId: (written: string) => string | undefined): readonly Occurrence[] {
  return keysAt(asset, ['columns']).flatMap(key => {
    const node = nodeAt(asset.tree, ['columns', String(key.value), 'term'])
    const id = node?.kind === 'scalar' ? termId(String(node.value)) : undefined
    return node?.kind !== 'scalar' || id === undefined
      ? []
      : [reads(node.bodyRange, { kind: 'term', term: id })]
  })
}

function keysAt(asset: Asset, path: NodePath): readonly ScalarNode[] {
  const node = nodeAt(asset.tree, path)
  return node?.kind === 'map' ? node.entries.map(entry => entry.key) : []
}

/** Returns a single value, or each item of a list. */
function valuesAt(asset: Asset, path: NodePath): readonly ScalarNode[] {
  const node = nodeAt(asset.tree, path)
  const items = node?.kind === 'sequence' ? node.items : node === undefined ? [] : [node]
  return items.filter((item): item is ScalarNode => item.kind === 'scalar' && item.value !== null)
}
