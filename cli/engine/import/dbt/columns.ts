/** Descriptions, personal data and constraints of columns, as a schema file has them. */
import type { PlainMap } from './asset-draft.ts'
import { dataTests, type TestSubject } from './data-tests.ts'
import { columnsNamedBy, constraintTests, keyTests } from './generic-tests/constraints.ts'
import { orProblem } from './notes.ts'
import { renderedText } from './unroll.ts'
import type { Part } from './yaml-part.ts'

/** Returns what the entry of an asset in a schema file says of its columns. */
export function columnParts(subject: TestSubject, part: Part | undefined, ofVersion?: Part) {
  const columns = new Map<string, PlainMap>()
  const tests: PlainMap[] = []
  const key = [...(part?.get('constraints')?.items() ?? [])].find(
    each => each.get('type')?.text === 'primary_key',
  )
  const keys = key === undefined ? [] : columnsNamedBy(key)
  const entries = columnsOf(part, ofVersion)
  const isOfColumn = keys.length === 1 && entries.some(each => each.get('name')?.text === keys[0])
  if (keys.length > 0 && !isOfColumn) tests.push(...keyTests(keys))
  for (const column of entries) {
    const name = column.get('name')?.text
    if (name === undefined) continue
    const constraints = column.get('constraints')?.items() ?? []
    const isKey =
      constraints.some(each => each.get('type')?.text === 'primary_key') ||
      (keys.length === 1 && keys[0] === name)
    const facts = {
      description: described(subject, column),
      role: isKey ? 'primary_key' : undefined,
      pii: isPersonal(column) ? true : undefined,
    }
    if (Object.values(facts).some(each => each !== undefined)) columns.set(name, facts)
    const listed = dataTests(subject, column, name)
    const promised = [...(isKey ? keyTests([name]) : []), ...constraintTests(subject, constraints, name)]
    tests.push(...listed, ...promised.filter(each => !isListed(each, listed)))
    noteMeta(subject, column, name)
  }
  return { columns, tests }
}

/** A version has the columns of its model that it includes, and its own. */
export function columnsOf(part: Part | undefined, ofVersion: Part | undefined): readonly Part[] {
  const all = part?.get('columns')?.items() ?? []
  const written = ofVersion?.get('columns')?.items() ?? []
  const [choice, ...others] = written.filter(each => each.get('name') === undefined)
  if (choice === undefined) return [...all, ...written]
  const namesOf = (key: string) =>
    choice
      .get(key)
      ?.items()
      .map(each => each.text)
  const [included = ['*'], excluded = []] = [namesOf('include'), namesOf('exclude')]
  const isWhole = included.includes('*') || included.includes('all')
  const kept = all.filter(each => {
    const name = each.get('name')?.text
    const isKept = isWhole ? !excluded.includes(name) : included.includes(name)
    if (!isKept) each.settle()
    return isKept
  })
  return [...kept, ...written.filter(each => each !== choice && !others.includes(each))]
}

function isListed(test: PlainMap, listed: readonly PlainMap[]): boolean {
  const text = JSON.stringify(test)
  return listed.some(each => JSON.stringify({ ...each, name: undefined }) === text)
}

/** Returns the description with the text of `{{ doc('…') }}` in it. */
export function described({ project, of, asset }: TestSubject, part: Part): string | undefined {
  const description = part.get('description')
  const text = description?.text
  if (description === undefined || text === undefined) return undefined
  const whole = orProblem(
    () => renderedText(project, of, text, description.site).trim(),
    problem =>
      project.notes.problem(problem, `a description of ${asset}`, 'Write the text in its place.', asset),
  )
  const said = whole ?? text
  // An empty description says nothing.
  return said === '' ? undefined : said
}

const personal = ['pii', 'contains_pii', 'is_pii', 'personal_data']

/** Returns whether `meta` of a column says that it holds personal data. */
function isPersonal(column: Part): boolean {
  const metas = [column.get('meta'), column.get('config')?.get('meta')]
  return metas.some(meta => personal.some(key => meta?.get(key)?.text === 'true'))
}

function noteMeta({ project }: TestSubject, column: Part, name: string): void {
  for (const meta of [column.get('meta'), column.get('config')?.get('meta')]) {
    const others = (meta?.entries() ?? []).filter(({ key }) => !personal.includes(key))
    meta?.settle()
    for (const { key, at } of others) project.notes.add('left_out', at, `meta "${key}" of the column ${name}`)
  }
}
