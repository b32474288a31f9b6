/** Finds patterns of `applies_to` that fit no asset: they are usually misspelt, and then the policy protects nothing. */
import { targetNames } from '../destinations/target.ts'
import { glossaryPath } from '../glossary/glossary.ts'
import { whetherOneMatches } from '../glossary/patterns.ts'
import { policyNames, tagPrefix } from '../glossary/terms.ts'
import { once } from '../once.ts'
import { doorOf } from '../personal/at-the-door.ts'
import { locate } from '../project/locate.ts'
import type { Project } from '../project/project.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { type NameIndex, newNameIndex } from '../text/name-index.ts'
import { misspelt } from './misspelt.ts'
import { suggestOneOf } from './suggestion.ts'

const forms =
  'Write a name with * and ?, <schema>.* for a schema or a folder of models, tag:<tag> for a tag, publish.<target>, or metric.* for metrics.'

export function policyPatternProblems(project: Project): readonly Diagnostic[] {
  const { file, policies } = project.glossary
  if (file === undefined) return []
  const subjects = subjectsOf(project)
  return policies.flatMap(policy =>
    policy.appliesTo.flatMap((pattern, index): readonly Diagnostic[] => {
      if (subjects.haveOneLike(pattern)) return []
      const place = {
        path: glossaryPath,
        range: locate(file, ['policies', policy.index, 'applies_to', index]),
      }
      const message = `no asset fits "${pattern}", so the policy protects nothing there`
      const near = subjects.like(pattern).nearest(pattern)
      return [
        {
          code: 'policy-without-asset',
          ...place,
          ...misspelt(pattern, policy, { message, ...suggestOneOf(near, place, forms) }),
        },
      ]
    }),
  )
}

interface Subjects {
  /** Whether a pattern fits an asset, a target of one, or a metric. */
  haveOneLike(pattern: string): boolean
  /** What the pattern may have meant: tags for a tag, schemas and folders for `x.*`, else assets and targets. */
  like(pattern: string): NameIndex
}

/** What policies watch, listed once for all patterns. */
function subjectsOf(project: Project): Subjects {
  const assets = [...project.byName.values()]
  const names = assets.flatMap(asset => policyNames(project, asset))
  const doors = assets.flatMap(asset => targetNames(asset).map(doorOf))
  const tags = assets.flatMap(({ definition }) => definition.tags)
  const offered = names.filter(name => !name.startsWith('.'))
  const isAsset = whetherOneMatches(names)
  const isTag = whetherOneMatches(tags)
  const isOther = whetherOneMatches([...doors, ...project.glossary.metrics.map(({ id }) => id)])
  const plainTags = once(() => plain(tags.map(tag => `${tagPrefix}${tag}`)))
  const plainNames = once(() => plain([...offered, ...doors]))
  const groups = once(() => plain(offered.flatMap(groupOf)))
  return {
    haveOneLike: pattern =>
      isOther(pattern) ||
      (pattern.startsWith(tagPrefix) ? isTag(pattern.slice(tagPrefix.length).trim()) : isAsset(pattern)),
    like: pattern =>
      pattern.startsWith(tagPrefix) ? plainTags() : pattern.endsWith('.*') ? groups() : plainNames(),
  }
}

/** The schema or the folders before a name, as a pattern of all that is in it. */
function groupOf(name: string): readonly string[] {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? [] : [`${name.slice(0, dot)}.*`]
}

/** The correction is written without quotes, also into a list in brackets. */
function plain(names: readonly string[]): NameIndex {
  return newNameIndex(names.filter(text => !/[,[\]{}#"'\n]|:\s/.test(text)))
}
