/** A condition that stands in a statement of svc's own is bound by no catalogue: it is looked at before it runs. */
import { type Engine, outsideOfCondition, outsideWords } from '@svc/server/language'
import { SvcError } from '../errors.ts'

/** Throws SvcError `invalid-project`. `key` names the setting: `publish.crm.where`. */
export function refuseReaching(condition: string, engine: Engine, asset: string, key: string): void {
  const [first] = outsideOfCondition(condition, engine)
  if (first === undefined) return
  const { message, hint } = outsideWords(first)
  throw new SvcError('invalid-project', `${key}: ${message}`, { asset, hint })
}
