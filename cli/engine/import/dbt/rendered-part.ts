/** Renders the templates in the values of schema files. */
import { JinjaProblem } from '../jinja/problem.ts'
import { Dict, fromData, type Value } from '../jinja/values.ts'
import type { DbtProject } from './dbt-project.ts'
import type { DbtPackage } from './packages.ts'
import { renderedValue } from './unroll.ts'
import type { Part } from './yaml-part.ts'

/**
 * Returns what a schema file says, with the templates in it rendered. `onProblem` says what a broken one is; without
 * it a JinjaProblem is thrown.
 */
export function renderedPart(
  project: DbtProject,
  of: DbtPackage,
  part: Part,
  onProblem?: (problem: JinjaProblem, text: string) => Value,
): Value {
  if (part.isList) return part.items().map(each => renderedPart(project, of, each, onProblem))
  if (part.isMap) {
    const entries = part.entries()
    return new Dict(entries.map(({ key, value }) => [key, renderedPart(project, of, value, onProblem)]))
  }
  const data = part.data()
  if (typeof data !== 'string') return fromData(data)
  try {
    return renderedValue(project, of, data, part.site)
  } catch (error) {
    if (error instanceof JinjaProblem && onProblem !== undefined) return onProblem(error, data)
    throw error
  }
}
