/** Each diagnostic has an example that has this problem, and the corrected file has it no longer. */

import { diagnosticExamples } from '@svc/server/examples'
import { diagnosticCodes } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { createGround } from '../cli/bad-input/command-line.ts'
import { svcIn } from '../support/cli.ts'

/** A statement that takes too long is stopped only in a process of its own. */
const isEndless = (code: string) => code === 'sql-too-expensive'

/** What no example of a few lines shows, and the file that does. */
const large: Readonly<Record<string, Readonly<Record<string, string | Uint8Array>>>> = {
  'file-too-large': { 'models/a.svc': `name: a\n# ${'x'.repeat(8_000_001)}\n` },
  'file-passed-over': { 'models/A.SVC': 'name: a\ningest: none\ntransform: SELECT 1 AS id\n' },
  'too-many-problems': { 'models/a.svc': `name: a\n${'wrong: 1\n'.repeat(1_200)}` },
  'not-utf8': { 'models/a.svc': Uint8Array.from([110, 97, 109, 101, 58, 32, 0xff, 10]) },
  'yaml-depth': { 'models/a.svc': `name: ${'['.repeat(300)}${']'.repeat(300)}\n` },
  'sql-too-large': {
    'models/a.svc': `name: a\ningest: none\ntransform: SELECT '${'x'.repeat(500_001)}' AS id\n`,
  },
  'sql-too-expensive': {
    'svc.yaml': 'name: shop\nlimits: {sql: {time: 500ms}}\n',
    'models/a.svc': "name: a\ningest: none\ntransform: SELECT length(repeat('x', 4000000000)) AS a\n",
  },
  'macro-too-long': {
    'macros/long.sql': Array.from({ length: 22 }, (_, level) =>
      level === 0
        ? 'CREATE MACRO twice0(x) AS x;\n'
        : `CREATE MACRO twice${level}(x) AS {{ twice${level - 1}(x) }} + {{ twice${level - 1}(x) }};\n`,
    ).join(''),
    'models/a.svc': 'name: a\ningest: none\ntransform: |\n  SELECT {{ twice21(1) }} AS a\n',
  },
  'extension-not-loaded': {
    'svc.yaml': 'name: shop\nextensions: [{name: spatial, path: ./missing.duckdb_extension}]\n',
    'models/a.svc': 'name: a\ningest: none\ntransform: SELECT 1 AS id\n',
  },
}

async function codesOf(
  code: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<readonly string[]> {
  const ground = createGround({ 'svc.yaml': 'name: shop\n' })
  try {
    for (const [path, text] of Object.entries(files)) ground.write(path, text)
    const words = ['validate', '--json']
    const said = isEndless(code) ? await svcIn(ground.root, words, {}) : await ground.line(words)
    expect(said.code, said.stderr + said.stdout).toBeLessThan(2)
    return [...said.stdout.matchAll(/"code": "([^"]+)"/g)].map(([, found]) => found ?? '')
  } finally {
    ground.dispose()
  }
}

describe('the example of', () => {
  it('each code exists', () => {
    expect(Object.keys(diagnosticExamples).sort()).toEqual(diagnosticCodes().map(({ code }) => code))
  })

  // It is a problem for agents and models alone: `test/cli/mcp/mcp.test.ts` shows it.
  const shown = Object.entries(diagnosticExamples).filter(([code]) => code !== 'link-outside')
  it.each(shown)('%s has the problem', async (code, { files, fixed }) => {
    const isShown = Object.keys(files).length > 0
    expect(await codesOf(code, isShown ? files : (large[code] ?? {}))).toContain(code)
    const [path = ''] = Object.keys(files)
    if (fixed === undefined) return
    // That nothing is known of a web service yet is no mistake of the corrected file.
    const left = await codesOf(code, { ...files, [path]: fixed })
    expect(left.filter(each => each !== 'source-columns-unknown' || each === code)).toEqual([])
  })
})
