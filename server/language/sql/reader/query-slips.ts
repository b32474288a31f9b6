/** Reports mistakes in the order and the keywords of clauses. */
import type { Expression, SetOperation } from '../tree.ts'
import { insertion, report } from './problems.ts'
import { advance, type Reader, textOf } from './reader.ts'

/** Reports `LIMIT 5, 10`, which means to skip five and take ten. */
export function reportLimitComma(reader: Reader, start: number, first: Expression | undefined): void {
  const comma = advance(reader)
  const offset = first === undefined ? '0' : textOf(reader, first)
  const count = textOf(reader, reader.token)
  report(reader, comma, 'LIMIT takes one number', {
    hint: 'Write LIMIT count OFFSET skipped.',
    repair: [{ start: comma.start, end: comma.end, text: ' + ' }],
    fix: {
      title: `Change to LIMIT ${count} OFFSET ${offset}`,
      edits: [{ start, end: reader.token.end, text: `LIMIT ${count} OFFSET ${offset}` }],
    },
  })
}

export type Operator = Pick<SetOperation, 'operator' | 'all' | 'byName' | 'operatorSpan'>

/** Reports two queries in a row; both are read, as with UNION ALL. */
export function reportSecondSelect(reader: Reader): Operator {
  const { token, end } = reader
  report(reader, token, 'a second SELECT', {
    hint: 'Write UNION ALL between the two, or end the first one with a semicolon.',
    repair: [insertion(end, ' UNION ALL BY NAME ')],
  })
  return { operator: 'union', all: true, byName: true, operatorSpan: { start: end, end } }
}
