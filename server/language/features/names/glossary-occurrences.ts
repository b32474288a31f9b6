/** Finds the terms, assets and columns that `glossary.yaml` names. */
import type { Glossary } from '../../glossary/glossary.ts'
import { findTerm } from '../../glossary/terms.ts'
import { nodeAt } from '../../project/locate.ts'
import type { Project } from '../../project/project.ts'
import type { NodePath, ScalarNode } from '../../syntax/node.ts'
import { defines, type Occurrence, reads } from './subjects.ts'

export function glossaryOccurrences({ glossary }: Project): readonly Occurrence[] {
  return [
    ...glossary.terms.map(({ range, id }) => defines(range, { kind: 'term', term: id })),
    ...linkOccurrences(glossary),
    ...metricOccurrences(glossary),
    ...policyOccurrences(glossary),
  ]
}

function linkOccurrences(glossary: Glossary): readonly Occurrence[] {
  return glossary.links.flatMap(({ term, asset, column, termRange, assetRange, columnRange }) => {
    const id = findTerm(glossary, term)?.id
    const occurrences = [reads(assetRange, { kind: 'asset', name: asset })]
    if (id !== undefined) occurrences.push(reads(termRange, { kind: 'term', term: id }))
    if (column !== undefined && columnRange !== undefined)
      occurrences.push(reads(columnRange, { kind: 'column', asset, column }))
    return occurrences
  })
}

function metricOccurrences(glossary: Glossary): readonly Occurrence[] {
  return glossary.metrics.flatMap(({ sql, sourceAssets, index }) => {
    const refs = (sql?.tags ?? []).flatMap((tag): readonly Occurrence[] => {
      const range = tag.kind === 'ref' ? sql?.toFile.rangeToOriginal(tag.nameRange) : undefined
      return tag.kind !== 'ref' || range === undefined
        ? []
        : [reads(range, { kind: 'asset', name: tag.name })]
    })
    const sources = sourceAssets.flatMap(name => {
      const node = itemOf(glossary, ['metrics', index, 'source_assets'], name)
      return node === undefined ? [] : [reads(node.bodyRange, { kind: 'asset', name })]
    })
    return [...refs, ...sources]
  })
}

/** Returns patterns that are the name of one asset, and `asset.column`. */
function policyOccurrences(glossary: Glossary): readonly Occurrence[] {
  return glossary.policies.flatMap(({ appliesTo, piiColumns, index }) => {
    const assets = appliesTo.flatMap(pattern => {
      const node = itemOf(glossary, ['policies', index, 'applies_to'], pattern)
      const [, before = '', name] = /^(\w+\.)?(\w+)$/.exec(pattern) ?? []
      if (node === undefined || name === undefined) return []
      const { start, end } = node.bodyRange
      return [reads({ start: start + before.length, end }, { kind: 'asset', name })]
    })
    const columns = piiColumns.flatMap((written): readonly Occurrence[] => {
      const node = itemOf(glossary, ['policies', index, 'pii_columns'], written)
      const dot = written.indexOf('.')
      if (node === undefined || dot < 0 || node.bodyRange.end - node.bodyRange.start !== written.length)
        return []
      const { start, end } = node.bodyRange
      const asset = written.slice(0, dot)
      return [
        reads({ start, end: start + dot }, { kind: 'asset', name: asset }),
        reads({ start: start + dot + 1, end }, { kind: 'column', asset, column: written.slice(dot + 1) }),
      ]
    })
    return [...assets, ...columns]
  })
}

/** Returns the list item, or the single value, with the text `name`. */
function itemOf(glossary: Glossary, path: NodePath, name: string): ScalarNode | undefined {
  const node = nodeAt(glossary.file?.tree, path)
  const items = node?.kind === 'sequence' ? node.items : node === undefined ? [] : [node]
  return items.find((item): item is ScalarNode => item.kind === 'scalar' && String(item.value) === name)
}
