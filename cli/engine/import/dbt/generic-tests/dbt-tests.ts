/** The four tests that dbt itself has. */
import { CallProblem } from '../../jinja/problem.ts'
import { isList, toData } from '../../jinja/values.ts'
import type { Plain } from '../asset-draft.ts'
import type { GenericTests } from './test-kind.ts'

export const dbtTests: GenericTests = {
  unique: given => ({ unique: given.ownColumn() }),
  not_null: given => ({ not_null: given.ownColumn() }),
  accepted_values(given) {
    const values = given.value('values')
    if (values === undefined || !isList(values))
      throw new CallProblem('accepted_values needs a list of values')
    // Values are texts in quotes unless the test says otherwise.
    const isQuoted = given.flag('quote') ?? true
    const list = values.map(each => {
      const data = toData(each) as Plain
      return isQuoted && typeof data !== 'string' ? pythonWord(data) : isQuoted ? data : numeric(data)
    })
    return { accepted_values: { [given.ownColumn()]: list } }
  },
  relationships: given => ({
    relationships: { [given.ownColumn()]: `${given.asset('to')}.${given.needed('field')}` },
  }),
}

function pythonWord(data: Plain): string {
  return typeof data === 'boolean' ? (data ? 'True' : 'False') : String(data)
}

function numeric(data: Plain): Plain {
  return typeof data === 'string' && /^-?\d+(\.\d+)?$/.test(data) ? Number(data) : data
}
