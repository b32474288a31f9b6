import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  createProject,
  type Diagnostic,
  diagnosticCodes,
  type PythonTools,
  parseAsset,
  parseSettings,
  pythonProblems,
  ruffRules,
} from '../../server/language/index.ts'
import { openPython } from '../../server/python/index.ts'
import { pythonDiagnostics } from '../../server/workspace/index.ts'
import { reading } from '../support/engine.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
let tools: PythonTools

beforeAll(async () => {
  tools = await openPython()
})

const head = 'name: a\ningest: none\ntransform:\n  python: |\n'

function problems(
  code: string,
  before = head,
): { readonly text: string; readonly found: readonly Diagnostic[] } {
  const text = before + code.replace(/^(?=.)/gm, '    ')
  return {
    text,
    found: pythonProblems(parseAsset('models/a.svc', text, reading, hash), tools),
  }
}

/** Code, severity and the text that is marked. */
function told(code: string): string[] {
  const { text, found } = problems(code)
  return found.map(({ code, severity, range }) => `${code} ${severity} ${text.slice(range.start, range.end)}`)
}

describe('Python in a block', () => {
  it('is right where it is right', () => {
    expect(told('def transform(svc):\n    return svc.ref("b").df()\n')).toEqual([])
  })

  it.each([
    ['an undefined name', 'def transform(svc):\n    é = "😀"; return é + dff\n', ['python-f821 error dff']],
    [
      'an import that nothing uses',
      'import os\ndef transform(svc):\n    return 1\n',
      ['python-f401 hint os'],
    ],
    ['a variable that nothing uses', 'def transform(svc):\n    x = 1\n', ['python-f841 hint x']],
    ['a shared default', 'def transform(svc, a=[]):\n    return a\n', ['python-b006 warning []']],
    ['a return outside', 'return 1\n', ['python-f706 error return 1']],
    ['a syntax error', 'def transform(svc):\n    return 1 +\n', ['python-syntax error +']],
    ['an open bracket', 'def transform(svc):\n    return (1\n', ['python-syntax error 1']],
  ])('%s', (_, code, expected) => {
    expect(told(code)).toEqual(expected)
  })

  it('shows every mistake at once, in order', () => {
    const code = 'import os\ndef transform(svc):\n    x = aa\n    return bb\n'
    expect(told(code)).toEqual([
      'python-f401 hint os',
      'python-f841 hint x',
      'python-f821 error aa',
      'python-f821 error bb',
    ])
  })

  it('is repaired by an edit that keeps the indentation of the file', () => {
    const { text, found } = problems(
      'import os\nimport re\ndef transform(svc, rows=[]):\n    return re, rows\n',
    )
    const repaired = found.reduceRight((now, { fixes: [fix] = [] }) => {
      const edits = [...(fix?.edits ?? [])].sort((a, b) => b.range.start - a.range.start)
      return edits.reduce(
        (each, { range, newText }) => each.slice(0, range.start) + newText + each.slice(range.end),
        now,
      )
    }, text)
    expect(repaired).toBe(
      `${head}    import re\n    def transform(svc, rows=None):\n        if rows is None:\n            rows = []\n        return re, rows\n`,
    )
    expect(pythonProblems(parseAsset('models/a.svc', repaired, reading, hash), tools)).toEqual([])
  })

  it('has no edit where its lines are not lines of the file', () => {
    const text = 'name: a\ningest: none\ntransform: {python: "import os\\ndef transform(svc): pass"}\n'
    const [found] = pythonProblems(parseAsset('models/a.svc', text, reading, hash), tools)
    expect(found).toMatchObject({ code: 'python-f401', range: { start: text.indexOf('os') } })
    expect(found?.fixes).toBeUndefined()
  })

  it('keeps its places behind Windows line breaks', () => {
    const text = `${head}    def transform(svc):\n        return nope\n`.replaceAll('\n', '\r\n')
    const [found] = pythonProblems(parseAsset('models/a.svc', text, reading, hash), tools)
    expect(text.slice(found?.range.start, found?.range.end)).toBe('nope')
  })
})

describe('Python of a project', () => {
  it('is checked, and what it reads is a parent', async () => {
    const files = [
      { path: 'models/a.svc', text: `${head}    def transform(svc):\n        return svc.ref("b"), nope\n` },
      { path: 'models/b.svc', text: 'name: b\ningest: none\ntransform: SELECT 1 AS id\n' },
    ]
    const project = createProject({ settings: parseSettings(undefined), files, hash })
    expect((await pythonDiagnostics(project)).map(({ code, path }) => `${path} ${code}`)).toEqual([
      'models/a.svc python-f821',
    ])
    expect(project.parents('a')).toEqual(['b'])
  })

  it('asks for the rules that the reference explains', () => {
    const explained = diagnosticCodes().map(({ code }) => code)
    for (const rule of ruffRules) expect(explained).toContain(`python-${rule.toLowerCase()}`)
  })
})
