/** Names in `include` and `exclude` that nothing in the source answers to. */
import { openCatalog, readSourceShapes } from '@svc/server/catalog'
import { checkAsset } from '@svc/server/language'
import { expect, it } from 'vitest'
import { engine } from '../support/engine.ts'
import { projectOf } from '../support/spec-project.ts'

async function problemsOf(keys: string, sql = 'SELECT * FROM {{ source }}'): Promise<readonly string[]> {
  const path = 'models/a.svc'
  const text = `name: a\ningest: {type: rows, rows: [{id: 1, user_name: x}], ${keys}}\ntransform: ${sql}\n`
  const project = projectOf(new Map([[path, text]]))
  const { shapes, diagnostics } = await readSourceShapes(project, { root: '/nowhere', lockText: undefined })
  const catalog = await openCatalog(engine)
  const analysis = await catalog.analyze(project, shapes)
  catalog.close()
  return [...diagnostics, ...checkAsset(project, path, analysis, shapes)].map(
    ({ code, severity, hint = '', range }) =>
      `${code} (${severity}) ${text.slice(range.start, range.end)}: ${hint}`,
  )
}

it.each([
  ['exclude: [id]'],
  ['include: ["user_*"]'],
  ['exclude: [user_nam]', 'unmatched-column (warning) user_nam: did you mean "user_name"?'],
  ['include: [id, zzz]', 'unmatched-column (warning) zzz: It has: id, user_name.'],
  ['mask: {user_nam: redact}', 'mask-without-column (error) user_nam: did you mean "user_name"?'],
  ['mask: {"zzz*": redact}', 'unmatched-column (warning) redact: It has: id, user_name.'],
  // A run would refuse it: what the SQL asks for is not wrong besides.
  ['include: zzz', 'unmatched-column (error) zzz: It has: id, user_name.'],
])('%s', async (keys, ...expected) => {
  expect(await problemsOf(keys)).toEqual(expected)
})

it('where no column is left, nothing is said of the SQL', async () => {
  expect(
    await problemsOf('include: zzz, primary_key: id', 'SELECT id, upper(user_name) AS n FROM {{ source }}'),
  ).toEqual([
    'unknown-primary-key (error) id: No column of the source is left: check include and exclude.',
    'unmatched-column (error) zzz: It has: id, user_name.',
  ])
})
