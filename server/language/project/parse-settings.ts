/** Parses the text of `svc.yaml`. It never throws; a missing file gives the defaults. */
import type { Engine } from '../engines/engine.ts'
import { engineOf, knownEngine } from '../engines/index.ts'
import { noOwnTests } from '../own-tests/own-test.ts'
import { defaultsOf, type Reading, type Values } from '../schema/read-value.ts'
import { settingsShape } from '../schema/settings-schema.ts'
import { parseYaml } from '../syntax/yaml.ts'
import type { Settings } from './project.ts'
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
  const read = readMapping(reading, root, settingsShape, mustBe) ?? defaultsOf(settingsShape)
  const { name = 'project', models, defaults, ...settings } = read as unknown as ReadSettings
  return {
    ...settings,
    name,
    engine: engineOfAddresses([settings.warehouse, ...addressesOf(settings.environments)], variables),
    models: folder(models),
    defaults: Object.entries(defaults).map(([pattern, values]) => ({ pattern, values })),
    ownTests: noOwnTests,
    diagnostics: diagnosticsOf(reading, settingsPath),
    ...(text !== undefined && { file: { text, tree: root } }),
  }
}

/** The settings as the schema reads them: a wrong value is reported at its place, and the default is used. */
interface ReadSettings
  extends Omit<Settings, 'name' | 'engine' | 'defaults' | 'ownTests' | 'diagnostics' | 'file'> {
  readonly name?: string
  readonly defaults: Readonly<Record<string, Values>>
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

/** Turns `./models` into `models/`; the root itself is ''. */
function folder(written: string): string {
  const bare = written.replace(/^(\.\/)+/, '').replace(/\/+$/, '')
  return bare === '' || bare === '.' ? '' : `${bare}/`
}
