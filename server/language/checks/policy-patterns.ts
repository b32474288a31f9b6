/** Finds patterns of `applies_to` that fit no asset: they are usually misspelt, and then the policy protects nothing. */
import { targetNames } from '../destinations/target.ts'
import { glossaryPath } from '../glossary/glossary.ts'
import { appliesTo, namesMetric, policyNames } from '../glossary/terms.ts'
import { doorOf, watchesDoor } from '../personal/at-the-door.ts'
import { locate } from '../project/locate.ts'
import type { Asset, Project } from '../project/project.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { misspelt } from './misspelt.ts'
import { suggestName } from './suggestion.ts'

const forms =
  'Write a name with * and ?, <schema>.* for a schema or a folder of models, tag:<tag> for a tag, publish.<target>, or metric.* for metrics.'

export function policyPatternProblems(project: Project): readonly Diagnostic[] {
  const { file, policies } = project.glossary
  if (file === undefined) return []
  return policies.flatMap(policy =>
    policy.appliesTo.flatMap((pattern, index): readonly Diagnostic[] => {
      const only = { ...policy, appliesTo: [pattern] }
      const fits = (asset: Asset) =>
        appliesTo(only, project, asset) || targetNames(asset).some(target => watchesDoor(only, target))
      const isOfMetric = project.glossary.metrics.some(metric => namesMetric(only, metric))
      if (isOfMetric || [...project.byName.values()].some(fits)) return []
      const place = {
        path: glossaryPath,
        range: locate(file, ['policies', policy.index, 'applies_to', index]),
      }
      const message = `no asset fits "${pattern}", so the policy protects nothing there`
      return [
        {
          code: 'policy-without-asset',
          ...place,
          ...misspelt(pattern, policy, {
            message,
            ...suggestName(pattern, patternsLike(project, pattern), place, forms),
          }),
        },
      ]
    }),
  )
}

/** Returns what the pattern may have meant: tags for a tag, schemas and folders for `x.*`, else assets and targets. */
function patternsLike(project: Project, pattern: string): readonly string[] {
  const assets = [...project.byName.values()]
  return [...new Set(candidates(project, assets, pattern))].filter(isPlain)
}

function candidates(project: Project, assets: readonly Asset[], pattern: string): readonly string[] {
  if (pattern.startsWith('tag:'))
    return assets.flatMap(({ definition }) => definition.tags.map(tag => `tag:${tag}`))
  const names = assets.flatMap(asset => policyNames(project, asset)).filter(name => !name.startsWith('.'))
  if (!pattern.endsWith('.*')) return [...names, ...assets.flatMap(asset => targetNames(asset).map(doorOf))]
  return names.flatMap(name => {
    const dot = name.lastIndexOf('.')
    return dot < 0 ? [] : [`${name.slice(0, dot)}.*`]
  })
}

/** The correction is written without quotes, also into a list in brackets. */
function isPlain(text: string): boolean {
  return !/[,[\]{}#"'\n]|:\s/.test(text)
}
