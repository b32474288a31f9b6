/**
 * Checks the project as a patch would leave it: schema, syntax, one read-only SELECT each, references and
 * cycles, secrets, unit tests. Each step only follows when the one before has found nothing.
 */

import { join } from 'node:path'
import { readSourceShapes } from '@svc/server/catalog'
import {
  credentialCode,
  type Diagnostic,
  glossaryPath,
  type Project,
  type ProjectAnalysis,
  parseGlossary,
  placeAt,
  redact,
  type SourceShapes,
} from '@svc/server/language'
import { projectProblems, readIfExists, schemaLockFile } from '@svc/server/workspace'
import { unitResults } from '../../quality/unit-results.ts'
import { problemsOf } from '../../workspace/problems.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type PatchRefusal, refusal } from './problem.ts'
import { unknownCalls, unknownCallsOfMetrics } from './read-only-sql.ts'

/** Returns the project with the files as the patch would write them. */
export function patchedProject(project: Project, texts: ReadonlyMap<string, string>): Project {
  const assets = new Map([...texts].filter(([path]) => path !== glossaryPath))
  const glossary = texts.get(glossaryPath)
  const withAssets = project.withFiles(assets)
  return glossary === undefined
    ? withAssets
    : withAssets.withGlossary(parseGlossary(glossary, project.engine))
}

/** `changed` is `patchedProject(workspace.project, texts)`. */
export async function projectRefusals(
  workspace: Workspace,
  changed: Project,
  texts: ReadonlyMap<string, string>,
): Promise<readonly PatchRefusal[]> {
  const schema = schemaErrors(changed, texts)
  if (schema.length > 0) return schema
  const before = await problemsOf(workspace)
  try {
    return await analysedRefusals(workspace, { changed, texts, before })
  } finally {
    // What the catalogue remembers for the next command is that of the files as they are.
    await workspace.catalog.analyze(workspace.project, workspace.sources, { unitTests: 'none' })
  }
}

interface Ground {
  readonly changed: Project
  readonly texts: ReadonlyMap<string, string>
  readonly before: ReadonlyMap<string, readonly Diagnostic[]>
}

async function analysedRefusals(workspace: Workspace, ground: Ground): Promise<readonly PatchRefusal[]> {
  const { changed, texts } = ground
  const { catalog, signal } = workspace
  const { shapes, diagnostics } = await shapesOf(workspace, changed)
  const analysis = await catalog.analyze(changed, shapes, { signal, unitTests: 'none' })
  const all = newErrors(ground, { analysis, shapes, sourceDiagnostics: diagnostics })
  const refused = (isWanted: (code: string) => boolean) =>
    all
      .filter(({ code }) => isWanted(code))
      .map(each => toRefusal(each, texts.get(each.path) ?? changed.assets.get(each.path)?.text ?? ''))
  const steps: (() => readonly PatchRefusal[])[] = [
    () => refused(code => code === 'sql-syntax'),
    () => [
      ...refused(code => code === 'sql-not-a-select' || code === 'sql-reaches-out'),
      ...unknownFunctions(ground),
    ],
    () => refused(code => code !== credentialCode),
    () => [...refused(() => true), ...secrets(workspace, texts)],
  ]
  for (const step of steps) {
    const found = step()
    if (found.length > 0) return found
  }
  return await failedUnitTests(workspace, ground, shapes)
}

async function shapesOf(workspace: Workspace, changed: Project) {
  const { root, looks } = workspace
  const lockText = readIfExists(join(root, schemaLockFile))
  return await readSourceShapes(changed, { root, lockText, ...(looks !== undefined && { cache: looks }) })
}

// ---------------------------------------------------------------- schema and checks

function schemaErrors(changed: Project, texts: ReadonlyMap<string, string>): PatchRefusal[] {
  const found = [...texts.keys()].flatMap(path =>
    path === glossaryPath ? changed.glossary.diagnostics : (changed.assets.get(path)?.diagnostics ?? []),
  )
  return found.filter(isError).map(diagnostic => toRefusal(diagnostic, texts.get(diagnostic.path) ?? ''))
}

interface Analysed {
  readonly analysis: ProjectAnalysis
  readonly shapes: SourceShapes
  readonly sourceDiagnostics: readonly Diagnostic[]
}

/** All errors of the files of the patch, and those of other files that were not there before. */
function newErrors(
  { changed, texts, before }: Ground,
  { analysis, shapes, sourceDiagnostics }: Analysed,
): Diagnostic[] {
  const problems = projectProblems({ project: changed, analysis, sources: shapes, sourceDiagnostics })
  return [...problems].flatMap(([path, list]) => {
    const known = new Set((before.get(path) ?? []).map(({ code, message }) => `${code}\n${message}`))
    return list.filter(
      each => isError(each) && (texts.has(path) || !known.has(`${each.code}\n${each.message}`)),
    )
  })
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}

function toRefusal({ code, path, range, message, hint }: Diagnostic, text: string): PatchRefusal {
  const advice = hint ?? `svc explain ${code} shows an example with its correction.`
  return refusal(code === 'sql-reaches-out' ? 'patch-sql' : code, {
    path,
    place: placeAt(path, text, range.start),
    message,
    hint: advice,
  })
}

// ---------------------------------------------------------------- SQL, secrets, unit tests

/** Without extensions the engine itself refuses a function that it does not know. */
function unknownFunctions({ changed, texts }: Ground): PatchRefusal[] {
  if (changed.settings.extensions.length === 0) return []
  return [...texts.keys()].flatMap(path => {
    if (path === glossaryPath) return unknownCallsOfMetrics(path, changed.glossary, changed.engine)
    const asset = changed.assets.get(path)
    return asset === undefined ? [] : unknownCalls(asset, changed.engine)
  })
}

function secrets(workspace: Workspace, texts: ReadonlyMap<string, string>): PatchRefusal[] {
  const hidden = (text: string) => workspace.withoutSecrets?.(text) ?? redact(text, [])
  return [...texts].flatMap(([path, text]) => {
    const lines = text.split('\n')
    const at = lines.findIndex(line => hidden(line) !== line)
    if (at < 0 && hidden(text) === text) return []
    const message = 'the file would hold a password, a token or a key'
    const place = at < 0 ? undefined : `${path}:${at + 1}:1`
    return [refusal('patch-secret', { path, place, message, hint: 'Write env:NAME and set that variable.' })]
  })
}

async function failedUnitTests(
  workspace: Workspace,
  { changed, texts }: Ground,
  shapes: SourceShapes,
): Promise<PatchRefusal[]> {
  const { catalog, signal } = workspace
  const before = unitResults(workspace, await workspace.analysis(), workspace.project.order)
  const known = new Set(before.filter(isFailed).map(({ asset, name }) => `${asset}\n${name}`))
  const analysis = await catalog.analyze(changed, shapes, { signal, unitTests: 'due' })
  const results = unitResults({ project: changed }, analysis, changed.order)
  return results
    .filter(result => isFailed(result) && result.severity === 'error')
    .filter(({ asset, name }) => {
      const path = changed.byName.get(asset)?.path ?? ''
      return texts.has(path) || !known.has(`${asset}\n${name}`)
    })
    .map(({ asset, name, message, place }) =>
      refusal('unit-test-failed', {
        path: changed.byName.get(asset)?.path,
        place,
        message: `the unit test "${name}" of ${asset} fails${message === null ? '' : `: ${message}`}`,
        hint: 'Correct the SQL, or the rows that the test expects.',
      }),
    )
}

function isFailed({ status }: ReturnType<typeof unitResults>[number]): boolean {
  return status === 'fail'
}
