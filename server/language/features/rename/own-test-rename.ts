/** Renames tests of one's own, which are named by their files, and their parameters. */
import { reservedMacros } from '../../macros/create-macros.ts'
import { macroKey } from '../../macros/macro.ts'
import { ownTestsFolder } from '../../own-tests/own-test.ts'
import { isTestKey } from '../../schema/test-schema.ts'
import type { Steps } from '../../steps.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import { textAt } from '../file-text.ts'
import type { Knowledge } from '../knowledge.ts'
import type { Subject } from '../names/subjects.ts'
import { referenceSteps } from '../references.ts'
import { type Refusal, type Renaming, refuse, renaming } from './renaming.ts'
import { yamlEdit } from './written-names.ts'

export function* renameOwnTest(
  knowledge: Knowledge,
  home: string,
  name: string,
  newName: string,
): Steps<Renaming | Refusal> {
  const refusal = refusalOf(knowledge, name, newName)
  if (refusal !== undefined) return refuse(refusal)
  const uses = yield* referenceSteps(knowledge, [{ kind: 'own-test', name }], false)
  const edits = uses.map(({ path, range }) => yamlEdit(path, textAt(knowledge, path) ?? '', range, newName))
  const [from, to] = [name, newName].map(each => `${ownTestsFolder}${each}.sql`) as [string, string]
  return renaming(home, edits, path => `${path} uses the test "${name}"`, [{ from, to, required: true }])
}

function refusalOf({ project }: Knowledge, name: string, newName: string): string | undefined {
  const { byName, files } = project.settings.ownTests
  if (!byName.has(name)) return `no test is called "${name}"`
  if (!/^[a-z_]\w*$/.test(newName))
    return 'the name of a test is made of small letters, digits and _, and begins with a letter or _'
  if (isTestKey(newName)) return `"${newName}" is the name of a test that svc has`
  const path = `${ownTestsFolder}${newName}.sql`
  return files.has(path) ? `there is a test "${newName}" already, in ${path}` : undefined
}

export function* renameOwnTestParameter(
  knowledge: Knowledge,
  home: string,
  subject: Subject & { readonly kind: 'own-test-parameter' },
  newName: string,
): Steps<Renaming | Refusal> {
  const { test, parameter } = subject
  const found = knowledge.project.settings.ownTests.byName.get(test)
  if (found === undefined) return refuse(`no test is called "${test}"`)
  if (!/^[A-Za-z_]\w*$/.test(newName))
    return refuse('the name of a parameter is made of letters, digits and _, and begins with a letter or _')
  if (!found.parameters.some(({ name }) => name === parameter))
    return refuse(`the test "${test}" has no parameter "${parameter}"`)
  if (found.parameters.some(({ name }) => name === newName))
    return refuse(`"${newName}" is a parameter of the test "${test}" already`)
  if (reservedMacros.has(macroKey(newName))) return refuse(`"${newName}" is a name of svc's own tags`)
  const places = yield* referenceSteps(knowledge, [subject])
  const edits = places.map(
    ({ path, range }): TextEdit =>
      path === found.path
        ? { path, range, newText: newName }
        : yamlEdit(path, textAt(knowledge, path) ?? '', range, newName),
  )
  return renaming(home, edits, path => `${path} uses the test "${test}"`)
}
