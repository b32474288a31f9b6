/**
 * Formats and checks Python with ruff as WebAssembly, without a Python installation. It has ten megabytes and
 * takes a tenth of a second to start, so it is loaded for the first file with Python.
 */
import type { Workspace } from '@astral-sh/ruff-wasm-nodejs'
import { lineIndex, type PythonProblem, type PythonTools, ruffRules } from '../language/index.ts'

let loading: Promise<PythonTools> | undefined

/** Returns the instance of the process. Rejects if ruff's file is missing from the installation. */
export function openPython(): Promise<PythonTools> {
  loading ??= import('@astral-sh/ruff-wasm-nodejs').then(ruff => {
    const { PositionEncoding, Workspace } = 'default' in ruff ? (ruff.default as typeof ruff) : ruff
    return pythonTools(new Workspace(settings, PositionEncoding.Utf16))
  })
  return loading
}

/** The line length is that of SQL blocks. */
const settings = {
  'line-length': 100,
  'target-version': 'py39',
  lint: { select: ruffRules },
  format: {},
}

function pythonTools(workspace: Workspace): PythonTools {
  return {
    format(code) {
      try {
        return workspace.format(code)
      } catch {
        // A syntax error, which `check` reports with its place.
        return undefined
      }
    },
    check: code => check(workspace, code),
  }
}

interface RuffPlace {
  readonly row: number
  readonly column: number
}

/** The part of ruff's diagnostics that is used. */
interface RuffDiagnostic {
  readonly code: string | null
  readonly message: string
  readonly start_location: RuffPlace
  readonly end_location: RuffPlace
  readonly fix: {
    readonly message: string | null
    readonly edits: readonly {
      readonly content: string | null
      readonly location: RuffPlace
      readonly end_location: RuffPlace
    }[]
  } | null
}

function check(workspace: Workspace, code: string): PythonProblem[] {
  const lines = lineIndex(code)
  const offset = ({ row, column }: RuffPlace) => lines.offset(row, column)
  const diagnostics = workspace.check(code) as readonly RuffDiagnostic[]
  const problems = diagnostics.map(({ code: rule, message, start_location, end_location, fix }) => ({
    rule: rule === null || rule === 'invalid-syntax' ? 'syntax' : rule.toLowerCase(),
    message: message.replace(/^SyntaxError: /, ''),
    start: offset(start_location),
    end: offset(end_location),
    fix:
      fix === null
        ? undefined
        : {
            title: fix.message ?? 'Fix it',
            edits: fix.edits.map(edit => ({
              start: offset(edit.location),
              end: offset(edit.end_location),
              text: edit.content ?? '',
            })),
          },
  }))
  return problems.sort((a, b) => a.start - b.start || a.end - b.end)
}
