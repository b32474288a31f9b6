/** Reports BETWEEN without its AND. */
import { beginsOperand } from './operand.ts'
import { insertion, report } from './problems.ts'
import { advance, previous, type Reader } from './reader.ts'

/** Reports a token in place of AND. Returns true if the upper bound follows. */
export function reportBetweenComma(reader: Reader): boolean {
  const { token } = reader
  const hint = 'Write BETWEEN … AND ….'
  if (token.word === ',' && beginsOperand(reader, 1)) {
    advance(reader)
    const repair = [{ start: token.start, end: token.end, text: ' AND ' }]
    report(reader, token, 'AND belongs here instead of the comma', { hint, repair, fix: 'Change to AND' })
    return true
  }
  const follows = beginsOperand(reader)
  const at = follows ? token : (previous(reader) ?? token)
  const repair = [insertion(reader.end, follows ? ' AND ' : ' AND NULL ')]
  report(reader, at, 'the AND of BETWEEN is missing', { hint, repair })
  return follows
}
