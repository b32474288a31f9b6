/** Renames macros and their parameters: the definition and all calls. */
import { isInternalName } from '../../internal-names.ts'
import { reservedMacros } from '../../macros/create-macros.ts'
import { macroKey } from '../../macros/macro.ts'
import type { Steps } from '../../steps.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import type { Knowledge } from '../knowledge.ts'
import type { Subject } from '../names/subjects.ts'
import { referenceSteps } from '../references.ts'
import { type Refusal, type Renaming, refuse, renaming } from './renaming.ts'

const namePattern = /^[A-Za-z_]\w*$/

export function* renameMacro(
  knowledge: Knowledge,
  home: string,
  subject: Subject & { readonly kind: 'macro' | 'macro-parameter' },
  newName: string,
): Steps<Renaming | Refusal> {
  const what = subject.kind === 'macro' ? 'a macro' : 'a parameter'
  if (!namePattern.test(newName))
    return refuse(`the name of ${what} is made of letters, digits and _, and begins with a letter or _`)
  const refusal =
    subject.kind === 'macro'
      ? refusalOf(knowledge, subject.name, newName)
      : takenBy(knowledge, subject, newName)
  if (refusal !== undefined) return refuse(refusal)
  const references = yield* referenceSteps(knowledge, [subject])
  const edits = references.map(({ path, range }): TextEdit => ({ path, range, newText: newName }))
  const name = subject.kind === 'macro' ? subject.name : subject.macro
  return renaming(home, edits, path => `${path} uses the macro "${name}"`)
}

function refusalOf({ project }: Knowledge, name: string, newName: string): string | undefined {
  const { byName } = project.macros
  if (!byName.has(macroKey(name))) return `no macro is called "${name}"`
  if (isInternalName(newName)) return `"${newName}" is a name that svc keeps for itself`
  if (reservedMacros.has(macroKey(newName))) return `"${newName}" is a name of svc's own tags`
  const taken = macroKey(newName) === macroKey(name) ? undefined : byName.get(macroKey(newName))
  return taken === undefined ? undefined : `there is a macro "${newName}" already, in ${taken.path}`
}

/** A new name may also be that of a column in the body, which would then be the parameter. */
function takenBy(
  { project }: Knowledge,
  { macro, parameter }: Subject & { readonly kind: 'macro-parameter' },
  newName: string,
): string | undefined {
  const found = project.macros.byName.get(macroKey(macro))
  if (found === undefined) return `no macro is called "${macro}"`
  if (macroKey(parameter) === macroKey(newName)) return undefined
  const body = found.text.slice(found.body.range.start, found.body.range.end)
  const isThere =
    found.parameters.some(({ name }) => macroKey(name) === macroKey(newName)) ||
    new RegExp(`\\b${newName}\\b`, 'i').test(body)
  return isThere ? `"${newName}" is a name in the macro "${macro}" already` : undefined
}
