/** The page of all error codes, made from what the program says of each. */
import { errorMeanings } from '../../cli/engine/error-meanings.ts'
import { type ErrorCode, errorCodes } from '../../cli/engine/errors.ts'

const exitMeanings: Readonly<Record<number, string>> = {
  1: 'the check, test, data or contract failed',
  2: 'wrong usage',
  3: 'something outside the project failed: warehouse, network or file',
  130: 'interrupted',
}

/** Returns the text of docs/errors.md. */
export function errorsPage(): string {
  const codes = Object.keys(errorCodes) as ErrorCode[]
  const exits = [...new Set(Object.values(errorCodes))].sort((a, b) => a - b)
  const sections = exits.map(exit => {
    const rows = codes
      .filter(code => errorCodes[code] === exit)
      .sort()
      .map(code => `| \`${code}\` | ${errorMeanings[code].means} | ${errorMeanings[code].whatToDo} |`)
    return [
      `## Exit code ${exit}: ${exitMeanings[exit]}\n`,
      '| code | means | what to do |',
      '|---|---|---|',
      ...rows,
      '',
    ].join('\n')
  })
  return [
    '# Errors\n',
    'An error that stops a command has a code, a message that says what happened, a place in your files if there is one, and',
    'a next step. The code is in brackets after the message; with `--json` all of it is on stdout as',
    '`{"error": {"code", "message", "hint", "asset", "place"}}` (`svc schema error`). `--debug` adds the cause and the stack.\n',
    'Problems inside `.svc` files have [codes of their own](diagnostics.md). Exit code 70 is a bug in svc.\n',
    ...sections,
  ].join('\n')
}
