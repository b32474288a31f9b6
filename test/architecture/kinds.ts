/**
 * Finds what names a kind of test outside of its room. A kind of test is one file in `server/language/tests`; all other
 * code asks the registry there what differs between kinds.
 */
import { join } from 'node:path'
import { codeFiles, codeOf } from './code.ts'

const workspaces = ['server', 'cli', 'webview', 'extension', 'hosted-api']

/** dbt has some of the same names for tests of its own. */
const rooms = /^server\/language\/tests\/|^cli\/engine\/import\/dbt\/generic-tests\//

/** `names`: of the kinds. Those that are words of SQL or of others too count where a test is decided by them. */
export function namingFiles(root: string, names: readonly string[]): readonly string[] {
  const own = names.filter(name => name.includes('_') || name === 'relationships').join('|')
  const literal = new RegExp(`'(?:${own})'|^\\s*(?:${own}):|[{,]\\s*(?:${own}):\\s`, 'm')
  // Unit tests have a folder of their own, and are told from tests of data by their name.
  const ofData = names.filter(name => name !== 'unit').join('|')
  const comparison = new RegExp(`\\b\\w*[tT]est\\??\\.kind\\s*[!=]==?\\s*'(?:${ofData})'`)
  const choice = /\bswitch\s*\(\s*\w*[tT]est\??\.kind\s*\)/
  return codeFiles(root, workspaces)
    .filter(file => !rooms.test(file))
    .filter(file => {
      const code = codeOf(join(root, file))
      return [literal, comparison, choice].some(pattern => pattern.test(code))
    })
}
