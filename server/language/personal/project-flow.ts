/** The personal data of a project as its files are now. */
import type { ProjectAnalysis } from '../analysis.ts'
import type { Engine } from '../engines/engine.ts'
import { getOrInsertComputed } from '../get-or-insert.ts'
import type { Asset, Project } from '../project/project.ts'
import { declaredMarks, factsOfFiles, hasMarks, type PersonalFacts } from './facts.ts'
import { type FlowGround, type PersonalFlow, personalFlow } from './flow.ts'
import type { Marking } from './marking.ts'

interface FilesGround {
  readonly engine: Engine
  readonly byName: Pick<ReadonlyMap<string, Asset>, 'get'>
}

/** Returns how personal data flows through the files. What is wrong with them is for other checks to say. */
export function projectFlow(
  files: FilesGround,
  analysis: ProjectAnalysis | undefined,
  marking: Marking,
): PersonalFlow {
  return personalFlow(filesGround(files, analysis, marking))
}

/** Returns what the files of a project say of its personal data. */
export function filesGround(
  { engine, byName }: FilesGround,
  analysis: ProjectAnalysis | undefined,
  marking: Marking,
): FlowGround {
  const known = new Map<string, PersonalFacts | undefined>()
  const read = factsOfFiles(name => byName.get(name), engine, analysis)
  const factsOf = (name: string) => getOrInsertComputed(known, name, () => read(name))
  return { engine, marking, factsOf, unknownIsPersonal: false }
}

/** Returns whether any file marks a column as personal, or any policy names one. */
export function namesPersonal(project: Pick<Project, 'byName' | 'glossary' | 'engine'>): boolean {
  const { byName, glossary, engine } = project
  if (glossary.policies.some(({ piiColumns }) => piiColumns.length > 0)) return true
  return [...byName.values()].some(asset => hasMarks(declaredMarks(asset, engine)))
}
