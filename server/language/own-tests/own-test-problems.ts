/** The problems of the files in `tests/`: their own, and what the SQL engine says where assets use them. */
import type { ProjectAnalysis } from '../analysis.ts'
import { suggestOneOf } from '../checks/suggestion.ts'
import { variableNames } from '../checks/unknown-var.ts'
import { macroKey } from '../macros/macro.ts'
import { nearestAssets } from '../project/asset-names.ts'
import type { Project } from '../project/project.ts'
import { usesOwnTests } from '../project/read-with.ts'
import { tagNames } from '../syntax/scan-template.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { nameIndexOf } from '../text/name-index.ts'
import { nearestNames } from '../text/nearest-names.ts'
import { type OwnTest, ownTestsFolder } from './own-test.ts'

/** Returns the problems by path, an empty list for a correct file. */
export function ownTestProblems(
  project: Project,
  analysis: ProjectAnalysis | undefined,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const { ownTests } = project.settings
  if (ownTests.files.size === 0) return new Map()
  const problems = new Map(
    Array.from(ownTests.files, ([path, test]) => [
      path,
      [...test.diagnostics, ...unknownNames(test, project)],
    ]),
  )
  for (const asset of project.byName.values()) {
    if (!usesOwnTests(asset)) continue
    for (const diagnostic of analysis?.of(asset.name)?.diagnostics ?? [])
      for (const { path, range } of diagnostic.related ?? []) {
        const found = path.startsWith(ownTestsFolder) ? problems.get(path) : undefined
        if (found !== undefined) addOnce(found, inFile(diagnostic, path, range))
      }
  }
  for (const found of problems.values()) found.sort((a, b) => a.range.start - b.range.start)
  return problems
}

/** The use becomes the related place: many assets may use the test, and the first is told. */
function inFile(
  { path: use, range: at, ...rest }: Diagnostic,
  path: string,
  range: Diagnostic['range'],
): Diagnostic {
  const { fixes: _fixes, related: _related, ...problem } = rest
  // Where it is used the message says where it is written, which is here.
  const message = problem.message.replace(/, in the test "[^"]*" \([^)]*\)$/, '')
  return {
    ...problem,
    message,
    path,
    range,
    related: [{ path: use, range: at, message: 'an asset uses it here' }],
  }
}

function addOnce(found: Diagnostic[], problem: Diagnostic): void {
  const { code, range } = problem
  const isKnown = found.some(
    each => each.code === code && each.range.start === range.start && each.range.end === range.end,
  )
  if (!isKnown) found.push(problem)
}

/** Assets, variables and macros that the project does not have; an asset that uses the test gets the same. */
function unknownNames({ path, names, parameters }: OwnTest, project: Project): readonly Diagnostic[] {
  const { settings, byName, macros } = project
  const variables = variableNames(settings)
  const callable = [
    ...parameters.map(({ name }) => name),
    ...Array.from(macros.byName.values(), ({ name }) => name),
    ...tagNames,
  ]
  const kinds = {
    ref: {
      code: 'unknown-ref',
      isThere: (name: string) => byName.has(name),
      message: 'no asset is called',
      near: (name: string) => nearestAssets(project, name),
      hint: 'svc ls lists all assets.',
    },
    var: {
      code: 'unknown-var',
      isThere: (name: string) => variables.includes(name),
      message: 'no variable is called',
      near: (name: string) => nameIndexOf(variables).nearest(name),
      hint: 'Define it under vars in svc.yaml.',
    },
    macro: {
      code: 'unknown-macro',
      isThere: (name: string) => macros.byName.has(macroKey(name)),
      message: 'there is no parameter, no macro and no tag',
      near: (name: string) => nearestNames(name, callable),
      hint: 'Parameters are declared at the head of the file: -- param name: type.',
    },
  } as const
  return names.flatMap(({ kind, name, range }): readonly Diagnostic[] => {
    const { code, isThere, message, near, hint } = kinds[kind]
    if (isThere(name)) return []
    const suggestion = suggestOneOf(near(name), { path, range }, hint)
    return [{ code, severity: 'error', path, range, message: `${message} "${name}"`, ...suggestion }]
  })
}
