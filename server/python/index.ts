/**
 * ruff, as WebAssembly: formats and checks Python without a Python. Ten megabytes that take a tenth of a second to
 * start, so they are loaded when the first file with Python is met.
 */
import type { Workspace } from '@astral-sh/ruff-wasm-nodejs'
import { lineIndex, type PythonProblem, type PythonTools } from '../language/index.ts'

let loading: Promise<PythonTools> | undefined

/** One for the process. Rejects where ruff's file is missing from the installation. */
export function openPython(): Promise<PythonTools> {
  loading ??= import('@astral-sh/ruff-wasm-nodejs').then(ruff => {
    const { PositionEncoding, Workspace } = 'default' in ruff ? (ruff.default as typeof ruff) : ruff
    return pythonTools(new Workspace(settings, PositionEncoding.Utf16))
  })
  return loading
}

/**
 * What is wrong in any program and what cannot be meant: syntax (E9), names and imports (F), and none of the questions
 * of taste. Lines are as long as those of SQL blocks.
 */
const settings = {
  'line-length': 100,
  'target-version': 'py39',
  lint: { select: ['E9', 'F', 'B006', 'B008', 'B023', 'PLE'] },
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

/** What of ruff's answer is used. */
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
  const found = workspace.check(code) as readonly RuffDiagnostic[]
  return found.map(({ code: rule, message, start_location, end_location, fix }) => ({
    rule: rule === null || rule === 'invalid-syntax' ? 'syntax' : rule.toLowerCase(),
    message: message.replace(/^SyntaxError: /, ''),
    start: offset(start_location),
    end: offset(end_location),
    fix:
      fix === null
        ? undefined
        : {
            title: fix.message ?? 'Mend it',
            edits: fix.edits.map(edit => ({
              start: offset(edit.location),
              end: offset(edit.end_location),
              text: edit.content ?? '',
            })),
          },
  }))
}
