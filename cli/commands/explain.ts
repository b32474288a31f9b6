/** `svc explain <code or key>`: the page of a problem, an error or a key, in the terminal and without a network. */
import { diagnosticCodes, keyPages, keyPaths, nearestNames } from '@svc/server/language'
import { type ErrorCode, errorCodes, SvcError } from '../engine/errors.ts'
import { type Explanation, explainJson, renderCodes, renderExplained } from '../render/explain.ts'
import { type Command, jsonOption, reportOf } from './command.ts'

export const explainCommand: Command = {
  name: 'explain',
  brief: 'what a key or a code means',
  summary:
    'Explain a key of a file, or the code of a problem or an error: what it means, what it may be, an example.',
  arguments: [
    {
      name: 'key_or_code',
      summary: 'such as ingest.auth or sql-unknown-column; without it, all codes are listed',
    },
  ],
  options: [jsonOption],
  examples: [
    { line: 'svc explain ingest.auth', says: 'a key of an asset file, svc.yaml or glossary.yaml' },
    { line: 'svc explain sql-unknown-column', says: 'a problem in a file' },
  ],
  exitCodes: { 0: 'done', 2: 'no such key or code' },
  async run(context) {
    const asked = context.arguments[0]
    const { warningCodes } = await import('@svc/server/contract')
    const of = explanationsWith(warningCodes)
    const explanations = await Promise.all(
      (asked === undefined ? allCodes(warningCodes) : [asked]).flatMap(of),
    )
    const keys = asked === undefined ? [] : keyPages(asked)
    if (asked !== undefined && explanations.length + keys.length === 0) throw unknown(asked, warningCodes)
    const render = asked === undefined ? renderCodes : renderExplained
    return reportOf({ explanations, keys }, render, explainJson)
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

function unknown(asked: string, warningCodes: Warnings): SvcError {
  const near = nearestNames(asked, [...allCodes(warningCodes), ...keyPaths()])
  return new SvcError('wrong-usage', `no key of a file and no code is "${asked.slice(0, 100)}"`, {
    hint:
      near.length === 0
        ? 'svc explain lists all codes; svc explain contract, svc explain ingest and so on explain keys.'
        : `did you mean ${near.map(name => `"${name}"`).join(' or ')}?`,
  })
}
