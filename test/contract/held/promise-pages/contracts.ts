/** The promises of docs/contracts.md. */
import { by, type PageEntries } from '../held.ts'

const contractModes = 'engine/ingest/contract-modes.test.ts'
const contracts = 'engine/run/contracts.test.ts'
const schema = 'language/schema/schema.test.ts'
const promisedTypes = 'engine/ingest/promised-types.test.ts'
const declaredTypes = 'engine/run/declared-types.test.ts'
const contractBeforeLock = 'cli/contract-before-lock.test.ts'
const types = 'engine/ingest/types.test.ts'
const restPromises = 'engine/ingest/rest-promises.test.ts'
const goneColumns = 'engine/run/gone-columns.test.ts'
const sourceEmpty = 'engine/run/source-empty.test.ts'
const childContracts = 'engine/ingest/child-contracts.test.ts'
const rejects = 'cli/rejects.test.ts'
const warnings = 'engine/run/warnings.test.ts'
const drift = 'cli/drift.test.ts'
const pagePromises = 'cli/page-promises.test.ts'
const commands = 'cli/commands.test.ts'

export const contractsPromises: PageEntries = {
  page: 'contracts.md',
  held: {
    '181754 evolution is one mode for': by(
      contractModes,
      'is taken in with evolve',
      'takes its record out with discard_row',
      'is left out alone with discard_value',
    ),
    '11d040 The first load of a': by(
      contracts,
      'a source is taken as it comes the first time, whatever the contract refuses from then on',
    ),
    '641e0b evolve (default) is added becomes': [
      ...by(contractModes, 'is taken in with evolve'),
      ...by(schema, 'of a REST source has every default'),
    ],
    '2fc6a9 A value that the type': [
      ...by(promisedTypes, '%s in CSV and in JSON'),
      ...by(declaredTypes, 'a value that an integer cannot hold is NULL, kept as rejected, and warned of'),
    ],
    'a29fb2 A column that columns gives': by(
      contractBeforeLock,
      'types the columns of a web service for inspect, validate and plan',
      'is what plan and run say that the column of %s becomes',
    ),
    'ba58c9 When most values of a': by(
      types,
      'in most values fails the load',
      'is what the contract says',
      'is found in child tables too, and in those below them',
    ),
    '028eb3 A required column that is': [
      ...by(contracts, 'fails the asset if it must be there'),
      ...by(restPromises, 'need required columns, with values'),
    ],
    '085c0f A column without a contract': by(
      goneColumns,
      'a key of all records that none has now fails what reads it, and the next good answer heals it',
      'a header that was renamed in every file fails too',
    ),
    '5f9a7a A key that only some': by(
      goneColumns,
      'a key that only some records had may be absent by chance, unless there are too many without it',
    ),
    'c32866 Any other column of contract.columns': by(
      goneColumns,
      'a column that the contract names is NULL, and the run says so',
    ),
    '61a934 A run warns of it:': by(
      contracts,
      'is named with the time since when, in every run until it is back',
      'is named at the first load if it was never there, by its name at the source',
    ),
    '92dff0 A source that had records': by(sourceEmpty, 'that answers with %s', '%s without records'),
    'e4566f A required column is required': by(
      childContracts,
      'fails the asset if no row has it, and not if there are no rows',
    ),
    'd97e6f Rejected records and values are': by(
      contracts,
      'are in svc_rejects with reason, raw record and run, and the rest is live',
      'of a failed build are rolled back with it',
    ),
    '54bfb6 Personal columns ( pii )': by(
      rejects,
      'is shown an asset after the other, with record, reason and raw JSON, personal values masked',
      'keeps nothing of a line that is no record where columns are masked or personal',
    ),
    '32a3de Values that become NULL are': [
      ...by(contracts, 'are written once, and reported by every run that meets them'),
      ...by(warnings, 'counts what a contract leaves out'),
    ],
    'b04314 Above this limit the asset': by(
      contracts,
      'go over the budget: the asset fails, production stays, the first ones can be looked at',
      'are kept up to the thousandth where their source is refused',
    ),
    'db6abd Without max_rejects , no record': by(
      contracts,
      'may be many with a discard mode, but not all',
      'go over the budget: the asset fails, production stays, the first ones can be looked at',
    ),
    '1370ba Every run fetches the whole': by(
      contracts,
      'brings rejected records back in with the next run, and says so',
    ),
    '3d3444 A key that only some': by(
      goneColumns,
      'a key that only some records had may be absent by chance, unless there are too many without it',
    ),
    '2dc211 svc plan shows both kinds,': [
      ...by(drift, 'the plan shows it with the columns downstream and every place'),
      ...by(contracts, 'names what is gone or retyped with every place that rests on it'),
    ],
    '8aa68d For differences since the last': [
      ...by(pagePromises, 'one page that lacks a column of a contract is not taken for a source without it'),
      ...by(commands, 'ends with 3 where a source cannot be asked, and does not ask with --offline'),
    ],
    '315c2f A single page that lacks': by(
      pagePromises,
      'one page that lacks a column of a contract is not taken for a source without it',
    ),
  },
  explains: [],
}
