/** What is said of a statement around a build that fails is what is said of any other statement, and its place besides. */
import { expect, it } from 'vitest'
import { isOfWorld, SvcError } from '../../../cli/engine/errors.ts'
import { runAfter, runBefore } from '../../../cli/engine/warehouse/around.ts'
import { hookFailure, statementFailure } from '../../../cli/engine/warehouse/postgres/failures.ts'
import type { BuildTask } from '../../../cli/engine/warehouse/warehouse.ts'

const task = {
  kind: 'query',
  around: { before: ['SELECT 1'], after: ['SELECT 2'], indexes: [] },
} as unknown as BuildTask

async function failureOf(run: typeof runBefore | typeof runAfter, code: string): Promise<SvcError> {
  const refused = () => {
    const error = Object.assign(new Error('no'), { severity: 'ERROR', code })
    return Promise.reject(statementFailure(error, 'shop'))
  }
  const error = await run(task, {
    run: refused,
    makeKey: () => Promise.resolve(),
    keysHold: true,
    makeIndex: refused,
  }).catch((failure: unknown) => failure)
  if (error instanceof SvcError) return error
  throw new Error('nothing has failed')
}

it('a connection that ends, or a full disk, is no fault of the statement', async () => {
  for (const [run, list] of [
    [runBefore, 'before'],
    [runAfter, 'after'],
  ] as const)
    for (const code of ['57P01', '53100']) {
      const failure = await failureOf(run, code)
      expect([isOfWorld(failure), failure.around]).toEqual([true, { list, index: 0 }])
    }
  expect(isOfWorld(await failureOf(runBefore, '42601'))).toBe(false)
})

it.each([
  ['42P01', 'relation "audit" does not exist', 'relation "public.audit" does not exist'],
  ['42P01', "la relation « audit » n'existe pas", "la relation « public.audit » n'existe pas"],
  ['42P01', 'リレーション"audit"は存在しません', 'リレーション"public.audit"は存在しません'],
  ['42883', 'Funktion f(public.mood) existiert nicht', 'Funktion public.f(integer) existiert nicht'],
])('a name that has its schema is known as one in the words of any server: %s %s', (code, bare, whole) => {
  const hintOf = (message: string) =>
    String(hookFailure(Object.assign(new Error(message), { severity: 'ERROR', code }), 'shop', '').hint)
  expect(hintOf(bare)).toContain('Write the schema in front of the name')
  expect(hintOf(whole)).not.toContain('Write the schema')
})

it('a right that the role has not is looked for in the environment at hand', async () => {
  const failure = await failureOf(runBefore, '42501')
  expect(failure.inEnvironment('prod').hint).toContain('svc doctor --env prod lists what the role may not do')
})
