import { describe, expect, it } from 'vitest'
import { worldText } from '../../../hosted-api/commands/world-text.ts'
import { StorageError } from '../../../hosted-api/storage/index.ts'

function systemError(code: string, message = 'what the system says', more: object = {}): Error {
  return Object.assign(new Error(message), { code, ...more })
}

describe('what the world refuses', () => {
  const cases: readonly (readonly [Error, string])[] = [
    [systemError('28P01', 'password authentication failed for user "x"'), 'refuses the password'],
    [new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'), 'PGPASSWORD'],
    [systemError('3D000', 'database "x" does not exist'), 'database "x" does not exist: make it first'],
    [systemError('42501', 'permission denied for schema public'), 'the right to make tables'],
    [systemError('ECONNREFUSED', '', { address: '::1', port: 5432 }), 'no database listens there (::1:5432)'],
    [
      systemError('ENOENT', '', { address: '/run/.s.PGSQL.5432' }),
      'no database listens there (/run/.s.PGSQL.5432): ',
    ],
    [systemError('ENOENT', '', { path: '/x/y' }), 'there is no /x/y'],
    [new Error('timeout expired'), 'does not answer'],
    [systemError('ERR_INVALID_URL', 'Invalid URL'), '%40'],
    [systemError('EADDRINUSE', '', { address: '0.0.0.0', port: 80 }), 'taken (0.0.0.0:80)'],
    [systemError('EACCES', '', { address: '0.0.0.0', port: 80 }), 'from 1024 on'],
    [systemError('SQLITE_READONLY', 'attempt to write a readonly database'), 'may this user write it'],
    [systemError('SQLITE_CORRUPT', 'malformed'), 'restore a backup'],
    [systemError('EPIPE', 'write EPIPE\nand more'), 'write EPIPE (EPIPE)'],
    [new StorageError('unavailable', 'told', systemError('SQLITE_CANTOPEN')), 'SQLite cannot open the file'],
  ]
  it.each(cases)('%s is one line', (error, part) => {
    const text = worldText(error)
    expect(text).toContain(part)
    expect(text).not.toContain('\n')
  })

  it('is told from a bug of ours', () => {
    expect(worldText(new TypeError('x is not a function'))).toBeUndefined()
    expect(worldText('a string')).toBeUndefined()
  })
})
