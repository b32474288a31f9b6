/** Puts the files of macros together, and finds what is wrong between them. */

import type { Engine } from '../engines/engine.ts'
import { isInternalName } from '../internal-names.ts'
import { type TemplateProblem, tagNames } from '../syntax/scan-template.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { boundArguments, unknownMacro } from './call-problems.ts'
import { callsOf, engineOfMacros, type Macro, type MacroFile, type Macros, macroKey } from './macro.ts'
import { parseMacros } from './parse-macros.ts'

export const noMacros: Macros = {
  files: new Map(),
  byName: new Map(),
  problems: new Map(),
  cycles: new Map(),
}

/**
 * `texts` are by path. Files of `before` with the same text are not parsed again. A file for another engine is read as that
 * engine reads it.
 */
export function createMacros(
  texts: ReadonlyMap<string, string>,
  engine: Engine,
  before: Macros = noMacros,
): Macros {
  if (texts.size === 0) return noMacros
  const files = [...texts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => {
      const known = before.files.get(path)
      return known?.text === text ? known : readFile(path, text, engine)
    })
  const ownOnes = firstByName(files.filter(file => file.engine === engine))
  const general = firstByName(files.filter(file => file.engine === undefined))
  const byName = new Map([...general, ...ownOnes])
  const cycles = cyclesOf(byName)
  const known = { byName, cycles }
  const problemsIn = (file: MacroFile) => {
    if (file.engine !== undefined && file.engine !== engine) return file.diagnostics
    return problemsOf(file, known, file.engine === undefined ? general : ownOnes)
  }
  return {
    ...known,
    files: new Map(files.map(file => [file.path, file])),
    problems: new Map(files.map(file => [file.path, problemsIn(file)])),
  }
}

function readFile(path: string, text: string, usual: Engine): MacroFile {
  const engine = engineOfMacros(path)
  const file = parseMacros(path, text, engine ?? usual)
  return engine === undefined ? file : { ...file, engine }
}

type ByName = ReadonlyMap<string, Macro>

function firstByName(files: readonly MacroFile[]): ByName {
  const byName = new Map<string, Macro>()
  for (const macro of files.flatMap(({ macros }) => macros))
    if (!byName.has(macroKey(macro.name))) byName.set(macroKey(macro.name), macro)
  return byName
}

type Known = Pick<Macros, 'byName' | 'cycles'>

/** `alike` has the macros of files that are for the same engines. */
function problemsOf(file: MacroFile, known: Known, alike: ByName): readonly Diagnostic[] {
  const found = file.macros.flatMap(macro => [
    ...namesOf(macro, alike),
    ...callProblems(macro, known),
    ...unused(macro),
  ])
  return [...file.diagnostics, ...found].sort((a, b) => a.range.start - b.range.start)
}

function namesOf(macro: Macro, alike: ByName): readonly Diagnostic[] {
  const { name, nameRange: range, path } = macro
  if (reservedMacros.has(macroKey(name)))
    return [
      {
        code: 'macro-reserved-name',
        severity: 'error',
        path,
        range,
        message: `"${name}" is a name of svc's own tags: {{ ${name} }} would never call this macro`,
        hint: 'Give the macro another name.',
      },
    ]
  if (isInternalName(name))
    return [
      {
        code: 'macro-reserved-name',
        severity: 'error',
        path,
        range,
        message: `the macro "${name}" has a name that svc keeps for itself`,
        hint: 'Names that begin with "_svc_" are those of its own SQL; give the macro another name.',
      },
    ]
  const first = alike.get(macroKey(name))
  if (first === undefined || first === macro) return []
  return [
    {
      code: 'macro-duplicate',
      severity: 'error',
      path,
      range,
      message: `there is a macro "${name}" already, in ${first.path}`,
      hint: 'Rename one of the two.',
      related: [{ path: first.path, range: first.nameRange, message: 'the first one is here' }],
    },
  ]
}

/** The first words of svc's tags, and one that other tools have. */
export const reservedMacros: ReadonlySet<string> = new Set([
  ...tagNames.map(name => name.replace(/\..*/, '')),
  'target',
])

function callProblems(macro: Macro, { byName, cycles }: Known): readonly Diagnostic[] {
  const { path } = macro
  const cycle = cycles.get(macroKey(macro.name))
  return callsOf(macro).flatMap((call): readonly Diagnostic[] => {
    const other = byName.get(macroKey(call.name))
    if (other === undefined) return [diagnosticOf(path, unknownMacro(call, { byName }))]
    if (cycle !== undefined && cycle[1] === other.name)
      return [
        {
          code: 'macro-cycle',
          severity: 'error',
          path,
          range: call.nameRange,
          message: `the macro "${macro.name}" calls itself: ${cycle.join(' → ')}`,
          hint: 'Take one of these calls out.',
        },
      ]
    const bound = boundArguments(other, call)
    return 'problem' in bound ? [diagnosticOf(path, bound.problem)] : []
  })
}

export function diagnosticOf(path: string, { replacement, ...problem }: TemplateProblem): Diagnostic {
  const base: Diagnostic = { ...problem, severity: 'error', path }
  if (replacement === undefined) return base
  const edits = [{ path, range: problem.range, newText: replacement }]
  return { ...base, fixes: [{ title: `Change to "${replacement}"`, edits }] }
}

function unused({ parameters, body, path, name }: Macro): readonly Diagnostic[] {
  // A tag that cannot be read may well be the use of a parameter.
  if (body.tags.some(({ kind }) => kind === 'invalid')) return []
  return parameters.flatMap((parameter, index): readonly Diagnostic[] =>
    body.places.some(place => place.parameter === index)
      ? []
      : [
          {
            code: 'macro-unused-parameter',
            severity: 'hint',
            path,
            range: parameter.nameRange,
            message: `"${name}" does not use its parameter "${parameter.name}"`,
            hint: 'Use it, or take it out of the definition and of all calls.',
          },
        ],
  )
}

// ---------------------------------------------------------------- cycles

/** Returns the shortest cycle through each macro that has one. */
function cyclesOf(byName: ReadonlyMap<string, Macro>): ReadonlyMap<string, readonly string[]> {
  const calls = new Map(
    Array.from(byName, ([key, macro]) => [
      key,
      [...new Set(callsOf(macro).map(({ name }) => macroKey(name)))],
    ]),
  )
  const cycles = new Map<string, readonly string[]>()
  for (const key of byName.keys()) {
    const path = wayBack(key, calls)
    if (path !== undefined)
      cycles.set(
        key,
        path.map(each => byName.get(each)?.name ?? each),
      )
  }
  return cycles
}

function wayBack(from: string, calls: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const seen = new Set<string>()
  let paths: (readonly string[])[] = [[from]]
  while (paths.length > 0) {
    const next: (readonly string[])[] = []
    for (const path of paths)
      for (const called of calls.get(path.at(-1) ?? '') ?? []) {
        if (called === from) return [...path, from]
        if (seen.has(called)) continue
        seen.add(called)
        next.push([...path, called])
      }
    paths = next
  }
  return undefined
}
