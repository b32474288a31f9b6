/** What the log of the language server hides of the environment of its process. */
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { secretsIn } from '../../server/lsp/secrets-in.ts'

const file = import.meta.filename
const folder = dirname(file)

it('are the values of variables that hold secrets', () => {
  const env = {
    DB_PASSWORD: 'tulip-garden',
    SHOP_PWD: 'tulip-garden-2',
    API_KEY: '/+abcDEF123==',
    SHOP_CREDENTIALS: 'user:tulips',
    AUTH_TOKEN: undefined,
    SHORT_SECRET: 'abc',
    KEYBOARD: 'qwertz',
  }
  expect(secretsIn(env)).toEqual(['tulip-garden', 'tulip-garden-2', '/+abcDEF123==', 'user:tulips'])
})

it('are no folders of shells, and no paths of files that hold secrets, which logs name', () => {
  const env = {
    PWD: folder,
    OLDPWD: '/a/folder/that/is/gone',
    GOOGLE_APPLICATION_CREDENTIALS: file,
    DB_PASSWORD_FILE: file,
    PASSWORD_STORE_DIR: folder,
    SSH_PRIVATE_KEY: file,
  }
  expect(secretsIn(env)).toEqual([])
})
