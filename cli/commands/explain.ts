/** `svc explain <code>`: the page of a diagnostic or an error, in the terminal and without a network. */
import { diagnosticCodes, nearestNames } from '@svc/server/language'
import { type ErrorCode, errorCodes, SvcError } from '../engine/errors.ts'
import { type Explanation, renderCodes, renderExplanations } from '../render/explain.ts'
import { type Command, jsonOption, reportOf } from './command.ts'

export const explainCommand: Command = {
  name: 'explain',
  brief: 'what a code means, with an example',
  summary: 'Explain the code of a problem or an error: what it means, an example, how to fix it.',
  arguments: [
    {
      name: 'code',
      summary: 'such as sql-unknown-column; without it, all codes are listed',
    },
  ],
  options: [jsonOption],
  examples: [
    { line: 'svc explain sql-unknown-column', says: 'a problem in a file' },
    { line: 'svc explain warehouse-locked', says: 'an error that stopped a command' },
  ],
  exitCodes: { 0: 'done', 2: 'no such code' },
  async run(context) {
    const code = context.arguments[0]
    const { warningCodes } = await import('@svc/server/contract')
    const of = explanationsWith(warningCodes)
    const explanations = await Promise.all((code === undefined ? allCodes(warningCodes) : [code]).flatMap(of))
    if (code !== undefined && explanations.length === 0) throw unknownCode(code, warningCodes)
    const render = code === undefined ? renderCodes : renderExplanations
    return reportOf(explanations, render, () => ({ explanations }))
  },
}

type Warnings = Readonly<Record<string, string>>

function allCodes(warningCodes: Warnings): readonly string[] {
  return [
    ...new Set([
      ...diagnosticCodes().map(({ code }) => code),
      ...Object.keys(errorCodes),
      ...Object.keys(warningCodes),
    ]),
  ].sort()
}

/** Some codes are those of a problem in a file and of the error that it causes. */
function explanationsWith(warningCodes: Warnings): (code: string) => readonly Promise<Explanation>[] {
  return code => {
    const isDiagnostic = diagnosticCodes().some(each => each.code === code)
    return [
      ...(isDiagnostic ? [diagnostic(code)] : []),
      ...(Object.hasOwn(errorCodes, code) ? [error(code as ErrorCode)] : []),
      ...(Object.hasOwn(warningCodes, code) ? [Promise.resolve(warning(code, warningCodes[code]))] : []),
    ]
  }
}

async function diagnostic(code: string): Promise<Explanation> {
  const { exampleOf } = await import('@svc/server/examples')
  const described = diagnosticCodes().find(each => each.code === code)
  const example = exampleOf(code)
  return {
    code,
    kind: 'diagnostic',
    severity: described?.severity ?? 'error',
    means: described?.doc ?? '',
    fix: example?.fix ?? '',
    example: Object.entries(example?.files ?? {}).map(([path, text]) => ({ path, text })),
    fixed: example?.fixed ?? null,
  }
}

async function error(code: ErrorCode): Promise<Explanation> {
  const { errorMeanings } = await import('../engine/error-meanings.ts')
  const { means, whatToDo } = errorMeanings[code]
  const severity = `exit code ${errorCodes[code]}`
  return { code, kind: 'error', severity, means, fix: whatToDo, example: [], fixed: null }
}

function warning(code: string, means = ''): Explanation {
  const fix = 'docs/warnings.md tells how warnings are kept, and how --strict makes new ones fail a run.'
  const severity = 'warning of a run'
  return { code, kind: 'warning', severity, means, fix, example: [], fixed: null }
}

function unknownCode(code: string, warningCodes: Warnings): SvcError {
  const [nearest] = nearestNames(code, allCodes(warningCodes))
  return new SvcError('wrong-usage', `no problem, error or warning has the code "${code}"`, {
    hint: nearest === undefined ? 'svc explain lists all codes.' : `did you mean "${nearest}"?`,
  })
}
