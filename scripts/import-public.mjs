/**
 * Imports dbt projects that lie below a folder, as `dbt deps` left them, and prints a line for each: how much of it came over, whether
 * `svc validate` takes it, and how many notes say what did not. Nothing is written into the folder, and dbt is not needed.
 *
 *   node scripts/import-public.mjs [--only NAME] [--notes N] [--keep FOLDER] FOLDER...
 *
 * A folder is a project, or holds some. `--notes N` prints the N most frequent causes of notes of each level as well, and of problems
 * that `validate` finds. `--keep` leaves what was made of them in a folder. Ends with 1 where the program itself failed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    notes: { type: 'string', default: '0' },
    keep: { type: 'string' },
  },
})
const svc = resolve(import.meta.dirname, '..', 'cli', 'bin', 'svc.cjs')
if (folders.length === 0) {
  console.error('usage: node scripts/import-public.mjs [--only NAME] [--notes N] [--keep FOLDER] FOLDER...')
  process.exit(2)
}

const work =
  options.keep === undefined ? mkdtempSync(join(tmpdir(), 'svc-import-public-')) : resolve(options.keep)
const causes = new Map()
const all = []
try {
  for (const project of folders.flatMap(projectsIn)) all.push(tryProject(project))
} finally {
  if (options.keep === undefined) rmSync(work, { recursive: true, force: true })
}
printCauses(Number(options.notes))
printTotal()
process.exit(all.some(({ failed }) => failed !== undefined) ? 1 : 0)

function projectsIn(folder) {
  const isProject = path => existsSync(join(path, 'dbt_project.yml'))
  if (isProject(folder)) return [folder]
  return readdirSync(folder)
    .sort()
    .filter(name => options.only.length === 0 || options.only.includes(name))
    .map(name => join(folder, name))
    .filter(isProject)
}

function tryProject(folder) {
  const name = basename(resolve(folder))
  const output = join(work, name)
  rmSync(output, { recursive: true, force: true })
  mkdirSync(output, { recursive: true })
  const started = Date.now()
  const imported = svcJson(['import', 'dbt', resolve(folder), '-o', output, '--json'], output)
  const seconds = (Date.now() - started) / 1000
  const { json } = imported
  if (json?.notes === undefined) {
    const refused = json?.error?.message
    const failed =
      refused === undefined || json.error.code === 'internal' ? (refused ?? imported.text) : undefined
    console.log(`${name}: ${failed === undefined ? `refused: ${refused}` : `FAILED: ${failed}`}`)
    return { name, models: 0, whole: 0, isClean: false, notes: [], refused, failed }
  }
  const validated = svcJson(['validate', '--json'], output)
  const problems = (validated.json?.files ?? []).flatMap(file => file.diagnostics)
  const errors = problems.filter(({ severity }) => severity === 'error')
  const failed = validated.json?.files === undefined ? validated.text : undefined
  // A note is listed once for each asset that it is about.
  const notes = [...new Map(json.notes.map(({ asset, ...note }) => [JSON.stringify(note), note])).values()]
  const found = {
    name,
    ...countsOf(json, notes),
    isClean: failed === undefined && errors.length === 0,
    failed,
  }
  for (const { level, message } of notes) count(level, message)
  for (const { code, severity } of problems) count(`validate, ${severity}`, code)
  console.log(lineOf(found, errors.length, seconds))
  return found
}

function countsOf({ counts, notes: entries, assets }, notes) {
  const there = new Set(assets.map(({ name }) => name))
  const lost = entries.filter(({ level }) => level === 'todo').flatMap(({ asset }) => asset ?? [])
  const missing = new Set(lost.filter(name => !there.has(name)))
  const of = wanted => notes.filter(({ level }) => level === wanted).length
  return {
    counts,
    models: counts.models,
    whole: counts.models + missing.size,
    todo: of('todo'),
    changed: of('changed'),
    left: of('left_out'),
  }
}

function lineOf({ name, counts, models, whole, isClean, failed, todo, changed, left }, errors, seconds) {
  const others = ['seeds', 'sources', 'tests', 'unit_tests', 'exposures']
    .filter(kind => counts[kind] > 0)
    .map(kind => `${counts[kind]} ${kind.replace('_', ' ')}`)
  const verdict =
    failed !== undefined ? `FAILED: ${failed}` : isClean ? 'validates' : `${errors} errors of validate`
  const notes = `${todo} to do, ${changed} changed, ${left} left out`
  return `${name}: ${[`${models} of ${whole} models`, ...others].join(', ')}; ${verdict}; ${notes}; ${seconds.toFixed(1)} s`
}

function svcJson(words, cwd) {
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, [svc, ...words], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
  const text = `exit ${status ?? signal}: ${stderr.trim() || stdout.slice(0, 300)}`
  try {
    return { json: JSON.parse(stdout || stderr), text }
  } catch {
    return { json: undefined, text }
  }
}

/** Names in a message are what differs between notes of one cause. */
function count(level, message) {
  const cause = message
    .replace(/"[^"]*"|\b\w+[._]\w+(\.\w+)*\b/g, '…')
    .replace(/\b(model|test|snapshot|exposure|macro|source) \w+/g, '$1 …')
  const key = JSON.stringify([level, cause])
  const known = causes.get(key) ?? { level, cause, count: 0, example: message }
  causes.set(key, { ...known, count: known.count + 1 })
}

function printCauses(most) {
  const levels = [...new Set([...causes.values()].map(({ level }) => level))].sort()
  for (const level of most === 0 ? [] : levels) {
    console.log(`\n${level}`)
    const own = [...causes.values()].filter(each => each.level === level).sort((a, b) => b.count - a.count)
    for (const { cause, count, example } of own.slice(0, most)) {
      console.log(`  ${String(count).padStart(6)}  ${cause}${example === cause ? '' : `   (${example})`}`)
    }
  }
}

function printTotal() {
  const sum = key => all.reduce((total, each) => total + (each[key] ?? 0), 0)
  const having = test => all.filter(test).length
  console.log(
    `\n${all.length} projects: ${sum('models')} of ${sum('whole')} models; ${having(each => each.isClean)} validate cleanly; ${having(each => each.refused !== undefined && each.failed === undefined)} refused, ${having(each => each.failed !== undefined)} failed; ${sum('todo')} to do, ${sum('changed')} changed, ${sum('left')} left out`,
  )
}
