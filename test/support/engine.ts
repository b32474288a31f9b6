/** The engine of tests that are about none in particular. */
import { engineOf } from '../../server/language/engines/index.ts'
import { noOwnTests } from '../../server/language/own-tests/own-test.ts'
import type { AssetSettings } from '../../server/language/project/folder-defaults.ts'

export const engine = engineOf('duckdb:./warehouse.duckdb')

/** What assets are read with in a project without defaults and tests of its own. */
export const reading: AssetSettings = { engine, defaults: [], ownTests: noOwnTests }
