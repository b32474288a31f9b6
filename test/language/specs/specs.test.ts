/** Runs every Markdown spec of this folder. `UPDATE=1` writes the answers anew: read the difference before you keep it. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openCatalog } from '@svc/server/catalog'
import type { Catalog, Diagnostic } from '@svc/server/language'
import { checkProject, selectAssets } from '@svc/server/language'
import { afterAll, describe, expect, it } from 'vitest'
import { startProcess, startWorkersBy } from '../../../server/catalog/worker/worker-process.ts'
import { engine } from '../../support/engine.ts'
import { blockOf, readSpecFile, rewriteBlocks, type Spec, type SpecBlock } from '../../support/spec.ts'
import { answerOf, applyEdits, filesOf, projectOf, sourcesOf } from '../../support/spec-project.ts'

startWorkersBy(startProcess)

const update = process.env['UPDATE'] === '1'
const catalogs: Catalog[] = []
afterAll(() => {
  for (const catalog of catalogs) catalog.close()
})

for (const name of readdirSync(import.meta.dirname).filter(name => name.endsWith('.md'))) {
  const file = readSpecFile(join(import.meta.dirname, name))
  const answers = new Map<SpecBlock, string>()
  describe(name.slice(0, -'.md'.length), () => {
    for (const spec of file.specs) it(spec.title, () => runSpec(spec, answers))
    if (update) afterAll(() => rewriteBlocks(file, answers))
  })
}

async function runSpec(spec: Spec, answers: Map<SpecBlock, string>): Promise<void> {
  const expected = blockOf(spec, 'expect')
  const answer = expected.argument === 'select' ? selections(spec) : await problems(spec)
  if (update) answers.set(expected, answer)
  else expect(answer).toBe(expected.text)
}

// ---------------------------------------------------------------- problems

/** Behind the mark goes on what it is about, in small letters; everything else is a sentence, a list, or a name first. */
const hintStyle = /^(?:did you mean (?:"|FROM|\{\{|[A-Z])|[A-Z"*{`]|svc |\w[\w.]* (?:has|defines): )/

/** `expect`: what is found without a catalogue; `expect sql`: with one. */
async function problems(spec: Spec): Promise<string> {
  const files = filesOf(spec)
  const diagnostics = await diagnose(spec, files)
  for (const diagnostic of diagnostics) {
    if (diagnostic.hint !== undefined) expect(diagnostic.hint).toMatch(hintStyle)
    await expectFixesToRepair(spec, files, diagnostics, diagnostic)
  }
  return answerOf(files, diagnostics)
}

async function diagnose(spec: Spec, files: ReadonlyMap<string, string>): Promise<readonly Diagnostic[]> {
  const project = projectOf(files)
  const sources = sourcesOf(spec)
  const withSql = blockOf(spec, 'expect').argument === 'sql'
  const analysis = withSql ? await (await catalog()).analyze(project, sources ?? new Map()) : undefined
  return [...checkProject(project, analysis, sources).values()].flat()
}

async function catalog(): Promise<Catalog> {
  const [open] = catalogs
  if (open !== undefined) return open
  const opened = await openCatalog(engine)
  catalogs.push(opened)
  return opened
}

/** After a quick fix the problem is gone from its place, and the file reads no worse than before. */
async function expectFixesToRepair(
  spec: Spec,
  files: ReadonlyMap<string, string>,
  before: readonly Diagnostic[],
  diagnostic: Diagnostic,
): Promise<void> {
  for (const fix of diagnostic.fixes ?? []) {
    const left = await diagnose(spec, applyEdits(files, fix.edits))
    const same = left.filter(it => it.code === diagnostic.code && it.path === diagnostic.path)
    expect(same.map(it => it.range.start)).not.toContain(diagnostic.range.start)
    expect(left.filter(isUnreadable).length).toBeLessThanOrEqual(before.filter(isUnreadable).length)
  }
}

function isUnreadable({ code }: Diagnostic): boolean {
  return code === 'sql-syntax' || code.startsWith('yaml-')
}

// ---------------------------------------------------------------- selections

/** A block `select modified=a,b added=b failed=c` holds a selector a line; the answer is what each selects. */
function selections(spec: Spec): string {
  const project = projectOf(filesOf(spec))
  const block = blockOf(spec, 'select')
  const modified = namesAfter('modified=', block.argument)
  const added = namesAfter('added=', block.argument)
  const failed = namesAfter('failed=', block.argument)
  const lines = block.text.trimEnd().split('\n')
  return lines
    .map(line => `${line} -> ${selected(selectAssets(project, line, { modified, added, failed }))}\n`)
    .join('')
}

function selected(result: ReturnType<typeof selectAssets>): string {
  if ('names' in result) return result.names.join(' ')
  return `(${result.problem}${result.hint === undefined ? '' : ` | ${result.hint}`})`
}

function namesAfter(key: string, text: string): ReadonlySet<string> {
  const word = text.split(' ').find(part => part.startsWith(key))
  return new Set(word === undefined ? [] : word.slice(key.length).split(','))
}
