/** The variables that a command line sets over those of `svc.yaml` (decisions 8, "Forced and limited"). */
import { type JsonScalar, nearestNames } from '@svc/server/language'
import { SvcError } from '../errors.ts'

type Vars = Readonly<Record<string, JsonScalar>>

/**
 * Returns the variables with the given texts, each read as the type that the variable has in `svc.yaml`. Throws SvcError
 * `wrong-usage` for a variable that is not declared, or a text of another type.
 */
export function withGivenVars(declared: Vars, given: Readonly<Record<string, string>>): Vars {
  const vars: Record<string, JsonScalar> = { ...declared }
  for (const [name, text] of Object.entries(given)) vars[name] = typedValue(name, text, declared)
  return vars
}

function typedValue(name: string, text: string, declared: Vars): JsonScalar {
  if (!Object.hasOwn(declared, name)) throw undeclared(name, Object.keys(declared))
  const before = declared[name]
  if (typeof before === 'number') {
    if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
    throw wrongType(name, text, 'a number')
  }
  if (typeof before === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true'
    throw wrongType(name, text, 'true or false')
  }
  return text
}

function undeclared(name: string, names: readonly string[]): SvcError {
  const [near] = nearestNames(name, names, 1)
  const question = near === undefined ? '' : `; did you mean "${near}"?`
  return new SvcError('wrong-usage', `svc.yaml declares no variable "${name}"${question}`, {
    hint:
      names.length === 0 ? 'Declare it under vars with its usual value.' : `It declares ${names.join(', ')}.`,
  })
}

function wrongType(name: string, text: string, type: string): SvcError {
  return new SvcError('wrong-usage', `the variable "${name}" takes ${type}, not "${text}"`)
}
