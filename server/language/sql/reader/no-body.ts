/** Makes the node for a missing query. */
import type { NoBody } from '../tree.ts'
import { deletion, insertion, report } from './problems.ts'
import { previous, type Reader } from './reader.ts'

export function readNoBody(reader: Reader): NoBody {
  const at = previous(reader) ?? reader.token
  report(reader, at, 'a query is missing', {
    hint: 'Write SELECT … there.',
    repair: [...(at.word === ',' ? [deletion(at)] : []), insertion(reader.end, ' SELECT NULL ')],
  })
  return { kind: 'no-body', start: reader.end, end: reader.end }
}
