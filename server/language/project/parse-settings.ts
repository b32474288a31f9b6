/** Parses the text of `svc.yaml`. It never throws; a missing file gives the defaults. */
import type { Engine } from '../engines/engine.ts'
import { engineOf, knownEngine } from '../engines/index.ts'
import { noOwnTests } from '../own-tests/own-test.ts'
import type { OpenLineage, SourceLimits } from '../schema/definition.ts'
import { defaultsOf, type Reading, type Value, type Values } from '../schema/read-value.ts'
import { settingsShape } from '../schema/settings-schema.ts'
import { parseYaml } from '../syntax/yaml.ts'
import type { FolderDefaults } from './folder-defaults.ts'
import type { ExtensionSetting, Settings, SqlLimits } from './project.ts'
import { diagnosticsOf, readMapping } from './read-yaml.ts'

export const settingsPath = 'svc.yaml'

/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>

/**
 * Parses the settings. `text` is undefined if there is no file. The engine may be that of an address in one of the
 * `variables`.
 */
export function parseSettings(text: string | undefined, variables: Variables = {}): Settings {
  const { root, problems } = parseYaml(text ?? '')
  const reading: Reading = { text: text ?? '', problems: [...problems] }
  const mustBe = 'svc.yaml is a mapping with keys such as "name" and "warehouse"'
  const values = readMapping(reading, root, settingsShape, mustBe) ?? defaultsOf(settingsShape)
  const warehouse = values['warehouse'] as string
  const environments = values['environments'] as unknown as Settings['environments']
  return {
    name: (values['name'] as string | undefined) ?? 'project',
    warehouse,
    engine: engineOfAddresses([warehouse, ...addressesOf(environments)], variables),
    defaultSchema: values['defaultSchema'] as string,
    models: folder(values['models'] as string),
    environments,
    vars: values['vars'] as Settings['vars'],
    defaults: Object.entries(values['defaults'] as Readonly<Record<string, Values>>).map(
      ([pattern, keys]): FolderDefaults => ({ pattern, values: keys }),
    ),
    ownTests: noOwnTests,
    destinations: values['destinations'] as unknown as Settings['destinations'],
    notify: values['notify'] as unknown as Settings['notify'],
    ...(values['openlineage'] !== undefined && {
      openlineage: values['openlineage'] as unknown as OpenLineage,
    }),
    extensions: (values['extensions'] as unknown as (ExtensionSetting | undefined)[]).filter(
      each => each !== undefined,
    ),
    limits: { sql: sqlLimits(values['limits']), ingest: ingestLimits(values['limits']) },
    ai: (values['ai'] as unknown as Settings['ai'] | undefined) ?? {},
    diagnostics: diagnosticsOf(reading, settingsPath),
    ...(text !== undefined && { file: { text, tree: root } }),
  }
}

function addressesOf(environments: Settings['environments']): readonly string[] {
  return Object.values(environments).flatMap(({ warehouse }) => warehouse ?? [])
}

/**
 * Returns the engine of the first address that tells it. Where the variable of the project's own address is not set,
 * that of an environment does; where none does, it is the usual one.
 */
function engineOfAddresses(addresses: readonly string[], variables: Variables): Engine {
  for (const address of addresses) {
    const variable = /^env:(.+)$/.exec(address)?.[1]
    const engine = knownEngine(variable === undefined ? address : (variables[variable] ?? ''))
    if (engine !== undefined) return engine
  }
  return engineOf('')
}

/** Returns the limits; a wrong value is reported at its place, and the default is used. */
function sqlLimits(limits: Value | undefined): SqlLimits {
  const usual = (defaultsOf(settingsShape)['limits'] as unknown as { readonly sql: SqlLimits }).sql
  const written = (limits as unknown as { readonly sql?: Partial<SqlLimits> } | undefined)?.sql
  return { timeMs: written?.timeMs ?? usual.timeMs, memoryBytes: written?.memoryBytes ?? usual.memoryBytes }
}

/** Returns the limits that are written, for all sources of the project. */
function ingestLimits(limits: Value | undefined): Partial<SourceLimits> {
  return (limits as unknown as { readonly ingest?: Partial<SourceLimits> } | undefined)?.ingest ?? {}
}

/** Turns `./models` into `models/`; the root itself is ''. */
function folder(written: string): string {
  const bare = written.replace(/^(\.\/)+/, '').replace(/\/+$/, '')
  return bare === '' || bare === '.' ? '' : `${bare}/`
}
