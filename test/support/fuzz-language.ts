/** Puts one text through parsing and every check that needs no catalogue, and says what is wrong with the outcome. */
import type { Diagnostic, Project } from '@svc/server/language'
import { checkAsset, createProject, parseSettings } from '@svc/server/language'
import { parseDocument } from 'yaml'

const path = 'models/fuzz.svc'
/** Enough to tell two texts apart; nothing here is stored. */
const hash = (text: string): string => `${text.length}:${text}`

/** A project with a neighbour to refer to; texts are tried in it one after the other. */
export function fuzzProject(): Project {
  const neighbour = 'name: x\ningest: none\ntransform: SELECT 1 AS id\n'
  const files = [{ path: 'models/x.svc', text: neighbour }]
  return createProject({ settings: parseSettings(undefined), files, hash })
}

/** Undefined: all is well. Throws what the language throws: that is a bug as well. */
export function problemWith(project: Project, text: string): string | undefined {
  const snapshot = project.with(path, text)
  const diagnostics = checkAsset(snapshot, path, undefined)
  for (const diagnostic of diagnostics) {
    const problem = badDiagnostic(diagnostic, text)
    if (problem !== undefined) return `${diagnostic.code}: ${problem}`
  }
  if (snapshot.assets.get(path) === undefined) return 'the file is not in the project'
  return !diagnostics.some(isError) && isBrokenYaml(text) ? 'broken YAML without an error' : undefined
}

/**
 * A second opinion, of a parser whose objections must not be lost on the way. To it a lone carriage return is no line
 * end, against the specification.
 */
export function isBrokenYaml(text: string): boolean {
  if (/\r(?!\n)/.test(text)) return false
  // A line of blanks and tabs ends a block scalar and is a comment without text (YAML 1.2, 6.6); `yaml` refuses it.
  const told = text.replace(/(?<=^|\n)[ \t]+(?=\r?\n|$)/g, '')
  return parseDocument(told, { uniqueKeys: false, logLevel: 'silent' }).errors.length > 0
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}

function badDiagnostic(diagnostic: Diagnostic, text: string): string | undefined {
  const { start, end } = diagnostic.range
  if (!(0 <= start && start <= end && end <= text.length)) return `range ${start}-${end} of ${text.length}`
  if (diagnostic.message.trim() === '') return `message "${diagnostic.message}"`
  for (const edit of (diagnostic.fixes ?? []).flatMap(fix => fix.edits)) {
    const inside = edit.path !== path || (0 <= edit.range.start && edit.range.end <= text.length)
    if (!inside) return `fix at ${edit.range.start}-${edit.range.end} of ${text.length}`
  }
  return diagnostic.path === path ? undefined : `path ${diagnostic.path}`
}
