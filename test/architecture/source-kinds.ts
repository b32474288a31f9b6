/**
 * Finds what decides by the kind of a source outside of its rooms. A kind is one file in `server/language/sources`, and
 * its reader one line in `source-for.ts`; all other code asks them. Whether there is a source at all anybody may ask.
 */
import { join } from 'node:path'
import { codeFiles, codeOf } from './code.ts'

const workspaces = ['server', 'cli', 'webview', 'extension', 'hosted-api']

const rooms = /^(server\/language\/sources\/|cli\/engine\/ingest\/source-for\.ts$)/

/** `kinds`: the values of `ingest.type`, without `none`. Returns paths relative to `root`, sorted. */
export function decidingFiles(root: string, kinds: readonly string[]): readonly string[] {
  const comparison = new RegExp(`\\bingest\\??\\.type\\s*[!=]==?\\s*'(?:${kinds.join('|')})'`)
  const choice = /\bswitch\s*\(\s*[\w.?]*\bingest\??\.type\s*\)/
  return codeFiles(root, workspaces)
    .filter(file => !rooms.test(file))
    .filter(file => {
      const code = codeOf(join(root, file))
      return comparison.test(code) || choice.test(code)
    })
}
