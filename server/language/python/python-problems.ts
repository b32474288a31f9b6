/** Turns the findings of Python's tools into diagnostics in the asset's file. */
import { getOrInsertComputed } from '../get-or-insert.ts'
import type { Asset } from '../project/project.ts'
import type { Diagnostic, Fix } from '../text/diagnostic.ts'
import type { PythonBlock } from './python-block.ts'
import { pythonRules, pythonSyntaxRule } from './python-rules.ts'
import type { PythonProblem, PythonTools } from './python-tools.ts'

const known = new WeakMap<Asset, readonly Diagnostic[]>()

/** Returns the diagnostics, cached as long as the file is unchanged. */
export function pythonProblems(asset: Asset, tools: PythonTools): readonly Diagnostic[] {
  const { python } = asset
  if (python === undefined) return []
  return getOrInsertComputed(known, asset, () =>
    tools.check(python.text).map(problem => diagnosticOf(asset.path, python, problem)),
  )
}

function diagnosticOf(path: string, python: PythonBlock, problem: PythonProblem): Diagnostic {
  const code = `python-${problem.rule}`
  const { severity } = pythonRules[code] ?? pythonSyntaxRule
  const range = python.toFile.rangeToOriginal(placeOf(python.text, problem))
  const fix = fixOf(path, python, problem.fix)
  return {
    code: code in pythonRules ? code : pythonSyntaxRule.code,
    severity,
    path,
    range,
    message: problem.message.replaceAll('`', '"').replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase()),
    ...(fix === undefined ? {} : { hint: `${fix.title}.`, fixes: [fix] }),
  }
}

/**
 * Returns a visible range: ruff reports the end of a line as the range of its line break, for which the text
 * before it is marked.
 */
function placeOf(code: string, { start, end }: PythonProblem): { start: number; end: number } {
  if (code.slice(start, end).trim() !== '') return { start, end }
  const before = code.slice(0, start).trimEnd().length
  return { start: Math.max(0, before - 1), end: Math.max(1, before) }
}

function fixOf(path: string, python: PythonBlock, fix: PythonProblem['fix']): Fix | undefined {
  const { indent, text, toFile } = python
  if (fix === undefined || indent === undefined) return undefined
  const place = (offset: number) =>
    offset < text.length
      ? toFile.toOriginal(offset)
      : toFile.rangeToOriginal({ start: text.length - 1, end: text.length }).end
  return {
    title: fix.title.replaceAll('`', '"'),
    edits: fix.edits.map(edit => ({
      path,
      range: { start: place(edit.start), end: place(edit.end) },
      newText: edit.text.replace(/\n(?=.)/gs, `\n${indent}`).replace(/\n$/, `\n${indent}`),
    })),
  }
}
