/** Function calls that are written without brackets. */
import { wordSet } from '../../sql/grammar.ts'

export const valueWords: ReadonlySet<string> = wordSet(
  `current_catalog current_date current_role current_schema current_time current_timestamp current_user localtime
  localtimestamp session_user system_user user`,
)
