/**
 * Joins the problems that a project's files have on each engine of its environments (decisions 9, "The engine is the
 * environment's"): what all engines say is said once, and what only some say names the environments.
 */
import type { Diagnostic, Engine, Settings } from '../language/index.ts'

export type Problems = ReadonlyMap<string, readonly Diagnostic[]>

export interface ProblemsOnEngine {
  readonly engine: Engine
  /** The environments that have this engine. */
  readonly environments: readonly string[]
  readonly problems: Problems
}

/** Returns the engines of the environments beside that of the settings themselves, each with the environments that have it. */
export function otherEngines(settings: Settings): ReadonlyMap<Engine, readonly string[]> {
  const others = new Map<Engine, readonly string[]>()
  for (const [name, engine] of settings.engines)
    if (engine !== undefined && engine !== settings.engine)
      others.set(engine, [...(others.get(engine) ?? []), name])
  return others
}

/** Returns the environments that have the engine of the settings themselves: the chosen one too, which they need not name. */
export function environmentsOf({ engines, engine, environment }: Settings): readonly string[] {
  const named = [...engines].flatMap(([name, each]) => (each === engine ? [name] : []))
  return engines.has(environment) ? named : [...named, environment]
}

/** Problems by path, sorted by place. The words are those of the first engine that has a problem. */
export function joinedProblems(first: ProblemsOnEngine, others: readonly ProblemsOnEngine[]): Problems {
  if (others.length === 0) return first.problems
  const all = [first, ...others]
  const paths = new Set(all.flatMap(({ problems }) => [...problems.keys()]))
  return new Map([...paths].map(path => [path, joined(all, path)]))
}

/** Returns the problems of one file. A list that all engines agree on is the first one's. */
export function joined(all: readonly ProblemsOnEngine[], path: string): readonly Diagnostic[] {
  const listOf = ({ problems }: ProblemsOnEngine) => problems.get(path) ?? []
  const [first = []] = all.map(listOf)
  const told: Diagnostic[] = []
  let isSame = true
  for (const [index, part] of all.entries()) {
    for (const diagnostic of listOf(part)) {
      const hasIt = (other: ProblemsOnEngine) =>
        other === part || listOf(other).some(each => isSameProblem(each, diagnostic))
      if (all.slice(0, index).some(hasIt)) continue
      const having = all.filter(hasIt)
      const isEverywhere = having.length === all.length
      isSame &&= isEverywhere
      told.push(isEverywhere ? diagnostic : ofEnvironments(diagnostic, having))
    }
  }
  return isSame ? first : told.sort((a, b) => a.range.start - b.range.start)
}

/** Engines say the same of a place in other words, and their errors there may end elsewhere. */
function isSameProblem(a: Diagnostic, b: Diagnostic): boolean {
  if (a.severity !== b.severity || a.range.start !== b.range.start) return false
  return a.code === b.code || a.range.end === b.range.end
}

function ofEnvironments(diagnostic: Diagnostic, having: readonly ProblemsOnEngine[]): Diagnostic {
  const where = having
    .map(({ engine, environments }) => `in ${environments.join(', ')} on ${engine.label}`)
    .join(' and ')
  const environments = having.flatMap(part => part.environments)
  return {
    ...diagnostic,
    message: `${diagnostic.message} (${where})`,
    facts: { ...diagnostic.facts, environments },
  }
}
