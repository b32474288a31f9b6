/**
 * Parses a file `tests/<name>.sql`. Its head is SQL comments: a description, and a line `-- param name: type = default` for
 * each parameter, so that the file stays SQL for every other tool. Parsing never fails.
 */
import type { Engine } from '../engines/engine.ts'
import type { Value } from '../schema/inherited-values.ts'
import { readValue } from '../schema/read-value.ts'
import { type Key, type ObjectShape, type Shape, shorthand } from '../schema/shape.ts'
import { isTestKey } from '../schema/test-schema.ts'
import { parseYaml } from '../syntax/yaml.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { nearestNames } from '../text/nearest-names.ts'
import type { Range } from '../text/range.ts'
import { type Problem, placesIn, readBody } from './body.ts'
import { type OwnTest, ownTestsFolder, type Parameter } from './own-test.ts'
import { parameterTypeNamed, parameterTypes } from './parameter-types.ts'

export function parseOwnTest(path: string, text: string, engine: Engine): Omit<OwnTest, 'hash'> {
  const name = path.slice(ownTestsFolder.length).replace(/\.sql$/, '')
  const file: FileReading = { path, text, diagnostics: [] }
  const { parameters, description, end } = readHead(file)
  const body = bodyAfter(text, end)
  const known = { path, text, body, parameters }
  const { places, problems } = placesIn(known, engine)
  const { names, problems: ofBody } = readBody({ ...known, places }, engine)
  for (const problem of [...nameProblems(name), ...problems, ...ofBody]) report(file, problem)
  const key = keyOf(name, description, parameters)
  return { name, ...known, description, places, names, key, diagnostics: file.diagnostics }
}

interface FileReading {
  readonly path: string
  readonly text: string
  readonly diagnostics: Diagnostic[]
}

function report({ path, diagnostics }: FileReading, problem: Problem): void {
  diagnostics.push({ code: 'own-test-syntax', path, ...problem, severity: problem.severity ?? 'error' })
}

function nameProblems(name: string) {
  const range = { start: 0, end: 1 }
  if (isTestKey(name)) {
    const message = `"${name}" is the name of a test that svc has, and this file would never be used`
    return [{ range, message, hint: 'Give the file another name.' }]
  }
  if (/^[a-z_]\w*$/.test(name)) return []
  const hint =
    'The name of the file is that of the test: small letters, digits and _, beginning with a letter.'
  return [{ range, message: `"${name}" is no name for a test`, hint }]
}

// ---------------------------------------------------------------- the head

const form = `Write -- param name: type = default; types are ${parameterTypes.join(', ')}.`

function readHead(file: FileReading) {
  const parameters: Parameter[] = []
  const description: string[] = []
  let end = 0
  for (const line of file.text.matchAll(/(?:[ \t]*(--.*)?)(?:\r?\n|$)/gy)) {
    const [whole, comment] = line
    if (whole === '') break
    const start = line.index
    end = start + whole.length
    if (comment === undefined) continue
    const declared = /^--\s*param\b:?/.exec(comment)
    if (declared === null) description.push(comment.replace(/^--\s?/, '').trimEnd())
    else {
      const at = start + whole.indexOf(comment)
      const parameter = readParameter(file, { start: at, end: at + comment.trimEnd().length }, parameters)
      if (parameter !== undefined) parameters.push(parameter)
    }
  }
  return { parameters, description: description.join('\n').trim(), end }
}

const declaration = /^--\s*param\s+([A-Za-z_]\w*)\s*:\s*(\w+)\s*(?:=\s*(.*))?$/d

function readParameter(file: FileReading, range: Range, before: readonly Parameter[]): Parameter | undefined {
  const match = declaration.exec(file.text.slice(range.start, range.end))
  if (match === null) return refuse(file, range, 'this declares no parameter', form)
  const [, name = '', typeName = '', written] = match
  const [, atName, atType, atDefault] = (match.indices ?? []).map(
    span => span && { start: range.start + span[0], end: range.start + span[1] },
  )
  const nameRange = atName ?? range
  if (before.some(each => each.name === name))
    return refuse(file, nameRange, `the parameter "${name}" is there twice`, 'Give each a name of its own.')
  const type = parameterTypeNamed(typeName)
  if (type === undefined) {
    const [nearest] = nearestNames(typeName, parameterTypes)
    const hint = nearest === undefined ? form : `did you mean "${nearest}"?`
    return refuse(file, atType ?? range, `there is no type "${typeName}" for a parameter`, hint)
  }
  const { shape } = type
  const fallback =
    written === undefined ? undefined : defaultOf(file, atDefault ?? range, written, name, shape)
  return { name, nameRange, type, fallback, shape }
}

function refuse(file: FileReading, range: Range, message: string, hint: string): undefined {
  report(file, { range, message, hint })
}

/** The default is written as in YAML; `null` is NULL. */
function defaultOf(
  file: FileReading,
  range: Range,
  written: string,
  name: string,
  shape: Shape,
): Value | undefined {
  const { root, problems } = parseYaml(written)
  if (root?.kind === 'scalar' && root.value === null) return null
  const reading = { text: written, problems: [...problems] }
  const value = root && readValue(reading, shape, root, name)
  const [problem] = reading.problems
  if (value !== undefined && problem === undefined) return value
  return refuse(file, range, problem?.message ?? `the default of "${name}" is empty`, problem?.hint ?? form)
}

// ---------------------------------------------------------------- the query

function bodyAfter(text: string, start: number): Range {
  const query = text.slice(start).replace(/[\s;]+$/, '')
  return { start, end: start + query.length }
}

/** What an asset writes: the values of the parameters, or that of the only one that it has to give. */
function keyOf(name: string, description: string, parameters: readonly Parameter[]): Key {
  const keys = parameters.map(
    ({ name: key, shape, type, fallback }): Key => ({
      name: key,
      property: key,
      shape,
      doc: type.isColumn
        ? 'A column of the asset.'
        : type.isAsset
          ? 'Another asset.'
          : 'Its value in the query.',
      ...(fallback === undefined
        ? { required: true }
        : { defaultDoc: Array.isArray(fallback) ? fallback.join(', ') : String(fallback) }),
    }),
  )
  const whole: ObjectShape = { kind: 'object', keys }
  const required = keys.filter(key => key.required === true)
  const [first] = required.length === 0 ? keys : required
  const isShort = first !== undefined && required.length < 2
  return {
    name,
    property: name,
    shape: isShort ? shorthand([first.name], whole) : whole,
    doc: description === '' ? `The test of ${ownTestsFolder}${name}.sql.` : description,
  }
}
