import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { materializations, materializeKinds } from '@svc/server/language'
import { expect, it } from 'vitest'
import { sourceFiles } from './imports.ts'

const root = join(import.meta.dirname, '..', '..')
const room = 'server/language/materialize'

it('a materialization is named by its own file and the contract alone, where its name is no word of SQL too', () => {
  const naming = ['server', 'cli', 'webview', 'extension', 'hosted-api']
    .flatMap(workspace => sourceFiles(join(root, workspace)))
    .filter(path => /['"]ephemeral['"]/.test(readFileSync(path, 'utf8')))
    .map(path => relative(root, path).split(sep).join('/'))
  expect(naming).toEqual(['server/contract/parts.ts', `${room}/ephemeral.ts`])
})

it('each materialization is one file, and the list names them all', () => {
  const files = sourceFiles(join(root, room)).map(path => relative(join(root, room), path))
  const kinds = files.filter(name => !['index.ts', 'materialization.ts'].includes(name))
  expect(kinds.sort()).toEqual(materializeKinds.map(kind => `${kind}.ts`).sort())
  for (const { kind, doc } of materializations) expect(doc, kind).toMatch(/^[A-Z].*\.$/)
})
